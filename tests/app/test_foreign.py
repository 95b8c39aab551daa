"""A language without a voice is told, and spoken by what can."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from companion.app.captions import Captions
from companion.app.foreign import Foreign
from companion.stream import Blob, MessageChunk, Role, StreamCtrl, Text, begin_of_stream, end_of_stream, pcm
from companion.stream.laws import check_transformer


class Robot:
    """Says everything as one sample."""

    async def speak(self, text: Text) -> AsyncGenerator[Blob, None]:
        yield pcm(b"\0\0", 22_050)


@pytest.mark.parametrize(("robot", "sounds"), [(Robot(), 1), (None, 0)])
async def test_a_foreign_piece_is_told_and_said_if_it_can_be(robot: Robot | None, sounds: int) -> None:
    told: list[str] = []
    foreign = Foreign(robot, told.append)  # type: ignore[arg-type]
    sound = [blob async for blob in foreign.speak(Text("Guten Tag", "de-AT"))]
    assert len(sound) == sounds
    assert told == ["de"]


async def test_captions_pass_the_examination() -> None:
    words = [MessageChunk(Role.MODEL, part=Text(word, "en"), ctrl=StreamCtrl("r")) for word in ("one", "two")]
    chunks = [begin_of_stream("r"), *words, end_of_stream("r", part=Text("")), end_of_stream("r")]
    await check_transformer(Captions, chunks)
