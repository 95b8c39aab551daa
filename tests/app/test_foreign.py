"""A language without a voice is told, and spoken by what can."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from companion.app.foreign import Foreign
from companion.stream import Blob, Text, pcm


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
