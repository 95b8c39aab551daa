"""A growing buffer that knows which chunk of which response its reader has pulled."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.errors import OutputLimit, StreamClosed
from companion.stream.chunk import MessageChunk
from companion.stream.contract import State, Status
from companion.stream.growing import Limit, weight
from companion.stream.response import Response
from companion.stream.rung import RungStream


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


class Outlet(RungStream):
    """The reading end of an Invocation: a Stream.

    A writer never waits. One who would pass the limit gets OutputLimit, and the stream ends with that
    error at once.
    """

    def __init__(
        self, limit: Limit, observer: DeliveryObserver | None = None, on_close: Callable[[], None] | None = None
    ) -> None:
        super().__init__(on_close)
        self._limit = limit
        self._observer = observer
        self._queue: deque[_Queued] = deque()
        self._bytes = 0

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

    def _is_due(self) -> bool:
        return bool(self._queue)

    def _pull(self) -> MessageChunk:
        queued = self._queue.popleft()
        self._bytes -= queued.weight
        queued.response.pulled(queued.chunk)
        if queued.is_emitted and self._observer is not None:
            self._observer.delivered(queued.chunk)
        return queued.chunk

    def _drop_all(self) -> None:
        dropped, self._queue = self._queue, deque()
        self._abandon(dropped)

    def _abandon(self, dropped: Sequence[_Queued]) -> None:
        self._bytes -= sum(queued.weight for queued in dropped)
        if self._observer is not None:
            for queued in dropped:
                if queued.is_emitted:
                    self._observer.abandoned(queued.chunk)
