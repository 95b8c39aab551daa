"""One stream made two: what each half gets, and that neither can harm the other."""

from __future__ import annotations

import asyncio
import logging

import pytest
from doubles.trickle import Trickle, read_all

from companion.errors import EndOfStream, OutputLimit, StreamFailed, StreamInterrupted
from companion.stream import (
    Blob,
    MessageChunk,
    State,
    Status,
    Stream,
    StreamBuilder,
    StreamCtrl,
    Text,
    Usage,
    begin_of_stream,
    end_of_stream,
    stream_of,
)
from companion.stream.fork import mime_matcher, split, tee
from companion.stream.growing import GrowingStreamBuilder, Limit
from companion.stream.laws import check_stream

MARKS = StreamCtrl("a")
SAID = MessageChunk(part=Text("said"), ctrl=MARKS)
SOUND = MessageChunk(part=Blob("audio/opus", b"sound"), ctrl=MARKS)
CHUNKS = [begin_of_stream("a"), SAID, SOUND, SOUND, SAID, end_of_stream("a")]
is_sound = mime_matcher("audio/")


def numbered(count: int) -> list[MessageChunk]:
    return [MessageChunk(part=Text(str(number))) for number in range(count)]


def is_even(chunk: MessageChunk) -> bool:
    assert isinstance(chunk.part, Text)
    return int(chunk.part.text) % 2 == 0


async def turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def halve(source: Stream, **limit: Limit) -> tuple[Stream, Stream]:
    return split(source, is_even, **limit)


def split_whole(source: Stream) -> tuple[Stream, Stream]:
    return split(source, is_sound, boundaries_to_both=True)


FORKS = [halve, tee]


@pytest.mark.parametrize("source", [stream_of, Trickle])
@pytest.mark.parametrize("fork", [split_whole, tee])
async def test_both_halves_pass_the_examination_while_the_other_is_closed(fork, source) -> None:
    for half in (0, 1):

        async def make(half=half):
            halves = fork(source(CHUNKS))
            await halves[1 - half].close()
            return halves[half]

        await check_stream(make)


@pytest.mark.parametrize("fork", [split_whole, tee])
async def test_the_first_half_passes_the_examination_while_nobody_reads_the_other(fork) -> None:
    async def make():
        return fork(stream_of(CHUNKS))[0]

    await check_stream(make)


async def test_a_split_sends_each_chunk_one_way_in_order() -> None:
    matched, rest = split(stream_of(CHUNKS), is_sound)

    assert await read_all(matched) == [SOUND, SOUND]
    assert await read_all(rest) == [CHUNKS[0], SAID, SAID, CHUNKS[-1]]


async def test_a_split_may_tell_both_halves_where_a_route_begins_and_ends() -> None:
    matched, rest = split_whole(stream_of(CHUNKS))

    assert await read_all(rest) == [CHUNKS[0], SAID, SAID, CHUNKS[-1]]
    assert await read_all(matched) == [CHUNKS[0], SOUND, SOUND, CHUNKS[-1]]


async def test_a_match_that_breaks_ends_both_halves_and_the_source() -> None:
    source = stream_of(CHUNKS)
    halves = split(source, is_even)

    for half in halves:
        with pytest.raises(StreamFailed) as failure:
            await read_all(half)
        assert isinstance(failure.value.__cause__, AssertionError)
    assert source.state == State(Status.INTERRUPTED)


@pytest.mark.parametrize(
    ("part", "matches"),
    [
        (Blob("audio/opus", b""), True),
        (Blob(" Audio/OPUS; CODECS=opus ", b""), True),
        (Blob("audio/ogg; codecs", b""), True),
        (Blob("image/png", b""), False),
        (Text("audio/"), False),
        (None, False),
    ],
    ids=str,
)
def test_blobs_match_by_the_beginning_of_their_mime_type(part, matches: bool) -> None:
    assert mime_matcher("audio/")(MessageChunk(part=part)) is matches


async def test_a_mirror_gets_what_the_main_stream_pulls_and_how_it_ends() -> None:
    source = GrowingStreamBuilder()
    main, mirror = tee(source.stream)
    source.add(*numbered(3))
    source.truncated(Usage(1, 2))
    assert await main.next() == numbered(3)[0]
    assert await mirror.next() == numbered(3)[0]

    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(mirror.next())
        await turns()
        assert not waiting.done()
        assert await read_all(main) == numbered(3)[1:]
    assert [waiting.result(), *await read_all(mirror)] == numbered(3)[1:]
    assert main.state == mirror.state == State(Status.TRUNCATED, Usage(1, 2))


async def test_a_mirror_nobody_reads_does_not_block_the_main_stream_and_its_overflow_is_reported(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        main, mirror = tee(stream_of(numbered(1000)), limit=Limit(items=10))
        assert await read_all(main) == numbered(1000)

    assert "the mirror half of a stream fell behind and ends: 10 items" in caplog.text
    assert len(caplog.records) == 1
    assert [await mirror.next() for _ in range(10)] == numbered(10)
    with pytest.raises(StreamFailed, match="the limit is 10 items") as failure:
        await mirror.next()
    assert isinstance(failure.value.__cause__, OutputLimit)


@pytest.mark.parametrize("behind", [0, 1])
async def test_a_half_that_is_left_unread_ends_and_the_other_reads_on(behind: int) -> None:
    halves = halve(stream_of(numbered(100)), limit=Limit(items=10))
    ahead = 1 - behind

    assert await read_all(halves[ahead]) == numbered(100)[ahead::2]
    assert [await halves[behind].next() for _ in range(10)] == numbered(100)[behind:20:2]
    with pytest.raises(StreamFailed, match="10 items"):
        await halves[behind].next()


async def test_a_source_is_closed_when_one_half_is_closed_and_the_other_fell_behind() -> None:
    source = StreamBuilder()
    matched, rest = halve(source.stream, limit=Limit(items=1))

    async def is_interrupted() -> None:
        with pytest.raises(StreamInterrupted):
            await matched.next()

    await source.add(numbered(2)[1])
    async with asyncio.TaskGroup() as group:
        group.create_task(is_interrupted())
        await turns()
        await matched.close()
        assert source.is_open
        await source.add(numbered(2)[1])
        await turns()

    assert not source.is_open
    assert await rest.next() == numbered(2)[1]
    with pytest.raises(StreamFailed, match="1 items"):
        await rest.next()


@pytest.mark.parametrize("fork", FORKS)
@pytest.mark.parametrize("closed", [0, 1])
async def test_closing_one_half_while_it_waits_neither_truncates_nor_blocks_the_other(fork, closed: int) -> None:
    source = StreamBuilder()
    halves = fork(source.stream)
    kept = halves[1 - closed]

    async def is_interrupted() -> None:
        with pytest.raises(StreamInterrupted):
            await halves[closed].next()

    async with asyncio.TaskGroup() as group:
        group.create_task(is_interrupted())
        rest = group.create_task(read_all(kept))
        await asyncio.sleep(0)
        await halves[closed].close()
        await halves[closed].close()
        await source.add(*numbered(6))
        source.done()
    expected = numbered(6) if fork is tee else numbered(6)[1 - closed :: 2]
    assert rest.result() == expected


@pytest.mark.parametrize("fork", FORKS)
@pytest.mark.parametrize("cancelled", [0, 1])
async def test_cancelling_a_reader_of_one_half_loses_nothing_of_either(fork, cancelled: int) -> None:
    source = StreamBuilder()
    halves = fork(source.stream)
    async with asyncio.TaskGroup() as group:
        reader = group.create_task(halves[cancelled].next())
        await turns()
        reader.cancel()
    await source.add(*numbered(6))
    source.done()

    for number in (0, 1):
        assert await read_all(halves[number]) == (numbered(6) if fork is tee else numbered(6)[number::2])


@pytest.mark.parametrize("fork", FORKS)
async def test_the_source_is_closed_with_the_second_half_even_while_that_waits(fork) -> None:
    source = StreamBuilder()
    main, mirror = fork(source.stream)

    async def is_failed() -> None:
        with pytest.raises(StreamFailed, match="enough"):
            await main.next()

    async with asyncio.TaskGroup() as group:
        group.create_task(is_failed())
        await asyncio.sleep(0)
        await mirror.close()
        assert source.is_open
        await main.close_with_error(OSError("enough"))
    assert not source.is_open


@pytest.mark.parametrize("fork", FORKS)
async def test_how_the_source_ends_both_halves_tell_after_what_was_sent(fork) -> None:
    source = StreamBuilder()
    await source.add(*numbered(2))
    source.abort(OSError("no more paper"))

    for number, half in enumerate(fork(source.stream)):
        kept = numbered(2) if fork is tee else numbered(2)[number::2]
        assert [await half.next() for _ in kept] == kept
        with pytest.raises(StreamFailed, match="no more paper"):
            await half.next()


@pytest.mark.parametrize("fork", FORKS)
async def test_nothing_is_read_before_somebody_waits_and_never_ahead(fork) -> None:
    source = GrowingStreamBuilder()
    source.add(*numbered(6))
    main, _ = fork(source.stream)
    await turns()
    assert len(source) == 6

    await main.next()
    await turns()
    assert len(source) == 5


async def test_both_halves_may_be_read_at_once() -> None:
    matched, rest = halve(Trickle(numbered(50)))
    async with asyncio.TaskGroup() as group:
        one, other = group.create_task(read_all(matched)), group.create_task(read_all(rest))

    assert one.result() == numbered(50)[::2]
    assert other.result() == numbered(50)[1::2]
    with pytest.raises(EndOfStream):
        await rest.next()
