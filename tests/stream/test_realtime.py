"""A realtime stream gives chunks out in the order of their time, and one speaker at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from doubles.step_clock import StepClock
from doubles.virtual_time import run

from companion.errors import OutputLimit, StreamClosed, StreamFailed
from companion.stream import (
    Blob,
    MessageChunk,
    Part,
    Status,
    StreamCtrl,
    Text,
    Usage,
)
from companion.stream.laws import check_stream
from companion.stream.realtime import Loss, RealtimeStream

OPUS = Blob("audio/opus", b"...")
SILENCE = Blob("audio/opus", b"")


def chunk(
    part: Part | str | None, at: int | None = None, route: str = "a", *, label: str = "", begin=False, end=False
) -> MessageChunk:
    ctrl = StreamCtrl(route, label, begin_of_stream=begin, end_of_stream=end, timestamp=at)
    return MessageChunk(part=Text(part) if isinstance(part, str) else part, ctrl=ctrl)


def times(chunks: list[MessageChunk]) -> list[int | None]:
    return [chunk.ctrl.timestamp for chunk in chunks if chunk.ctrl]


async def due(stream: RealtimeStream) -> list[MessageChunk]:
    """All that comes out now."""
    chunks: list[MessageChunk] = []
    while True:
        async with reading(stream) as task:
            if not task.done():
                return chunks
            chunks.append(task.result())


@asynccontextmanager
async def reading(stream: RealtimeStream) -> AsyncIterator[asyncio.Task[MessageChunk]]:
    async with asyncio.TaskGroup() as group:
        task = group.create_task(stream.next())
        await asyncio.sleep(0)
        yield task
        task.cancel()


async def rest(stream: RealtimeStream) -> list[MessageChunk]:
    stream.done()
    return [chunk async for chunk in stream]


async def test_it_keeps_the_laws_of_a_stream() -> None:
    chunks = [
        chunk(None, 0, begin=True),
        chunk("one", 20),
        chunk("two", 40),
        chunk("", 40, end=True),
        chunk(None, 50, end=True),
    ]

    async def make():
        stream = RealtimeStream(clock=StepClock())
        for one in chunks:
            stream.push(one)
        stream.done()
        return stream

    await check_stream(make)


async def test_it_keeps_the_laws_of_a_stream_while_time_goes_by() -> None:
    async def make():
        stream = RealtimeStream(delay_ms=1)
        for one in (chunk(None, 0, begin=True), chunk("one", 1), chunk(None, 2, end=True)):
            stream.push(one)
        asyncio.get_running_loop().call_later(0.004, stream.done)
        return stream

    await check_stream(make)


async def test_chunks_come_in_the_order_of_their_time() -> None:
    stream = RealtimeStream(clock=StepClock(1000), delay_ms=0)
    for one in (chunk("", 300, end=True), chunk("one", 100), chunk("two", 200)):
        stream.push(one)

    assert times(await due(stream)) == [100, 200, 300]


async def test_chunks_of_one_time_keep_the_order_they_came_in() -> None:
    stream = RealtimeStream(clock=StepClock(1000))
    pushed = [chunk("x", 5), chunk("", 5, end=True), chunk(None, 5, begin=True, route="b"), chunk("y", 5, route="b")]
    for one in pushed:
        stream.push(one)

    assert await due(stream) == pushed


async def test_a_late_chunk_of_a_route_that_does_not_speak_never_appears() -> None:
    lost: list[tuple[MessageChunk, Loss]] = []
    stream = RealtimeStream(clock=StepClock(1000), delay_ms=0, on_drop=lambda *loss: lost.append(loss))
    stream.push(chunk("two", 200))
    await due(stream)
    late = chunk("one", 100, route="b")

    stream.push(late)

    assert await due(stream) == []
    assert lost == [(late, Loss.LATE)]


async def test_a_late_chunk_of_the_route_that_speaks_is_moved_to_after_the_last_one() -> None:
    stream = RealtimeStream(clock=StepClock(1000), delay_ms=0)
    stream.push(chunk(None, 200, begin=True))
    await due(stream)

    stream.push(chunk(OPUS, 100))

    assert await due(stream) == [chunk(OPUS, 201)]


async def test_nothing_of_a_route_overtakes_a_chunk_of_it_that_was_moved() -> None:
    stream = RealtimeStream(clock=StepClock(1000), delay_ms=0)
    stream.push(chunk("x", 200, route="b"))
    await due(stream)

    for one in (chunk(None, 150, begin=True), chunk(OPUS, 200), chunk(None, 200, end=True)):
        stream.push(one)

    assert await due(stream) == [chunk(None, 201, begin=True), chunk(OPUS, 201), chunk(None, 201, end=True)]


async def test_the_begin_of_a_channel_holds_up_that_channel_and_the_end_of_its_route_and_nothing_else() -> None:
    stream = RealtimeStream(clock=StepClock())
    begin, sound, words = chunk(SILENCE, 500, begin=True), chunk(OPUS, 100), chunk("x", 100)
    for one in (begin, sound, words, chunk(None, 200, end=True)):
        stream.push(one)

    first, *others = await rest(stream)
    assert first == words
    assert [(one.mime_type, one.is_end) for one in others] == [("audio/opus", False)] * 2 + [(None, True)]
    assert times(others) == [500, 500, 500]


async def test_a_waiting_reader_gets_an_earlier_chunk_that_comes_after_a_later_one() -> None:
    clock = StepClock(1000)
    stream = RealtimeStream(clock=clock, delay_ms=40)
    stream.push(chunk("later", 1100))
    async with reading(stream) as waiting:
        clock.set(1040)
        await asyncio.sleep(0)
        assert not waiting.done()

        stream.push(chunk("earlier", 1000))

        assert await waiting == chunk("earlier", 1000)


async def test_a_chunk_waits_for_its_time_and_the_delay() -> None:
    clock = StepClock()
    stream = RealtimeStream(clock=clock)
    stream.push(chunk("x", 100))
    async with reading(stream) as waiting:
        assert clock.alarms == [180]
        clock.set(179)
        await asyncio.sleep(0)
        assert not waiting.done()

        clock.set(180)

        assert await waiting == chunk("x", 100)
    assert clock.alarms == []


async def test_a_delay_below_zero_is_none_and_a_window_of_zero_is_two_minutes() -> None:
    stream = RealtimeStream(clock=StepClock(0), delay_ms=-5, window_ms=0)
    for at in (0, 120_000, 120_001):
        stream.push(chunk("x", at))

    assert times(await due(stream)) == []
    assert times(await rest(stream)) == [120_000, 120_001]


async def test_what_is_older_than_the_window_is_dropped_and_told() -> None:
    lost: list[tuple[int | None, Loss]] = []
    stream = RealtimeStream(
        clock=StepClock(1000), window_ms=100, on_drop=lambda chunk, loss: lost.append((chunk.ctrl.timestamp, loss))
    )
    for at in (100, 150, 250):
        stream.push(chunk("x", at))

    assert times(await due(stream)) == [150, 250]
    assert lost == [(100, Loss.EXPIRED)]


async def test_begins_and_ends_outlast_the_window() -> None:
    stream = RealtimeStream(clock=StepClock(1000), window_ms=100)
    pushed = [chunk(None, 0, begin=True), chunk("x", 10), chunk(None, 20, end=True), chunk("y", 900, route="b")]
    for one in pushed:
        stream.push(one)

    assert await rest(stream) == [pushed[0], pushed[2], pushed[3]]


async def test_an_end_without_a_time_comes_after_all_that_is_out_though_the_clock_was_set_back() -> None:
    clock = StepClock(2000)
    stream = RealtimeStream(clock=clock, delay_ms=0)
    stream.push(chunk(OPUS, 2000))
    await due(stream)
    clock.set(1000)

    stream.push(chunk(SILENCE, end=True))
    clock.set(2001)

    assert await due(stream) == [chunk(SILENCE, 2001, end=True)]


async def test_an_end_without_a_time_comes_after_all_that_waits() -> None:
    stream = RealtimeStream(clock=StepClock(1000))
    for one in (chunk(OPUS, 5000), chunk(SILENCE, end=True)):
        stream.push(one)

    assert times(await rest(stream)) == [5000, 5001]


async def test_a_chunk_without_a_time_gets_the_present_and_zero_is_a_time() -> None:
    stream = RealtimeStream(clock=StepClock(1000), delay_ms=0)
    for one in (chunk("now"), chunk("long ago", 0)):
        stream.push(one)

    assert await due(stream) == [chunk("long ago", 0), chunk("now", 1000)]


async def test_a_begin_takes_its_label_over() -> None:
    stream = RealtimeStream(clock=StepClock(1000), delay_ms=0)
    words, speaker = chunk("words", 120, label="mic"), chunk(OPUS, 130, "s", label="speaker")
    for one in (chunk(OPUS, 100, label="mic"), chunk(SILENCE, 110, label="mic", end=True), words, speaker):
        stream.push(one)
    begin = chunk(None, 50, "b", label="mic", begin=True)

    stream.push(begin)

    assert await due(stream) == [begin, words, speaker]


async def test_sound_of_a_superseded_route_is_refused_however_late_its_time_and_its_words_are_not() -> None:
    lost: list[tuple[MessageChunk, Loss]] = []
    stream = RealtimeStream(clock=StepClock(1000), delay_ms=0, on_drop=lambda *loss: lost.append(loss))
    stream.push(chunk(OPUS, 10, label="mic"))
    stream.push(chunk(None, 20, "b", label="mic", begin=True))
    lost.clear()
    refused = [chunk(OPUS, 500, label="mic"), chunk(Blob("application/ogg; x=1", b""), 500), chunk(None, 500, end=True)]
    kept = [chunk("words", 500, label="mic"), chunk(OPUS, 501, "b", label="mic")]

    for one in refused + kept:
        stream.push(one)

    assert await rest(stream) == [chunk(None, 20, "b", label="mic", begin=True), *kept]
    assert lost == [(one, Loss.SUPERSEDED) for one in refused]


async def test_what_the_reader_heard_begin_is_ended_when_its_label_is_taken_over() -> None:
    stream = RealtimeStream(clock=StepClock(1000), delay_ms=0)
    for one in (chunk(None, 0, label="mic", begin=True), chunk(OPUS, 10, label="mic")):
        stream.push(one)
    await due(stream)
    stream.push(chunk(OPUS, 20, label="mic"))

    stream.push(chunk(None, 15, "b", label="mic", begin=True))
    for late in (chunk(OPUS, 30, label="mic"), chunk(None, 40, label="mic", end=True), chunk("x", 50, label="mic")):
        stream.push(late)

    channel, route, begin = await rest(stream)
    assert (channel.mime_type, route.part, begin.stream_id) == ("audio/opus", None, "b")
    for end in (channel, route):
        assert end.ctrl == StreamCtrl("a", "mic", "superseded", end_of_stream=True, timestamp=15)


async def test_a_waiting_reader_is_told_at_once_that_a_label_was_taken_over() -> None:
    stream = RealtimeStream(clock=StepClock(1000), delay_ms=0)
    stream.push(chunk(None, 0, begin=True))
    await due(stream)
    async with reading(stream) as waiting:
        stream.push(chunk(None, 15, "b", begin=True))

        end = await waiting
        assert (end.stream_id, end.is_end) == ("a", True)


async def test_a_superseded_route_that_has_words_to_say_ends_after_them() -> None:
    stream = RealtimeStream(clock=StepClock(1000), delay_ms=0)
    for one in (chunk(None, 0, begin=True), chunk(OPUS, 10), chunk("one", 10)):
        stream.push(one)
    await due(stream)
    words, end = chunk("two", 30), chunk(None, 40, end=True)
    for one in (words, end, chunk(OPUS, 30)):
        stream.push(one)

    stream.push(chunk(None, 20, "b", begin=True))

    sound, begin, *others = await rest(stream)
    assert (sound.mime_type, sound.is_end, begin.stream_id) == ("audio/opus", True, "b")
    assert others == [words, end]


async def test_two_labels_have_a_speaker_each() -> None:
    stream = RealtimeStream(clock=StepClock(1000), delay_ms=0)
    for one in (chunk(None, 10, label="mic", begin=True), chunk(None, 20, "s", label="speaker", begin=True)):
        stream.push(one)
    await due(stream)

    for one in (chunk(OPUS, 15, label="mic"), chunk(OPUS, 15, "s", label="speaker")):
        stream.push(one)

    assert await due(stream) == [chunk(OPUS, 21, label="mic"), chunk(OPUS, 21, "s", label="speaker")]


async def test_an_end_that_is_awaited_is_never_too_late() -> None:
    stream = RealtimeStream(clock=StepClock(1000), delay_ms=0)
    for one in (chunk("x", 10), chunk("y", 200, "b")):
        stream.push(one)
    await due(stream)

    stream.push(chunk("", 100, end=True))

    assert await due(stream) == [chunk("", 201, end=True)]


@pytest.mark.parametrize("bound", [{"max_items": 3}, {"max_bytes": 8}], ids=["items", "bytes"])
async def test_beyond_its_bounds_the_oldest_data_goes_and_is_told(bound: dict[str, int]) -> None:
    lost: list[tuple[int | None, Loss]] = []
    stream = RealtimeStream(
        clock=StepClock(), on_drop=lambda chunk, loss: lost.append((chunk.ctrl.timestamp, loss)), **bound
    )
    stream.push(chunk(None, 0, begin=True))
    for at in (3, 1, 2):
        stream.push(chunk(OPUS, at))

    assert lost == [(1, Loss.OVERFLOW)]
    assert times(await rest(stream)) == [0, 2, 3]


async def test_begins_and_ends_beyond_the_bounds_are_refused() -> None:
    stream = RealtimeStream(clock=StepClock(), max_items=2)
    for name in ("a", "b"):
        stream.push(chunk(None, 0, name, label=name, begin=True))

    with pytest.raises(OutputLimit, match="stream 'c': no room"):
        stream.push(chunk(None, 0, "c", label="c", begin=True))
    assert [one.stream_id for one in await rest(stream)] == ["a", "b"]


async def test_a_begin_that_is_refused_silences_nobody() -> None:
    stream = RealtimeStream(clock=StepClock(1000), delay_ms=0, max_items=2)
    heard = [chunk(None, 0, label="mic", begin=True), chunk(OPUS, 10, label="mic")]
    for one in heard:
        stream.push(one)
    assert await due(stream) == heard
    for name in ("x", "y"):
        stream.push(chunk(None, 20, name, label=name, begin=True))

    with pytest.raises(OutputLimit, match="stream 'b': no room"):
        stream.push(chunk(None, 15, "b", label="mic", begin=True))
    others = await due(stream)
    more = chunk(OPUS, 30, label="mic")
    stream.push(more)

    assert [one.stream_id for one in others] == ["x", "y"]
    assert await rest(stream) == [more]


async def test_a_begin_finds_the_room_of_what_it_silences_but_needs_some_for_the_ends_it_makes() -> None:
    stream = RealtimeStream(clock=StepClock(1000), delay_ms=0, max_items=2)
    for name, at in (("a", 0), ("b", 1), ("c", 2), ("d", 3)):
        stream.push(chunk(None, at, name, label="mic", begin=True))
    assert [one.stream_id for one in await due(stream)] == ["d"]
    stream.push(chunk(None, 4, "x", label="x", begin=True))

    with pytest.raises(OutputLimit, match="stream 'e'"):
        stream.push(chunk(None, 5, "e", label="mic", begin=True))


async def test_a_mark_that_is_refused_drops_no_data() -> None:
    stream = RealtimeStream(clock=StepClock(), max_bytes=10)
    for one in (chunk("a begin", 0, begin=True), chunk("x", 1)):
        stream.push(one)

    with pytest.raises(OutputLimit):
        stream.push(chunk("the end", 3, end=True))
    assert times(await rest(stream)) == [0, 1]


async def test_a_chunk_larger_than_the_bound_is_refused_and_drops_nothing() -> None:
    stream = RealtimeStream(clock=StepClock(), max_bytes=99)
    stream.push(chunk("x", 1))

    with pytest.raises(OutputLimit, match="over 99 bytes"):
        stream.push(chunk("y" * 100, 2))
    assert times(await rest(stream)) == [1]


async def test_at_its_end_what_waits_is_given_out_at_once() -> None:
    stream = RealtimeStream(clock=StepClock())
    for at in (9000, 8000):
        stream.push(chunk("x", at))
    stream.abort(OSError("the microphone broke"))

    assert times([await stream.next(), await stream.next()]) == [8000, 9000]
    with pytest.raises(StreamFailed, match="the microphone broke"):
        await stream.next()
    with pytest.raises(StreamClosed):
        stream.push(chunk("late", 1))


async def test_a_waiting_reader_is_woken_by_the_end() -> None:
    stream = RealtimeStream(clock=StepClock())
    stream.push(chunk("x", 9000))
    async with reading(stream) as waiting:
        stream.done(Usage(1, 2))
        assert await waiting == chunk("x", 9000)
    assert await rest(stream) == []
    assert stream.state is not None
    assert stream.state.usage == Usage(1, 2)


async def test_closing_drops_what_waits_and_ends_the_sources() -> None:
    closed: list[bool] = []
    lost: list[tuple[MessageChunk, Loss]] = []
    stream = RealtimeStream(
        clock=StepClock(), on_drop=lambda *loss: lost.append(loss), on_close=lambda: closed.append(True)
    )
    waiting = [chunk(None, 0, begin=True), chunk("x", 1)]
    for one in waiting:
        stream.push(one)

    await stream.close()
    await stream.close()

    assert closed == [True]
    assert lost == [(one, Loss.UNREAD) for one in waiting]
    assert stream.state is not None
    assert stream.state.status is Status.INTERRUPTED
    with pytest.raises(StreamClosed):
        stream.push(chunk("late", 1))


async def test_a_read_that_is_cancelled_loses_nothing() -> None:
    clock = StepClock()
    stream = RealtimeStream(clock=clock)
    stream.push(chunk("x", 0))
    async with reading(stream) as waiting:
        clock.set(80)
        waiting.cancel()
    assert clock.alarms == []

    assert await due(stream) == [chunk("x", 0)]


def test_without_a_clock_of_its_own_it_goes_by_the_event_loop() -> None:
    async def scene() -> None:
        loop = asyncio.get_running_loop()
        start = loop.time()
        stream = RealtimeStream()
        stream.push(chunk("x", 1000))
        await stream.next()
        assert loop.time() - start == pytest.approx(1.08)

    run(scene())
