"""What ``stream_cost.py`` measures: stages that pass everything on, and two rivals without laws."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Sequence
from itertools import pairwise
from typing import Any

from companion.errors import EndOfStream, StreamClosed, StreamError
from companion.stream import MessageChunk, PulledStream, State, Stream, StreamBuilder, stream_of
from companion.stream.tasks import Tasks

Stage = Callable[[Stream], Stream]
Measure = Callable[[int, Sequence[MessageChunk]], Coroutine[Any, Any, float]]
"""Seconds of CPU for all the chunks through a number of stages."""


def looping(source: Stream) -> Stream:
    async def bend() -> AsyncGenerator[MessageChunk, None]:
        async for chunk in source:
            yield chunk

    return PulledStream(bend(), source)


def pulling(source: Stream) -> Stream:
    async def bend() -> AsyncGenerator[MessageChunk, None]:
        while True:
            try:
                chunk = await source.next()
            except EndOfStream:
                return
            yield chunk

    return PulledStream(bend(), source)


class Buffering:
    """Works ahead of its reader, in a task, by up to 64 chunks."""

    def __init__(self, source: Stream) -> None:
        self._source = source
        self._builder = StreamBuilder()
        self._stream = self._builder.stream
        self._tasks = Tasks()
        self._is_started = False

    @property
    def state(self) -> State | None:
        return self._stream.state

    def next(self) -> Coroutine[Any, Any, MessageChunk]:
        self._start()
        return self._stream.next()

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        self._start()
        return aiter(self._stream)

    def _start(self) -> None:
        if not self._is_started and self.state is None:
            self._is_started = True
            self._tasks.start(self._pump(), name="pump")

    async def _pump(self) -> None:
        with contextlib.suppress(StreamClosed):
            try:
                async for chunk in self._source:
                    await self._builder.add(chunk)
            except StreamError as error:
                self._builder.abort(error)
            self._builder.done()

    async def close(self) -> None:
        await self._stream.close()
        await self._end()

    async def close_with_error(self, error: BaseException) -> None:
        await self._stream.close_with_error(error)
        await self._end()

    async def _end(self) -> None:
        await self._source.close()
        await self._tasks.close()


async def through(stage: Stage, stages: int, chunks: Sequence[MessageChunk]) -> float:
    stream: Stream = stream_of(chunks)
    for _ in range(stages):
        stream = stage(stream)
    began = time.process_time()
    heard = [chunk async for chunk in stream]
    took = time.process_time() - began
    assert heard == list(chunks), "chunks were lost or reordered"
    await stream.close()
    return took


# What there is to compare with: no laws at all, and the queue of the standard library.


async def through_bare_generators(stages: int, chunks: Sequence[MessageChunk]) -> float:
    async def replay() -> AsyncGenerator[MessageChunk, None]:
        for chunk in chunks:
            yield chunk

    async def bend(source: AsyncGenerator[MessageChunk, None]) -> AsyncGenerator[MessageChunk, None]:
        async for chunk in source:
            yield chunk

    stream = replay()
    for _ in range(stages):
        stream = bend(stream)
    began = time.process_time()
    heard = [chunk async for chunk in stream]
    took = time.process_time() - began
    assert heard == list(chunks)
    return took


async def through_queues(stages: int, chunks: Sequence[MessageChunk]) -> float:
    async def pump(source: asyncio.Queue[MessageChunk | None], sink: asyncio.Queue[MessageChunk | None]) -> None:
        while (chunk := await source.get()) is not None:
            await sink.put(chunk)
        await sink.put(None)

    async def feed(sink: asyncio.Queue[MessageChunk | None]) -> None:
        for chunk in (*chunks, None):
            await sink.put(chunk)

    queues: list[asyncio.Queue[MessageChunk | None]] = [asyncio.Queue(64) for _ in range(stages + 1)]
    heard = []
    began = time.process_time()
    async with asyncio.TaskGroup() as group:
        group.create_task(feed(queues[0]))
        for source, sink in pairwise(queues):
            group.create_task(pump(source, sink))
        while (chunk := await queues[-1].get()) is not None:
            heard.append(chunk)
    took = time.process_time() - began
    assert heard == list(chunks)
    return took
