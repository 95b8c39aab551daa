"""A pulled stream: how a generator becomes a stream, and how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest
from doubles.trickle import Trickle, read_all

from companion.errors import EndOfStream, StreamBlocked, StreamBusy, StreamError, StreamFailed, StreamInterrupted
from companion.stream import MessageChunk, PulledStream, State, Status, Stream, StreamBuilder, Text, Usage, stream_of
from companion.stream.contract import state_for

WORDS = [MessageChunk(part=Text(word)) for word in "abc"]


def pulled(source: Stream) -> PulledStream:
    async def bend() -> AsyncGenerator[MessageChunk, None]:
        async for chunk in source:
            yield chunk

    return PulledStream(bend(), source)


async def test_chunks_that_are_there_come_out_and_end() -> None:
    stream = stream_of(WORDS)

    assert [chunk async for chunk in stream] == WORDS
    assert stream.state == State(Status.DONE)


async def test_a_loop_that_is_left_can_be_taken_up_again() -> None:
    stream = stream_of(WORDS)
    async for chunk in stream:
        assert chunk == WORDS[0]
        break

    assert [chunk async for chunk in stream] == WORDS[1:]


async def test_its_generator_may_say_how_it_ends() -> None:
    cut = State(Status.TRUNCATED, Usage(completion_tokens=2))

    async def bend() -> AsyncGenerator[MessageChunk, None]:
        stream.finish(cut)
        assert stream.state is None
        yield WORDS[0]

    stream = PulledStream(bend())

    assert [chunk async for chunk in stream] == WORDS[:1]
    assert stream.state == cut


async def test_what_breaks_the_generator_breaks_the_stream_and_closes_its_source() -> None:
    source = stream_of(WORDS)

    async def bend() -> AsyncGenerator[MessageChunk, None]:
        yield await source.next()
        raise OSError("no more paper")

    stream = PulledStream(bend(), source)
    assert await stream.next() == WORDS[0]

    for _ in range(2):
        with pytest.raises(StreamFailed, match="no more paper") as caught:
            await stream.next()
        assert isinstance(caught.value.__cause__, OSError)
    assert source.state == State(Status.INTERRUPTED)


async def test_a_cancelled_next_is_an_interruption_and_never_a_normal_end() -> None:
    source = StreamBuilder()
    stream = pulled(source.stream)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await stream.next()

    assert stream.state == State(Status.INTERRUPTED)
    assert not source.is_open
    with pytest.raises(StreamInterrupted):
        await stream.next()


async def test_closing_wakes_a_reader_deep_in_a_chain() -> None:
    source = StreamBuilder()
    stream = pulled(pulled(pulled(source.stream)))

    async def is_interrupted() -> None:
        with pytest.raises(StreamInterrupted):
            await stream.next()

    async with asyncio.TaskGroup() as group:
        group.create_task(is_interrupted())
        await asyncio.sleep(0)
        await stream.close()
        assert not source.is_open


async def test_two_may_close_at_once_while_the_generator_cleans_up() -> None:
    tidy = asyncio.Event()

    async def bend() -> AsyncGenerator[MessageChunk, None]:
        try:
            yield WORDS[0]
        finally:
            await asyncio.sleep(0)
            tidy.set()

    stream = PulledStream(bend())
    await stream.next()
    async with asyncio.TaskGroup() as group:
        group.create_task(stream.close())
        group.create_task(stream.close_with_error(OSError("too late")))

    assert tidy.is_set()
    assert stream.state == State(Status.INTERRUPTED)


async def test_close_never_raises_and_closes_the_rest(caplog: pytest.LogCaptureFixture) -> None:
    class Stubborn(Trickle):
        async def close(self) -> None:
            raise OSError("will not close")

    async def bend() -> AsyncGenerator[MessageChunk, None]:
        try:
            yield WORDS[0]
        finally:
            raise OSError("nor will this")

    other = stream_of(WORDS)
    stream = PulledStream(bend(), Stubborn(WORDS), other)
    await stream.next()
    await stream.close()

    assert other.state == State(Status.INTERRUPTED)
    assert caplog.text.count("could not be closed cleanly") == 2


async def test_a_chunk_made_after_the_close_is_not_delivered() -> None:
    gate = asyncio.Event()

    async def bend() -> AsyncGenerator[MessageChunk, None]:
        await gate.wait()
        yield WORDS[0]

    stream = PulledStream(bend())

    async def is_interrupted() -> None:
        with pytest.raises(StreamInterrupted):
            await stream.next()

    async with asyncio.TaskGroup() as group:
        group.create_task(is_interrupted())
        await asyncio.sleep(0)
        await stream.close()
        gate.set()


async def test_a_second_reader_is_refused_and_the_first_goes_on() -> None:
    source = StreamBuilder()
    stream = pulled(source.stream)
    async with asyncio.TaskGroup() as group:
        first = group.create_task(stream.next())
        await asyncio.sleep(0)
        with pytest.raises(StreamBusy):
            await stream.next()
        await source.add(WORDS[0])
    assert first.result() == WORDS[0]
    await stream.close()


async def test_a_second_loop_is_refused_and_the_first_goes_on() -> None:
    source = StreamBuilder()
    stream = pulled(source.stream)
    async with asyncio.TaskGroup() as group:
        first = group.create_task(read_all(stream))
        await asyncio.sleep(0)
        with pytest.raises(StreamBusy):
            await read_all(stream)
        await source.add(*WORDS)
        source.done()
    assert first.result() == WORDS


async def test_a_failure_is_raised_in_a_loop_again_and_again() -> None:
    async def bend() -> AsyncGenerator[MessageChunk, None]:
        yield WORDS[0]
        raise OSError("cut")

    stream = PulledStream(bend())
    for _ in range(2):
        with pytest.raises(StreamFailed, match="cut") as caught:
            await read_all(stream)
        assert isinstance(caught.value.__cause__, OSError)


async def test_nothing_is_made_for_a_reader_who_comes_while_the_stream_is_being_closed() -> None:
    made = 0
    gate = asyncio.Event()

    async def bend() -> AsyncGenerator[MessageChunk, None]:
        nonlocal made
        for word in WORDS:
            made += 1
            yield word

    class SlowToClose(Trickle):
        async def close(self) -> None:
            await gate.wait()

    stream = PulledStream(bend(), SlowToClose(WORDS))
    await stream.next()
    async with asyncio.TaskGroup() as group:
        group.create_task(stream.close())
        await asyncio.sleep(0)
        with pytest.raises(StreamInterrupted):
            await stream.next()
        gate.set()
    assert made == 1


@pytest.mark.parametrize(
    ("error", "status", "raised"),
    [
        (None, Status.DONE, EndOfStream),
        (EndOfStream(), Status.DONE, EndOfStream),
        (StreamInterrupted(), Status.INTERRUPTED, StreamInterrupted),
        (StreamBlocked("no"), Status.BLOCKED, StreamBlocked),
        (OSError("cut"), Status.ERROR, StreamFailed),
        (StreamFailed("cut"), Status.ERROR, StreamFailed),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_every_error_has_its_state(error: Exception | None, status: Status, raised: type[StreamError]) -> None:
    state = state_for(error)

    assert state.status is status
    assert type(state.error()) is raised


def test_a_failure_passed_on_keeps_its_first_cause() -> None:
    cause = OSError("cut")
    once = State(Status.ERROR, cause=cause).error()

    assert state_for(once).cause is cause


def test_an_error_is_one_line() -> None:
    assert str(State(Status.ERROR, cause=OSError("two\nlines")).error()) == "two lines"


ENDS = [
    State(Status.DONE, Usage(5, 6)),
    State(Status.TRUNCATED, Usage(5, 6)),
    State(Status.BLOCKED, Usage(5, 6), StreamBlocked("no")),
    State(Status.INTERRUPTED, Usage(5, 6)),
    State(Status.ERROR, Usage(5, 6), OSError("broken")),
]


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.status)
async def test_a_stage_that_says_nothing_ends_as_its_source_did(end: State) -> None:
    source = StreamBuilder()
    source.stream.end_with(end)
    stream = pulled(pulled(source.stream))

    with pytest.raises(type(end.error())):
        await stream.next()

    assert stream.state is not None
    assert (stream.state.status, stream.state.usage) == (end.status, Usage(5, 6))


async def test_a_failure_of_the_stage_itself_is_not_taken_for_that_of_its_source() -> None:
    source = StreamBuilder()
    source.stream.end_with(ENDS[1])

    async def breaking() -> AsyncGenerator[MessageChunk, None]:
        async for chunk in source.stream:
            yield chunk
        raise ValueError("the stage broke")

    stream = PulledStream(breaking(), source.stream)
    with pytest.raises(StreamFailed, match="the stage broke"):
        await stream.next()

    assert stream.state is not None
    assert stream.state.usage == Usage()


async def test_a_stage_that_stops_before_its_source_is_done() -> None:
    source = stream_of(WORDS)

    async def first_only() -> AsyncGenerator[MessageChunk, None]:
        yield await source.next()

    stream = PulledStream(first_only(), source)

    assert await read_all(stream) == WORDS[:1]
    assert stream.state == State(Status.DONE)


def test_usage_adds_up_and_of_two_reports_the_larger_counts() -> None:
    assert Usage(1, 2, 3) + Usage(10, 20, 30) == Usage(11, 22, 33)
    assert Usage(1, 20, 3).most(Usage(10, 2, 3)) == Usage(10, 20, 3)
