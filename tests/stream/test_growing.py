"""The growing buffer: its writer never waits, its limit is an error, and what waits can be taken back."""

from __future__ import annotations

import asyncio

import pytest

from companion.errors import EndOfStream, OutputLimit, StreamClosed, StreamFailed, StreamInterrupted
from companion.stream import Blob, FuncCall, MessageChunk, Status, Text, ToolCall, stream_of
from companion.stream.growing import GrowingStreamBuilder, Limit, weight
from companion.stream.laws import check_stream

WORDS = [MessageChunk(part=Text(word)) for word in ("one", "two", "three")]


async def test_a_grown_stream_passes_the_examination() -> None:
    async def make():
        builder = GrowingStreamBuilder()
        builder.add(*WORDS)
        builder.done()
        return builder.stream

    await check_stream(make, expect=WORDS)


async def test_its_writer_never_waits_and_its_reader_gets_all_in_order() -> None:
    builder = GrowingStreamBuilder()
    chunks = [MessageChunk(part=Text(str(number))) for number in range(1000)]
    builder.add(*chunks)
    builder.done()

    assert [chunk async for chunk in builder.stream] == chunks


@pytest.mark.parametrize("limit", [Limit(items=2), Limit(bytes=6)], ids=str)
async def test_what_passes_the_limit_ends_the_stream_after_what_is_queued(limit: Limit) -> None:
    builder = GrowingStreamBuilder(limit)
    with pytest.raises(OutputLimit, match=f"2 items of 6 bytes wait unread, and the limit is {limit}") as overflow:
        builder.add(*WORDS)
    with pytest.raises(StreamClosed):
        builder.add(WORDS[0])

    assert [await builder.stream.next(), await builder.stream.next()] == WORDS[:2]
    with pytest.raises(StreamFailed) as failure:
        await builder.stream.next()
    assert failure.value.__cause__ is overflow.value
    assert builder.stream.state is not None
    assert builder.stream.state.status is Status.ERROR


async def test_bytes_that_were_read_make_room() -> None:
    builder = GrowingStreamBuilder(Limit(bytes=6))
    for _ in range(10):
        builder.add(WORDS[0], WORDS[1])
        assert [await builder.stream.next(), await builder.stream.next()] == WORDS[:2]


async def test_a_chunk_larger_than_the_limit_reaches_a_reader_that_keeps_up() -> None:
    builder = GrowingStreamBuilder(Limit(bytes=2))
    for word in WORDS:
        builder.add(word)
        assert await builder.stream.next() == word


async def test_what_waits_can_be_taken_back_and_makes_room() -> None:
    builder = GrowingStreamBuilder(Limit(items=3, bytes=11))
    builder.add(*WORDS)

    assert builder.discard(lambda chunk: chunk == WORDS[1]) == [WORDS[1]]
    assert len(builder) == 2
    builder.add(WORDS[1])
    builder.done()
    assert [chunk async for chunk in builder.stream] == [WORDS[0], WORDS[2], WORDS[1]]


async def test_a_reader_whose_chunk_is_taken_back_waits_on() -> None:
    builder = GrowingStreamBuilder()
    async with asyncio.TaskGroup() as group:
        reader = group.create_task(builder.stream.next())
        await asyncio.sleep(0)
        assert builder.is_awaited
        builder.add(WORDS[0])
        assert not builder.is_awaited
        builder.discard(lambda _: True)
        await asyncio.sleep(0)
        builder.add(WORDS[1])
    assert reader.result() == WORDS[1]


async def test_an_end_comes_after_what_is_queued_even_if_all_of_it_is_taken_back() -> None:
    builder = GrowingStreamBuilder()
    builder.add(*WORDS)
    builder.done()
    builder.discard(lambda _: True)

    with pytest.raises(EndOfStream):
        await builder.stream.next()


async def test_a_reader_that_closes_tells_the_work_behind_it() -> None:
    told: list[str] = []
    builder = GrowingStreamBuilder(on_close=lambda: told.append("closed"))
    builder.add(*WORDS)
    await builder.stream.close()

    assert told == ["closed"]
    assert len(builder) == 0
    with pytest.raises(StreamClosed):
        builder.add(WORDS[0])
    with pytest.raises(StreamInterrupted):
        await builder.stream.next()


async def test_a_call_of_an_unknown_tool_is_delivered_with_its_name() -> None:
    chunk = MessageChunk(tool_call=ToolCall("call_1", FuncCall("no_such_tool", "{}")))
    builder = GrowingStreamBuilder()
    builder.add(chunk)

    assert await builder.stream.next() == chunk
    assert await stream_of([chunk]).next() == chunk


@pytest.mark.parametrize(
    ("chunk", "bytes_"),
    [
        (MessageChunk(), 0),
        (MessageChunk(part=Text("小数")), 6),
        (MessageChunk(part=Text("half \ud83d")), 6),
        (MessageChunk(part=Blob("audio/pcm; rate=16000", bytes(640))), 640),
        (MessageChunk(tool_call=ToolCall("1", FuncCall("f", '{"a":1}'))), 7),
    ],
    ids=["nothing", "text", "half a letter", "sound", "tool call"],
)
def test_a_chunk_weighs_what_it_carries(chunk: MessageChunk, bytes_: int) -> None:
    assert weight(chunk) == bytes_
