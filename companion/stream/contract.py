"""The contract of a Stream and a Transformer, and the two plainest ways to make a Stream.

Laws, checked by ``companion.stream.laws`` for every Stream and Transformer, ours or a plugin's:

1. One reader. A second concurrent ``next`` raises StreamBusy.
2. In order, none lost. What a writer sent is read in that order; a writer's abort is read after it.
   Cancelling a waiting ``next`` loses nothing, or interrupts the stream and says so in ``state``: it
   never turns into a normal end.
3. Who opens, ends. The maker of a stream id sends its one begin and one end; everybody else passes
   them through.
4. Closing is felt upstream. ``close`` discards what was not pulled, ends the work that feeds the
   stream, wakes a waiting reader, may be called twice and never raises.
5. The end is said once and stays. ``state`` is None while open and never changes afterwards. What comes
   of a source ends as that did, with its usage, unless it says otherwise.
6. A Transformer serves many calls. Nothing is shared between them; closing one never ends another.
7. Work starts at the first ``next``. ``transform`` may set up; it leaves its source alone.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Coroutine, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import AsyncGeneratorType
from typing import Any, Protocol, cast, runtime_checkable

from companion.errors import (
    EndOfStream,
    StreamBlocked,
    StreamBusy,
    StreamError,
    StreamFailed,
    StreamInterrupted,
    one_line,
)
from companion.stream.chunk import MessageChunk

logger = logging.getLogger(__name__)


class Status(StrEnum):
    """Why a stream ended."""

    DONE = "done"
    TRUNCATED = "truncated"
    BLOCKED = "blocked"
    INTERRUPTED = "interrupted"
    ERROR = "error"


_NORMAL = {Status.DONE, Status.TRUNCATED}


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens a model read and wrote.

    cached_tokens: of the prompt, came from its prefix cache. stored_tokens: of the prompt, were written into it.
    thinking_tokens: of the completion, were thoughts.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    stored_tokens: int = 0
    thinking_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached_tokens + other.cached_tokens,
            self.stored_tokens + other.stored_tokens,
            self.thinking_tokens + other.thinking_tokens,
        )

    def most(self, other: Usage) -> Usage:
        """The larger of each count, of two reports about the same work."""
        return Usage(
            max(self.prompt_tokens, other.prompt_tokens),
            max(self.completion_tokens, other.completion_tokens),
            max(self.cached_tokens, other.cached_tokens),
            max(self.stored_tokens, other.stored_tokens),
            max(self.thinking_tokens, other.thinking_tokens),
        )


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
                return StreamBlocked(_refusal(self.cause))
            case Status.INTERRUPTED:
                return StreamInterrupted()
            case Status.ERROR:
                failure = StreamFailed(_words(self.cause))
                failure.__cause__ = self.cause
                return failure

    def loop_end(self) -> Exception:
        """What a loop over the stream meets: a normal end is the end of the loop, too."""
        error = self.error()
        return StopAsyncIteration() if isinstance(error, EndOfStream) else error


def _refusal(cause: BaseException | None) -> str:
    return cause.refusal if isinstance(cause, StreamBlocked) else _words(cause)


def _words(cause: BaseException | None) -> str:
    return "no reason given" if cause is None else one_line(cause)


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

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        """Loop over what ``next`` returns. A normal end is the end of the loop; everything else is raised."""


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


class Closable(Protocol):
    """Whatever wakes those who wait on it when it is closed."""

    async def close(self) -> None: ...


class PulledStream:
    """A Stream whose chunks an async generator makes as they are pulled: no task, no buffer.

    The generator may wait only on ``sources`` (streams, or anything whose ``close`` wakes its reader);
    that is how ``close`` reaches a reader who is waiting inside it. A generator cannot go on after an
    exception, so a ``next`` that is cancelled interrupts the whole stream.

    No exception carries the usage, and no return says that a limit cut the source short: both are taken
    from the first source that ended in the same way.
    """

    def __init__(self, chunks: AsyncGenerator[MessageChunk, None], *sources: Closable) -> None:
        # What an ``async def`` with a ``yield`` returns: it knows itself whether it runs.
        self._chunks = cast("AsyncGeneratorType[MessageChunk, None]", chunks)
        self._sources = sources
        self._final: State | None = None
        self._state: State | None = None

    @property
    def state(self) -> State | None:
        return self._state

    def finish(self, state: State) -> None:
        """Say, from inside the generator, how the stream ends once it returns; if it fails, the usage counts.

        Unsaid, the stream ends as its source did.
        """
        self._final = state

    def next(self) -> Coroutine[Any, Any, MessageChunk]:
        return self._pull(in_loop=False)

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return self

    def __anext__(self) -> Coroutine[Any, Any, MessageChunk]:
        return self._pull(in_loop=True)

    async def _pull(self, *, in_loop: bool) -> MessageChunk:
        # Each chunk comes through here once a stage: one coroutine for the way in, and no call but the generator's.
        if self._state is None:
            if self._chunks.ag_running:
                raise StreamBusy("this stream already has a reader")
            try:
                chunk = await anext(self._chunks)
            except BaseException as error:  # noqa: BLE001 - whatever broke it is the stream's end, told by ``state``
                await self._end_after(error)
            else:
                if self._state is None:
                    return chunk
                await self._release()  # type: ignore[unreachable]  # closed while the generator made its chunk
        assert self._state is not None
        raise self._state.loop_end() if in_loop else self._state.error()

    async def _end_after(self, error: BaseException) -> None:
        match error:
            case StopAsyncIteration():
                self._end(self._final or self._like_its_source(State(Status.DONE)))
            case Exception():
                self._end(self._like_its_source(state_for(error)))
            case _:
                self._end(State(Status.INTERRUPTED))
        await self._release()
        if not isinstance(error, Exception):
            raise error

    def _like_its_source(self, state: State) -> State:
        if self._final is not None:
            return replace(state, usage=self._final.usage)
        for source in self._sources:
            end = getattr(source, "state", None)
            if isinstance(end, State) and (end.status is state.status or {end.status, state.status} == _NORMAL):
                return replace(state, status=end.status, usage=end.usage)
        return state

    async def close(self) -> None:
        self._end(State(Status.INTERRUPTED))
        await self._release()

    async def close_with_error(self, error: BaseException) -> None:
        self._end(State(Status.ERROR, cause=error))
        await self._release()

    def _end(self, state: State) -> None:
        self._state = self._state or state

    async def _release(self) -> None:
        for source in self._sources:
            await quietly(source.close())
        # A generator that runs ends by itself, woken by its sources; closing it twice at once is an error.
        if not self._chunks.ag_running:
            await quietly(self._chunks.aclose())


async def quietly(closing: Awaitable[None]) -> None:
    """``close`` never raises: what goes wrong while cleaning up is logged, and the rest is still closed."""
    try:
        await closing
    except Exception:  # see above; nobody is left to tell
        logger.exception("a stream could not be closed cleanly")


class _Chunks:
    """The loop over a stream. No generator: one that is left half-way needs a task to be cleaned up."""

    __slots__ = ("_stream",)

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return self

    async def __anext__(self) -> MessageChunk:
        try:
            return await self._stream.next()
        except EndOfStream:
            raise StopAsyncIteration from None


def iterate(stream: Stream) -> AsyncIterator[MessageChunk]:
    """Yield the chunks of ``stream``; its normal end is the end of the loop, its failure is raised."""
    return _Chunks(stream)


def stream_of(chunks: Iterable[MessageChunk]) -> PulledStream:
    """A Stream of chunks that are already there."""

    async def replay() -> AsyncGenerator[MessageChunk, None]:
        for chunk in chunks:
            yield chunk

    return PulledStream(replay())
