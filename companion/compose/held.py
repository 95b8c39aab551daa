"""A stream that keeps what makes it in use until it ends."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from companion.stream import MessageChunk, State, Stream
from companion.stream.contract import iterate


class HeldStream:
    """``stream`` itself, which calls ``let_go`` once it has ended or was closed."""

    def __init__(self, stream: Stream, let_go: Callable[[], None]) -> None:
        self._stream = stream
        self._let_go: Callable[[], None] | None = let_go

    @property
    def state(self) -> State | None:
        return self._stream.state

    async def next(self) -> MessageChunk:
        try:
            return await self._stream.next()
        except BaseException:
            if self._stream.state is not None:
                self._ended()
            raise

    async def close(self) -> None:
        try:
            await self._stream.close()
        finally:
            self._ended()

    async def close_with_error(self, error: BaseException) -> None:
        try:
            await self._stream.close_with_error(error)
        finally:
            self._ended()

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return iterate(self)

    def _ended(self) -> None:
        let_go, self._let_go = self._let_go, None
        if let_go is not None:
            let_go()
