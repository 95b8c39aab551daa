"""The contract of a Stream and a Transformer, and the two plainest ways to make a Stream.

Laws, checked by ``companion.stream.laws`` for every Stream and Transformer, ours or a plugin's:

1. One reader. A second concurrent ``next`` raises StreamBusy.
2. In order, none lost. What a writer sent is read in that order; a writer's abort is read after it.
3. Who opens, ends. The maker of a stream id sends its one begin and one end; everybody else passes
   them through.
4. Closing is felt upstream. ``close`` discards what was not pulled, ends the work that feeds the
   stream, wakes a waiting reader, may be called twice and never raises.
5. The end is said once and stays. ``state`` is None while open and never changes afterwards.
6. A Transformer serves many calls. Nothing is shared between them; closing one never ends another.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, runtime_checkable

from companion.errors import EndOfStream, StreamBlocked, StreamBusy, StreamError, StreamFailed, StreamInterrupted
from companion.stream.chunk import MessageChunk


class Status(StrEnum):
    """Why a stream ended."""

    DONE = "done"
    TRUNCATED = "truncated"
    BLOCKED = "blocked"
    INTERRUPTED = "interrupted"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens a model read and wrote; ``cached_tokens`` of the prompt came from its prefix cache."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """How a stream ended."""

    status: Status
    usage: Usage = field(default_factory=Usage)
    cause: BaseException | None = None

    def error(self) -> StreamError:
        """What ``next`` raises from now on: a fresh error, so that tracebacks do not pile up."""
        match self.status:
            case Status.DONE | Status.TRUNCATED:
                return EndOfStream()
            case Status.BLOCKED:
                return StreamBlocked(str(self.cause or "no reason given"))
            case Status.INTERRUPTED:
                return StreamInterrupted()
            case Status.ERROR:
                failure = StreamFailed(str(self.cause or "the stream failed"))
                failure.__cause__ = self.cause
                return failure


@runtime_checkable
class Stream(Protocol):
    """Chunks, pulled one at a time."""

    @property
    def state(self) -> State | None:
        """None while open; then why it ended. It never changes again."""

    async def next(self) -> MessageChunk:
        """Return the next chunk, waiting for it.

        Raises:
            EndOfStream: it ended normally (done or truncated).
            StreamBlocked: the model refused.
            StreamInterrupted: it was closed before its end.
            StreamFailed: it broke; the cause is chained.
            StreamBusy: another reader is waiting.
        """

    async def close(self) -> None:
        """Discard what was not pulled and end the work behind it. Idempotent, never raises."""

    async def close_with_error(self, error: BaseException) -> None:
        """Like ``close``, but the state becomes an error with this cause."""

    def __aiter__(self) -> AsyncIterator[MessageChunk]: ...


@runtime_checkable
class Transformer(Protocol):
    """Bends one stream into another."""

    async def transform(self, source: Stream) -> Stream:
        """Return the bent stream. May await set-up and raise its errors; reads ``source`` from the first ``next``."""


def state_for(error: BaseException | None) -> State:
    """The state a stream ends in when ``error`` (None: nothing) ended it."""
    match error:
        case None | EndOfStream():
            return State(Status.DONE)
        case StreamInterrupted():
            return State(Status.INTERRUPTED)
        case StreamBlocked():
            return State(Status.BLOCKED, cause=error)
        case StreamFailed(__cause__=BaseException() as cause):
            return State(Status.ERROR, cause=cause)
        case _:
            return State(Status.ERROR, cause=error)


class PulledStream:
    """A Stream whose chunks an async generator makes as they are pulled: no task, no buffer.

    The generator may wait only on ``sources`` (streams, or anything whose ``close`` wakes its reader);
    that is how ``close`` reaches a reader who is waiting inside it.
    """

    def __init__(self, chunks: AsyncGenerator[MessageChunk, None], *sources: Stream) -> None:
        self._chunks = chunks
        self._sources = sources
        self._reading = False
        self._state: State | None = None

    @property
    def state(self) -> State | None:
        return self._state

    def finish(self, state: State) -> None:
        """Say how the stream ends, from inside the generator, before it returns. The first word counts."""
        self._state = self._state or state

    async def next(self) -> MessageChunk:
        if self._reading:
            raise StreamBusy("this stream already has a reader")
        if self._state is not None:
            raise self._state.error()
        self._reading = True
        try:
            chunk = await anext(self._chunks)
        except StopAsyncIteration:
            self.finish(state_for(None))
        except Exception as error:  # noqa: BLE001 - whatever broke it is the stream's end, told by ``state``
            self.finish(state_for(error))
        else:
            if self._state is None:
                return chunk
        finally:
            self._reading = False
        await self._release()
        assert self._state is not None
        raise self._state.error()

    async def close(self) -> None:
        await self._end(State(Status.INTERRUPTED))

    async def close_with_error(self, error: BaseException) -> None:
        await self._end(State(Status.ERROR, cause=error))

    async def _end(self, state: State) -> None:
        self.finish(state)
        await self._release()

    async def _release(self) -> None:
        for source in self._sources:
            await source.close()
        if not self._reading:
            await self._chunks.aclose()

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return iterate(self)


async def iterate(stream: Stream) -> AsyncIterator[MessageChunk]:
    """Yield the chunks of ``stream``; its normal end is the end of the loop, its failure is raised."""
    while True:
        try:
            chunk = await stream.next()
        except EndOfStream:
            return
        yield chunk


def stream_of(chunks: Iterable[MessageChunk]) -> PulledStream:
    """A Stream of chunks that are already there."""

    async def replay() -> AsyncGenerator[MessageChunk, None]:
        for chunk in chunks:
            yield chunk

    return PulledStream(replay())
