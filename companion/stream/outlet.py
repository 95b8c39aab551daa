"""A growing buffer that knows which chunk of which response its reader has pulled."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.errors import OutputLimit, StreamClosed
from companion.stream.bell import Bell
from companion.stream.chunk import MessageChunk
from companion.stream.contract import State, Status, iterate
from companion.stream.growing import Limit, weight
from companion.stream.response import Response


class DeliveryObserver(Protocol):
    """Is told of every emitted chunk, once, what became of it. It must not raise or wait.

    Marks that an interruption puts in were emitted by nobody and are not told.
    """

    def delivered(self, chunk: MessageChunk) -> None:
        """The reader has pulled it."""

    def abandoned(self, chunk: MessageChunk) -> None:
        """The reader will never see it."""


@dataclass(slots=True)
class _Queued:
    chunk: MessageChunk
    response: Response
    weight: int
    is_emitted: bool


class Outlet:
    """The reading end of an Invocation: a Stream.

    A writer never waits. One who would pass the limit gets OutputLimit, and the stream ends with that
    error at once.
    """

    def __init__(
        self, limit: Limit, observer: DeliveryObserver | None = None, on_close: Callable[[], None] | None = None
    ) -> None:
        self._limit = limit
        self._observer = observer
        self._on_close = on_close
        self._queue: deque[_Queued] = deque()
        self._bytes = 0
        self._bell = Bell()
        self._final: State | None = None
        self._state: State | None = None

    @property
    def state(self) -> State | None:
        return self._state

    @property
    def is_open(self) -> bool:
        """More may be written."""
        return self._final is None and self._state is None

    def put(self, response: Response, chunk: MessageChunk) -> None:
        """Queue a chunk of ``response``.

        Raises:
            StreamClosed: the stream has ended, or its reader has gone.
            OutputLimit: it would pass the limit; the stream has ended with this error.
        """
        if not self.is_open:
            raise StreamClosed(f"stream {chunk.stream_id!r}: written after the end of the output")
        size = weight(chunk)
        self.demand_room(chunk.stream_id, size)
        self._bytes += size
        self._queue.append(_Queued(chunk, response, size, is_emitted=True))
        self._bell.ring()

    def demand_room(self, stream_id: str, size: int = 0) -> None:
        """End the stream if one more chunk, of ``size`` bytes, would pass the limit.

        Raises:
            OutputLimit: it would.
        """
        if len(self._queue) >= self._limit.items or self._bytes + size > self._limit.bytes:
            error = OutputLimit(f"stream {stream_id!r}: more than {self._limit} wait to be read")
            self._end(State(Status.ERROR, cause=error))
            raise error

    def put_marks(self, response: Response, marks: Sequence[MessageChunk]) -> None:
        """Queue the ends of a response. They count, but no limit holds them back."""
        if self.is_open:
            self._queue.extend(_Queued(mark, response, 0, is_emitted=True) for mark in marks)
            self._bell.ring()

    def replace(self, response: Response, marks: Sequence[MessageChunk]) -> None:
        """Give the reader ``marks``, next, in place of all that is queued of ``response``."""
        kept: deque[_Queued] = deque()
        dropped: list[_Queued] = []
        for queued in self._queue:
            (dropped if queued.response is response else kept).append(queued)
        self._queue = kept
        self._queue.extendleft(_Queued(mark, response, 0, is_emitted=False) for mark in reversed(marks))
        self._abandon(dropped)
        self._bell.ring()

    def end_with(self, state: State) -> None:
        """The writer's last word: the state once what is queued has been read. The first one counts."""
        if self._final is None:
            self._final = state
            self._bell.ring()

    def abandon_work(self) -> None:
        """Tell the work that feeds this stream to end; once."""
        on_close, self._on_close = self._on_close, None
        if on_close is not None:
            on_close()

    async def next(self) -> MessageChunk:
        self._bell.demand_free()
        while not self._queue:
            self._state = self._state or self._final
            if self._state is not None:
                raise self._state.error()
            await self._bell.wait()
        return self._pull()

    def _pull(self) -> MessageChunk:
        queued = self._queue.popleft()
        self._bytes -= queued.weight
        queued.response.pulled(queued.chunk)
        if queued.is_emitted and self._observer is not None:
            self._observer.delivered(queued.chunk)
        return queued.chunk

    async def close(self) -> None:
        self._end(State(Status.INTERRUPTED))

    async def close_with_error(self, error: BaseException) -> None:
        self._end(State(Status.ERROR, cause=error))

    def _end(self, state: State) -> None:
        if self._state is not None:
            return
        self._state = state
        dropped, self._queue = self._queue, deque()
        self._abandon(dropped)
        self._bell.ring()
        self.abandon_work()

    def _abandon(self, dropped: Sequence[_Queued]) -> None:
        self._bytes -= sum(queued.weight for queued in dropped)
        if self._observer is not None:
            for queued in dropped:
                if queued.is_emitted:
                    self._observer.abandoned(queued.chunk)

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return iterate(self)
