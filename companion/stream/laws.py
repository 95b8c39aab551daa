"""The examination that every Stream and Transformer must pass, ours or a plugin's.

Hand it a maker; it reads, closes, cancels and interleaves, and raises LawBroken with the name of the
first law that does not hold. It knows nothing of what it examines, so it sees only what a reader sees.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence

from companion.errors import StreamBlocked
from companion.stream.chunk import MessageChunk
from companion.stream.contract import PulledStream, State, Status, Transformer, Usage, stream_of
from companion.stream.exam import Law, demand
from companion.stream.exam_stream import MakeStream, StreamExam
from companion.stream.exam_upstream import UpstreamExam

__all__ = ["Law", "check_stream", "check_transformer"]


_USAGE = Usage(5, 6, 7)
_ENDS = (
    State(Status.DONE, _USAGE),
    State(Status.TRUNCATED, _USAGE),
    State(Status.BLOCKED, _USAGE, StreamBlocked("the examiner refused")),
    State(Status.INTERRUPTED, _USAGE),
    State(Status.ERROR, _USAGE, OSError("the examiner broke it")),
)


async def check_stream(
    make: MakeStream, *, expect: Sequence[MessageChunk] | None = None, deadline: float = 2.0
) -> None:
    """Examine one kind of stream.

    make: returns a fresh stream each time; each ends normally by itself, carrying the same chunks (stream
        ids and timestamps may differ).
    expect: the chunks it carries, where they are known.
    deadline: seconds any single wait may take.

    Raises:
        LawBroken: naming the law.
    """
    exam = StreamExam(make, deadline)
    whole = await exam.left_clean(exam.reads_whole(expect))
    await exam.left_clean(exam.loops(whole))
    await exam.left_clean(exam.has_one_reader())
    # At the beginning, after the first chunk, in the middle, before the last.
    for already in sorted({0, 1, len(whole) // 2, len(whole) - 1} & set(range(len(whole)))):
        await exam.left_clean(exam.closes(already, None))
        await exam.left_clean(exam.closes(already, ValueError("the examiner closed it")))
        await exam.left_clean(exam.closes_in_a_loop(already))
        await exam.left_clean(exam.stands_cancellation(already, whole))
    for turns in (0, 1, 2, 5):
        await exam.left_clean(exam.wakes_its_reader(turns))


async def check_transformer(
    make: Callable[[], Transformer], feed: Sequence[MessageChunk], *, deadline: float = 2.0
) -> None:
    """Examine one kind of transformer.

    make: returns a fresh transformer, or always the same one where making one is costly.
    feed: what its sources carry; begins, data and ends, for which the same output comes each time.
    deadline: seconds any single wait may take.

    Raises:
        LawBroken: naming the law.
    """
    await check_stream(lambda: make().transform(_by_and_by(feed)), deadline=deadline)
    upstream = UpstreamExam(make, feed, deadline)
    shared = make()
    calls = StreamExam(lambda: shared.transform(stream_of(feed)), deadline)
    await calls.left_clean(upstream.is_left_alone_until_read())
    await calls.left_clean(upstream.feels_closing())
    for end in _ENDS:
        await calls.left_clean(upstream.ends_with_its_source(end))
    whole = await calls.left_clean(calls.reads_whole(None))
    _boundaries_pass(feed, whole)
    await calls.left_clean(calls.serves_two(whole))
    await calls.left_clean(calls.serves_one_while_another_closes(whole))
    await calls.left_clean(calls.serves_one_while_another_is_cancelled(whole))


def _by_and_by(feed: Sequence[MessageChunk]) -> PulledStream:
    """A source that has a reader wait for each chunk."""

    async def replay() -> AsyncGenerator[MessageChunk, None]:
        for chunk in feed:
            await asyncio.sleep(0)
            yield chunk

    return PulledStream(replay())


def _boundaries_pass(feed: Sequence[MessageChunk], output: Sequence[MessageChunk]) -> None:
    """What begins and ends in the source begins and ends in the output, once.

    That is each route, and each of its channels that the output has at all.
    """
    passed, channels = Counter(_marks(output)), {(chunk.stream_id, chunk.mime_type) for chunk in output}
    for mark in _marks(feed):
        stream_id, channel, word = mark
        what = f"channel {channel} of stream {stream_id}" if channel else stream_id
        is_there = channel is None or (stream_id, channel) in channels
        demand(not is_there or passed[mark] == 1, Law.PAIRS, f"the {word} of {what} came out {passed[mark]} times")


def _marks(chunks: Sequence[MessageChunk]) -> Iterator[tuple[str, str | None, str]]:
    for chunk in chunks:
        if chunk.is_begin:
            yield chunk.stream_id, chunk.mime_type, "begin"
        if chunk.is_end:
            yield chunk.stream_id, chunk.mime_type, "end"
