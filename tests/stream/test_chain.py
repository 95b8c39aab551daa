"""Several transformers that pass for one."""

from __future__ import annotations

import pytest

from companion.errors import ModelMissing
from companion.providers.scripted import ScriptedRecogniser, ScriptedSynthesiser
from companion.stream import (
    Blob,
    MessageChunk,
    Role,
    Status,
    Stream,
    StreamBuilder,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
    pcm,
    stream_of,
)
from companion.stream.chain import Chain
from companion.stream.laws import check_transformer

SOUND = [
    begin_of_stream("s", role=Role.USER),
    MessageChunk(role=Role.USER, part=pcm(bytes(640), 16_000), ctrl=StreamCtrl("s")),
    end_of_stream("s", role=Role.USER),
]


class Missing:
    """A step that cannot be set up."""

    async def transform(self, source: Stream) -> Stream:
        raise ModelMissing("there is no voice")


async def test_each_step_bends_what_the_one_before_it_made() -> None:
    voice = ScriptedSynthesiser()
    chunks = [chunk async for chunk in await Chain(ScriptedRecogniser(["hi"]), voice).transform(stream_of(SOUND))]
    assert voice.said == ["hi"]
    texts = [chunk.part.text for chunk in chunks if isinstance(chunk.part, Text)]
    assert texts == ["hi", ""]
    assert any(isinstance(chunk.part, Blob) and chunk.part.data for chunk in chunks)


async def test_without_steps_it_is_its_source() -> None:
    source = stream_of(SOUND)
    assert await Chain().transform(source) is source


async def test_closing_it_is_felt_at_its_source() -> None:
    source = StreamBuilder()
    stream = await Chain(ScriptedRecogniser(["hi"]), ScriptedSynthesiser()).transform(source.stream)
    await stream.close()
    assert source.stream.state is not None
    assert source.stream.state.status is Status.INTERRUPTED


async def test_a_step_that_cannot_be_set_up_closes_what_came_before_it() -> None:
    source = StreamBuilder()
    with pytest.raises(ModelMissing):
        await Chain(ScriptedRecogniser(["hi"]), Missing()).transform(source.stream)
    assert source.stream.state is not None


async def test_it_keeps_the_laws_of_its_steps() -> None:
    await check_transformer(lambda: Chain(ScriptedRecogniser(["hi"]), ScriptedSynthesiser()), SOUND)
