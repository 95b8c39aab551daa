"""What the Streams of writers who never wait have in common: how they end, and the bell between writer and reader."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable

from companion.stream.bell import Bell
from companion.stream.chunk import MessageChunk
from companion.stream.contract import State, Status, iterate


class RungStream(ABC):
    """A Stream whose reader sleeps until the writer rings.

    on_close: tells the work that feeds this stream to end; called once, when the reader closes early. It must not
        raise or wait.
    """

    def __init__(self, on_close: Callable[[], None] | None) -> None:
        self._on_close = on_close
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

    def end_with(self, state: State) -> None:
        """The writer's last word: the state once what waits has been read. The first one counts."""
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
        while not self._is_due():
            self._state = self._state or self._final
            if self._state is not None:
                raise self._state.error()
            await self._wait()
        return self._pull()

    async def close(self) -> None:
        self._end(State(Status.INTERRUPTED))

    async def close_with_error(self, error: BaseException) -> None:
        self._end(State(Status.ERROR, cause=error))

    def _end(self, state: State) -> None:
        if self._state is not None:
            return
        self._state = state
        self._drop_all()
        self._bell.ring()
        self.abandon_work()

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return iterate(self)

    async def _wait(self) -> None:
        await self._bell.wait()

    @abstractmethod
    def _is_due(self) -> bool:
        """Whether a chunk may be pulled now. After the writer's last word, whatever waits may."""

    @abstractmethod
    def _pull(self) -> MessageChunk:
        """Give out the chunk that is due."""

    @abstractmethod
    def _drop_all(self) -> None:
        """Let go of what waits; its reader has gone."""
