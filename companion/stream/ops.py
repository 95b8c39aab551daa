"""Small operations on whole streams."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Iterable

from companion.stream.chunk import MessageChunk
from companion.stream.contract import State, Stream, iterate


class Preceded:
    """A Stream that yields chunks which were read from it already, then what is left of it."""

    def __init__(self, first: Iterable[MessageChunk], rest: Stream) -> None:
        self._first = deque(first)
        self._rest = rest

    @property
    def state(self) -> State | None:
        return None if self._first else self._rest.state

    async def next(self) -> MessageChunk:
        return self._first.popleft() if self._first else await self._rest.next()

    async def close(self) -> None:
        self._first.clear()
        await self._rest.close()

    async def close_with_error(self, error: BaseException) -> None:
        self._first.clear()
        await self._rest.close_with_error(error)

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return iterate(self)
