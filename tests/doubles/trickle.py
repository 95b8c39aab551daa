"""A good stream whose chunks come one turn of the event loop apart, made by a task of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from companion.stream import MessageChunk, State, Stream, StreamBuilder
from companion.stream.contract import iterate
from companion.stream.tasks import Tasks


class Trickle:
    """Serves ``chunks``, then ends normally."""

    def __init__(self, chunks: Sequence[MessageChunk]) -> None:
        self.chunks = chunks
        self.tasks = Tasks()
        self.builder = StreamBuilder(1, on_close=self.stop)
        self.work: asyncio.Task[None] | None = None

    @property
    def state(self) -> State | None:
        return self.builder.stream.state

    async def feed(self) -> None:
        for chunk in self.chunks:
            await asyncio.sleep(0)
            await self.builder.add(chunk)
        self.builder.done()

    def stop(self) -> None:
        if self.work is not None:
            self.work.cancel()

    async def next(self) -> MessageChunk:
        if self.work is None and self.state is None:
            self.work = self.tasks.start(self.feed(), name="trickle")
        return await self.builder.stream.next()

    async def close(self) -> None:
        await self.builder.stream.close()

    async def close_with_error(self, error: BaseException) -> None:
        await self.builder.stream.close_with_error(error)

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return iterate(self)


async def read_all(stream: Stream) -> list[MessageChunk]:
    """Every chunk until the normal end."""
    return [chunk async for chunk in stream]
