"""Several streams read as one: after each other, in turns, or in sequence with the ends that keep them apart.

All three pull: no task, no buffer. Closing the result closes every source, and so does one that fails.
The result is truncated if any source was. Its usage, even where it fails, is the sum of theirs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, Iterator, Sequence

from companion.errors import EndOfStream, RouteError
from companion.stream.chunk import MessageChunk
from companion.stream.contract import PulledStream, State, Status, Stream, Usage
from companion.stream.lifecycle import Route
from companion.stream.newest import Newest

_MOST_OPEN = 4096


def merge(*streams: Stream) -> Stream:
    """All of the first stream, then all of the second, and so on. One stream alone is returned as it is."""

    async def one_by_one() -> AsyncGenerator[MessageChunk, None]:
        try:
            for stream in streams:
                async for chunk in stream:
                    yield chunk
        finally:
            merged.finish(_end_of_all(streams))

    if len(streams) == 1:
        return streams[0]
    merged = PulledStream(one_by_one(), *streams)
    return merged


def merge_interleaved(*streams: Stream) -> Stream:
    """One chunk of each stream in turn, while it lasts; one that makes its turn wait holds up the others."""

    async def in_turns() -> AsyncGenerator[MessageChunk, None]:
        waiting = deque(streams)
        try:
            while waiting:
                stream = waiting.popleft()
                try:
                    chunk = await stream.next()
                except EndOfStream:
                    continue
                yield chunk
                waiting.append(stream)
        finally:
            merged.finish(_end_of_all(streams))

    if len(streams) == 1:
        return streams[0]
    merged = PulledStream(in_turns(), *streams)
    return merged


def composite_seq(*streams: Stream) -> Stream:
    """Like ``merge``, but what a stream leaves open is ended before the next one starts.

    Each of its open channels gets an end, in MIME order, and so does a route it began; with the stream id,
    role and label of what they end. What the last stream leaves open stays open. One stream alone is
    returned as it is.

    Fails with RouteError: begins and ends of one of the streams do not pair up, or too many routes are open.
    """

    async def in_sequence() -> AsyncGenerator[MessageChunk, None]:
        try:
            for stream in streams[:-1]:
                said = _Said()
                async for chunk in stream:
                    said.take(chunk)
                    yield chunk
                for end in said.ends_left_out():
                    yield end
            for stream in streams[-1:]:
                async for chunk in stream:
                    yield chunk
        finally:
            composed.finish(_end_of_all(streams))

    if len(streams) == 1:
        return streams[0]
    composed = PulledStream(in_sequence(), *streams)
    return composed


class _Said:
    """The routes of one stream that are owed ends, and the newest of the others, to see that nothing is late."""

    def __init__(self) -> None:
        self._open: dict[str, Route] = {}
        self._over: Newest[str, Route] = Newest()

    def take(self, chunk: MessageChunk) -> None:
        name = chunk.stream_id
        route = self._open.get(name) or self._over.get(name) or Route(name)
        route.accept(chunk)
        if route.is_over:
            self._open.pop(name, None)
            self._over[name] = route
            return
        self._over.pop(name, None)
        self._open[name] = route
        if len(self._open) > _MOST_OPEN:
            raise RouteError(f"stream {name!r}: {_MOST_OPEN} routes are open already")

    def ends_left_out(self) -> Iterator[MessageChunk]:
        """Only what was declared is ended: mere data declares its channel, not its route."""
        for route in self._open.values():
            yield from (end for end in route.ends() if end.part is not None or route.has_begun)


def _end_of_all(streams: Sequence[Stream]) -> State:
    ends = [stream.state for stream in streams if stream.state is not None]
    truncated = any(end.status is Status.TRUNCATED for end in ends)
    usage = sum((end.usage for end in ends), Usage())
    return State(Status.TRUNCATED if truncated else Status.DONE, usage)
