"""The one bounded buffer: order, waiting, cancelling and both ways to end."""

from __future__ import annotations

import asyncio
import traceback

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import EndOfStream, StreamBlocked, StreamBusy, StreamClosed, StreamFailed, StreamInterrupted
from companion.stream import Channel, MessageChunk, Status, StreamBuilder, Text, Usage

HELLO = MessageChunk(part=Text("hello"))


async def turns(count: int = 3) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_what_is_sent_comes_out_in_order() -> None:
    channel: Channel[int] = Channel(3)
    for item in range(3):
        await channel.send(item)

    assert [await channel.receive() for _ in range(3)] == [0, 1, 2]


def test_a_channel_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Channel(0)


async def test_a_writer_ahead_of_its_reader_waits() -> None:
    channel: Channel[int] = Channel(1)
    async with asyncio.TaskGroup() as group:
        await channel.send(1)
        writer = group.create_task(channel.send(2))
        await turns()
        assert not writer.done()
        assert not channel.send_nowait(3)
        assert await channel.receive() == 1
    assert await channel.receive() == 2


async def test_a_writer_that_waits_is_not_overtaken() -> None:
    channel: Channel[str] = Channel(1)
    async with asyncio.TaskGroup() as group:
        await channel.send("first")
        group.create_task(channel.send("waited"))
        await turns()
        assert await channel.receive() == "first"
        # The place is promised, though the writer has not run yet.
        assert not channel.send_nowait("pushed in")
        group.create_task(channel.send("came later"))
        assert await channel.receive() == "waited"
        assert await channel.receive() == "came later"


async def test_a_cancelled_writer_hands_its_place_on() -> None:
    channel: Channel[int] = Channel(1)
    async with asyncio.TaskGroup() as group:
        await channel.send(1)
        gone = group.create_task(channel.send(2))
        patient = group.create_task(channel.send(3))
        await turns()
        assert await channel.receive() == 1
        gone.cancel()
        await turns()
        assert patient.done()
    assert await channel.receive() == 3
    assert len(channel) == 0


async def test_a_cancelled_reader_loses_nothing() -> None:
    channel: Channel[int] = Channel(1)
    async with asyncio.TaskGroup() as group:
        reader = group.create_task(channel.receive())
        await turns()
        await channel.send(1)
        reader.cancel()
    assert await channel.receive() == 1


async def test_a_second_reader_is_refused() -> None:
    channel: Channel[int] = Channel(1)
    async with asyncio.TaskGroup() as group:
        first = group.create_task(channel.receive())
        await turns()
        with pytest.raises(StreamBusy):
            await channel.receive()
        await channel.send(1)
    assert first.result() == 1


async def test_a_writers_abort_comes_after_what_is_queued() -> None:
    channel: Channel[int] = Channel(2)
    await channel.send(1)
    channel.abort(OSError("cut"))
    channel.abort(OSError("too late"))

    assert await channel.receive() == 1
    with pytest.raises(OSError, match="cut"):
        await channel.receive()
    with pytest.raises(StreamClosed):
        await channel.send(2)


async def test_a_readers_discard_drops_what_is_queued_and_turns_writers_away() -> None:
    channel: Channel[int] = Channel(1)
    await channel.send(1)

    async def is_turned_away() -> None:
        with pytest.raises(StreamClosed):
            await channel.send(2)

    async with asyncio.TaskGroup() as group:
        group.create_task(is_turned_away())
        await turns()
        channel.discard(EndOfStream())
    with pytest.raises(EndOfStream):
        await channel.receive()


async def test_an_end_that_is_raised_often_does_not_grow() -> None:
    channel: Channel[int] = Channel(1)
    channel.abort(OSError("cut"))
    depths = set()
    for _ in range(5):
        with pytest.raises(OSError, match="cut") as caught:
            await channel.receive()
        depths.add(len(traceback.extract_tb(caught.value.__traceback__)))

    assert len(depths) == 1


STEPS = st.lists(
    st.sampled_from(["send", "send", "receive", "receive", "cancel a writer", "cancel the reader", "turn"]), max_size=60
)


@given(size=st.integers(1, 3), steps=STEPS)
@settings(max_examples=200, deadline=None)
def test_whatever_happens_items_come_once_and_in_order(size: int, steps: list[str]) -> None:
    asyncio.run(play(size, steps))


async def play(size: int, steps: list[str]) -> None:
    channel: Channel[int] = Channel(size)
    sent: list[int] = []
    received: list[int] = []
    writers: list[asyncio.Task[None]] = []
    readers: list[asyncio.Task[None]] = []

    async def write(item: int) -> None:
        await channel.send(item)
        sent.append(item)

    async def read() -> None:
        received.append(await channel.receive())

    async with asyncio.TaskGroup() as group:
        for number, step in enumerate(steps):
            if step == "send":
                writers.append(group.create_task(write(number)))
            elif step == "receive" and all(reader.done() for reader in readers):
                readers.append(group.create_task(read()))
            elif step == "turn":
                await turns(1)
            elif tasks := writers if step == "cancel a writer" else readers:
                tasks[number % len(tasks)].cancel()
            assert len(channel) <= size
        await turns(5)
        for reader in readers:
            reader.cancel()
        await turns(1)
        while len(channel) or not all(writer.done() for writer in writers):
            received.append(await asyncio.wait_for(channel.receive(), 1))
    assert received == sent == sorted(sent)


async def test_a_built_stream_drains_then_tells_why_it_ended() -> None:
    builder = StreamBuilder(4)
    await builder.add(HELLO)
    builder.done(Usage(prompt_tokens=3))

    assert builder.stream.state is None
    assert await builder.stream.next() == HELLO
    assert builder.stream.state is None
    with pytest.raises(EndOfStream):
        await builder.stream.next()
    assert builder.stream.state is not None
    assert builder.stream.state.status is Status.DONE
    assert builder.stream.state.usage == Usage(prompt_tokens=3)


async def test_a_truncated_stream_ends_normally_and_says_so() -> None:
    builder = StreamBuilder()
    builder.truncated()

    assert [chunk async for chunk in builder.stream] == []
    assert builder.stream.state is not None
    assert builder.stream.state.status is Status.TRUNCATED


async def test_a_refusal_is_worded_once_however_often_it_is_passed_on() -> None:
    first = StreamBuilder()
    first.blocked("not that")
    with pytest.raises(StreamBlocked) as caught:
        await first.stream.next()
    second = StreamBuilder()
    second.abort(caught.value)

    with pytest.raises(StreamBlocked, match=r"^the model refused: not that$"):
        await second.stream.next()


async def test_an_abort_without_words_is_named_by_its_kind() -> None:
    builder = StreamBuilder()
    builder.abort(TimeoutError())

    with pytest.raises(StreamFailed, match="TimeoutError") as caught:
        await builder.stream.next()
    assert isinstance(caught.value.__cause__, TimeoutError)


async def test_a_reader_that_closes_is_told_so_and_so_is_the_work_behind_it_once() -> None:
    told: list[str] = []
    builder = StreamBuilder(on_close=lambda: told.append("closed"))
    await builder.add(HELLO)
    await builder.stream.close()
    await builder.stream.close()

    assert told == ["closed"]
    with pytest.raises(StreamInterrupted):
        await builder.stream.next()
    with pytest.raises(StreamClosed):
        await builder.add(HELLO)
    builder.done()
    assert builder.stream.state is not None
    assert builder.stream.state.status is Status.INTERRUPTED


async def test_closing_what_has_ended_tells_nobody() -> None:
    told: list[str] = []
    builder = StreamBuilder(on_close=lambda: told.append("closed"))
    builder.done()
    assert [chunk async for chunk in builder.stream] == []
    await builder.stream.close()

    assert told == []
