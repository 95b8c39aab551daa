"""Several streams as one: the order, the ends between them, and how failure and closing travel."""

from __future__ import annotations

import asyncio

import pytest
from doubles.trickle import Trickle, read_all

from companion.errors import EndOfStream, RouteError, StreamBlocked, StreamFailed, StreamInterrupted
from companion.stream import (
    Blob,
    MessageChunk,
    Role,
    State,
    Status,
    StreamBuilder,
    StreamCtrl,
    Text,
    Usage,
    begin_of_stream,
    end_of_stream,
    stream_of,
)
from companion.stream.join import composite_seq, merge, merge_interleaved
from companion.stream.laws import check_stream

COMBINERS = [merge, merge_interleaved, composite_seq]
OPUS = "audio/opus"


def words(text: str) -> list[MessageChunk]:
    return [MessageChunk(part=Text(word)) for word in text.split()]


def route(name: str, *texts: str) -> list[MessageChunk]:
    said = [MessageChunk(Role.MODEL, part=Text(text), ctrl=StreamCtrl(name)) for text in texts]
    return [begin_of_stream(name, role=Role.MODEL), *said, end_of_stream(name, role=Role.MODEL)]


@pytest.mark.parametrize("combine", COMBINERS)
@pytest.mark.parametrize("source", [stream_of, Trickle])
async def test_what_is_made_of_several_streams_passes_the_examination(combine, source) -> None:
    async def make():
        return combine(source(route("a", "one", "two")), source([]), source(route("b", "three")))

    await check_stream(make)


@pytest.mark.parametrize("combine", COMBINERS)
async def test_of_no_streams_comes_an_empty_one(combine) -> None:
    async def make():
        return combine()

    await check_stream(make, expect=[])


@pytest.mark.parametrize("combine", COMBINERS)
def test_one_stream_alone_is_returned_as_it_is(combine) -> None:
    alone = stream_of(words("one two"))

    assert combine(alone) is alone


async def test_merged_streams_come_after_each_other() -> None:
    assert await read_all(merge(stream_of(words("1 3")), stream_of(words("2 4")))) == words("1 3 2 4")


async def test_interleaved_streams_come_in_turns() -> None:
    assert await read_all(merge_interleaved(stream_of(words("1 3")), stream_of(words("2 4")))) == words("1 2 3 4")


async def test_an_interleaved_stream_that_ends_leaves_its_turn_to_the_others() -> None:
    merged = merge_interleaved(stream_of(words("a")), stream_of(words("1 2 3")), stream_of(words("x y")))

    assert await read_all(merged) == words("a 1 x 2 y 3")


@pytest.mark.parametrize("combine", COMBINERS)
async def test_the_end_of_a_route_is_not_the_end_of_the_stream(combine) -> None:
    merged = combine(stream_of(route("a", "one")), stream_of([*route("b", "two"), *route("c", "three")]))

    ended = [chunk.stream_id for chunk in await read_all(merged) if chunk.is_end]
    assert sorted(ended) == ["a", "b", "c"]


@pytest.mark.parametrize("combine", COMBINERS)
async def test_the_failure_of_one_is_the_failure_of_all_and_closes_the_rest(combine) -> None:
    broken, other = StreamBuilder(), stream_of(words("never read"))
    broken.abort(OSError("no more paper"))
    combined = combine(broken.stream, other)

    with pytest.raises(StreamFailed, match="no more paper") as failure:
        await read_all(combined)
    assert isinstance(failure.value.__cause__, OSError)
    assert other.state == State(Status.INTERRUPTED)


@pytest.mark.parametrize("combine", COMBINERS)
async def test_closing_the_whole_closes_every_source_and_wakes_its_reader(combine) -> None:
    sources = [StreamBuilder(), StreamBuilder()]
    combined = combine(*(source.stream for source in sources))

    async def is_interrupted() -> None:
        with pytest.raises(StreamInterrupted):
            await combined.next()

    async with asyncio.TaskGroup() as group:
        group.create_task(is_interrupted())
        await asyncio.sleep(0)
        await combined.close()
    assert not any(source.is_open for source in sources)


@pytest.mark.parametrize("combine", COMBINERS)
async def test_usage_adds_up_and_one_that_was_cut_short_marks_the_whole(combine) -> None:
    cut, whole = StreamBuilder(), StreamBuilder()
    cut.truncated(Usage(1, 2, 3))
    whole.done(Usage(10, 20, 30))
    combined = combine(cut.stream, whole.stream)

    with pytest.raises(EndOfStream):
        await combined.next()
    assert combined.state == State(Status.TRUNCATED, Usage(11, 22, 33))


@pytest.mark.parametrize("combine", COMBINERS)
async def test_usage_adds_up_where_one_refuses(combine) -> None:
    whole, refused = StreamBuilder(), StreamBuilder()
    whole.done(Usage(1, 2, 3))
    refused.blocked("no", Usage(10, 20, 30))
    combined = combine(whole.stream, refused.stream)

    with pytest.raises(StreamBlocked, match="no"):
        await combined.next()
    assert combined.state is not None
    assert (combined.state.status, combined.state.usage) == (Status.BLOCKED, Usage(11, 22, 33))


async def test_between_two_streams_in_sequence_the_first_is_ended_and_after_the_last_nothing() -> None:
    composed = composite_seq(stream_of(words("a")), stream_of(words("b")))

    assert await read_all(composed) == [*words("a"), end_of_stream("", part=Text("")), *words("b")]


async def test_the_end_between_two_streams_carries_the_marks_of_what_it_ends_for_every_open_channel() -> None:
    marks = StreamCtrl("a", "microphone")
    first = [
        MessageChunk(Role.USER, part=Text("hello"), ctrl=marks),
        MessageChunk(Role.USER, part=Blob("Audio/OPUS", b"sound"), ctrl=marks),
        MessageChunk(Role.USER, part=Blob("image/png", b"picture"), ctrl=StreamCtrl("b")),
        end_of_stream("b", part=Blob("image/png", b"")),
    ]
    composed = composite_seq(stream_of(first), stream_of(words("next")))

    assert await read_all(composed) == [
        *first,
        end_of_stream("a", role=Role.USER, label="microphone", part=Blob("Audio/OPUS", b"")),
        end_of_stream("a", role=Role.USER, label="microphone", part=Text("")),
        *words("next"),
    ]


async def test_a_route_that_was_begun_is_ended_as_a_whole() -> None:
    first = [begin_of_stream("a"), MessageChunk(part=Text("hello"), ctrl=StreamCtrl("a"))]
    ends = [end_of_stream("a", part=Text("")), end_of_stream("a")]

    async def make():
        return composite_seq(stream_of(first), stream_of(route("b", "there")))

    await check_stream(make, expect=[*first, *ends, *route("b", "there")])


@pytest.mark.parametrize("first", [[], [MessageChunk()], route("a", "said")], ids=["empty", "no part", "ended"])
async def test_nothing_is_ended_where_nothing_is_open(first: list[MessageChunk]) -> None:
    composed = composite_seq(stream_of(first), stream_of(words("next")))

    assert await read_all(composed) == [*first, *words("next")]


async def test_of_a_sequence_only_the_routes_that_are_owed_an_end_are_remembered(monkeypatch) -> None:
    monkeypatch.setattr("companion.stream.join._MOST_OPEN", 2)
    ended = [chunk for number in range(100) for chunk in route(f"r{number}", "said")]
    by_channel = [end_of_stream(f"c{number}", part=Text("")) for number in range(100)]
    opened = [begin_of_stream(name) for name in ("a", "b", "c")]

    composed = composite_seq(stream_of([*ended, *by_channel, *opened[:2]]), stream_of([]))
    assert await read_all(composed) == [*ended, *by_channel, *opened[:2], end_of_stream("a"), end_of_stream("b")]

    with pytest.raises(StreamFailed, match="stream 'c': 2 routes are open already"):
        await read_all(composite_seq(stream_of(opened), stream_of([])))


async def test_a_sequence_names_the_route_whose_ends_do_not_pair_up() -> None:
    late = [*route("a", "said"), MessageChunk(part=Text("late"), ctrl=StreamCtrl("a"))]
    composed = composite_seq(stream_of(late), stream_of([]))

    with pytest.raises(StreamFailed, match="stream 'a' has ended") as failure:
        await read_all(composed)
    assert isinstance(failure.value.__cause__, RouteError)
