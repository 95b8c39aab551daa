"""Each reply is spoken by a voice that knows its language."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from companion.app.tongue import Tongue
from companion.stream import (
    MessageChunk,
    PulledStream,
    Role,
    Stream,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
    stream_of,
)
from companion.stream.laws import check_transformer


class Named:
    """A voice that signs every word it says."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def transform(self, source: Stream) -> PulledStream:
        async def signed() -> AsyncGenerator[MessageChunk, None]:
            async for chunk in source:
                match chunk.part:
                    case Text(text) if text:
                        yield replace(chunk, part=Text(f"{self.name}:{text}"))
                    case _:
                        yield chunk
            if source.state is not None:
                bent.finish(source.state)

        bent = PulledStream(signed(), source)
        return bent


def reply(language: str) -> list[MessageChunk]:
    words = [MessageChunk(Role.MODEL, part=Text(word, language), ctrl=StreamCtrl("r")) for word in ("one", "two")]
    return [begin_of_stream("r"), *words, end_of_stream("r", part=Text("")), end_of_stream("r")]


async def said(tongue: Tongue, language: str) -> list[str]:
    stream = await tongue.transform(stream_of(reply(language)))
    return [chunk.part.text async for chunk in stream if isinstance(chunk.part, Text) and chunk.part.text]


@pytest.mark.parametrize("language", ["en", "en-GB", "EN_us", ""])
async def test_a_language_with_a_voice_is_spoken_by_it(language: str) -> None:
    assert await said(Tongue(Named("joe"), {"en"}, otherwise=Named("robot")), language) == ["joe:one", "joe:two"]


async def test_another_language_is_spoken_by_what_can_and_told() -> None:
    foreign: list[str] = []
    tongue = Tongue(Named("joe"), {"en"}, otherwise=Named("robot"), on_foreign=foreign.append)
    assert await said(tongue, "de-AT") == ["robot:one", "robot:two"]
    assert foreign == ["de"]


async def test_with_nothing_else_to_say_it_the_one_voice_does() -> None:
    assert await said(Tongue(Named("joe"), {"en"}), "de") == ["joe:one", "joe:two"]


async def test_a_reply_without_words_ends_as_it_should() -> None:
    tongue = Tongue(Named("joe"), {"en"})
    silent = [begin_of_stream("r"), end_of_stream("r")]
    assert [chunk async for chunk in await tongue.transform(stream_of(silent))] == silent


async def test_it_passes_the_examination() -> None:
    tongue = Tongue(Named("joe"), {"en"}, otherwise=Named("robot"))
    await check_transformer(lambda: tongue, reply("en"))
    await check_transformer(lambda: tongue, reply("de"))
