"""The examination passes good streams and finds each fault in broken ones."""

from __future__ import annotations

import asyncio

import pytest
from doubles.broken_streams import BROKEN_STREAMS
from doubles.broken_transformers import BROKEN_TRANSFORMERS, Louder, LouderAhead
from doubles.trickle import Trickle

from companion.errors import LawBroken
from companion.stream import (
    MessageChunk,
    Role,
    StreamBuilder,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
    stream_of,
)
from companion.stream.laws import check_stream, check_transformer

WORDS = [MessageChunk(Role.USER, part=Text(word), ctrl=StreamCtrl("r")) for word in ("one", "two", "three", "four")]
CHUNKS = [
    begin_of_stream("r", role=Role.USER),
    *WORDS,
    end_of_stream("r", role=Role.USER, part=Text("")),
    end_of_stream("r", role=Role.USER),
]
# Every broken stream that hangs costs this much.
SHORT = 0.2


async def test_a_stream_of_chunks_that_are_there_passes() -> None:
    async def make():
        return stream_of(CHUNKS)

    await check_stream(make, expect=CHUNKS)


async def test_a_stream_fed_by_a_task_passes() -> None:
    async def make():
        return Trickle(CHUNKS)

    await check_stream(make, expect=CHUNKS)


async def test_a_built_stream_passes() -> None:
    async def make():
        builder = StreamBuilder(len(CHUNKS))
        await builder.add(*CHUNKS)
        builder.done()
        return builder.stream

    await check_stream(make, expect=CHUNKS)


async def test_an_empty_stream_passes() -> None:
    async def make():
        return stream_of([])

    await check_stream(make, expect=[])


@pytest.mark.parametrize("broken", BROKEN_STREAMS, ids=lambda broken: broken.__name__)
async def test_the_examination_finds(broken) -> None:
    async def make():
        return broken(CHUNKS)

    with pytest.raises(LawBroken, match=f"^{broken.law.value}:"):
        await check_stream(make, expect=CHUNKS, deadline=SHORT)
    await end_what_it_left()


@pytest.mark.parametrize("good", [Louder, LouderAhead])
async def test_a_good_transformer_passes(good) -> None:
    await check_transformer(good, CHUNKS)


async def test_a_transformer_passes_with_several_routes() -> None:
    other = [begin_of_stream("s"), MessageChunk(part=Text("five"), ctrl=StreamCtrl("s")), end_of_stream("s")]
    mixed = [CHUNKS[0], other[0], CHUNKS[1], other[1], *CHUNKS[2:], other[2]]
    await check_transformer(Louder, mixed)


@pytest.mark.parametrize("broken", BROKEN_TRANSFORMERS, ids=lambda broken: broken.__name__)
async def test_the_examination_finds_what_a_transformer(broken) -> None:
    with pytest.raises(LawBroken, match=f"^{broken.law.value}:"):
        await check_transformer(broken, CHUNKS, deadline=SHORT)
    await end_what_it_left()


async def end_what_it_left() -> None:
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
