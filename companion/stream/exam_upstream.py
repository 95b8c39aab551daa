"""What is asked of a Transformer about its source: by a source that tells what was done to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

from companion.errors import StreamFailed
from companion.stream.channel import StreamBuilder
from companion.stream.chunk import MessageChunk
from companion.stream.contract import State, Status, Stream, Transformer, iterate
from companion.stream.exam import Law, beside, broken, demand, drain, within


@dataclass(frozen=True, slots=True)
class UpstreamExam:
    """What a transformer does to its source."""

    make: Callable[[], Transformer]
    feed: Sequence[MessageChunk]
    deadline: float

    async def bent(self, source: Stream) -> Stream:
        making = self.make().transform(source)
        return await within(self.deadline, Law.ORDER, "transform did not return", making)

    async def is_left_alone_until_read(self) -> None:
        source = _Source(self.feed)
        stream = await self.bent(source)
        for _ in range(3):
            await asyncio.sleep(0)
        demand(source.reads == 0, Law.LAZY, "the source was read before the first next")
        await stream.close()
        demand(source.was_closed.is_set(), Law.CLOSING, "closing an unread stream did not close its source")

    async def feels_closing(self) -> None:
        source = _Source(self.feed)
        stream = await self.bent(source)
        async with beside(drain(stream)) as reader, beside(source.is_waited_for.wait()) as waited:
            either: set[asyncio.Future[object]] = {reader, waited}  # type: ignore[arg-type]
            await asyncio.wait(either, timeout=self.deadline, return_when=asyncio.FIRST_COMPLETED)
            demand(reader.done() or waited.done(), Law.ORDER, "the source was not read on")
            await within(self.deadline, Law.CLOSING, "close did not return", stream.close())
            closed = source.was_closed.wait()
            await within(self.deadline, Law.CLOSING, "close was not felt by the source", closed)
            await within(self.deadline, Law.CLOSING, "a waiting reader was not woken", asyncio.shield(reader))

    async def ends_with_its_source(self, end: State) -> None:
        """However the source ends, so does the stream: all of the feed, or half of it before a failure."""
        is_whole = end.status in {Status.DONE, Status.TRUNCATED}
        source = _Source(self.feed if is_whole else self.feed[: len(self.feed) // 2 + 1])
        source.builder.stream.end_with(end)
        stream = await self.bent(source)
        _, error = await within(
            self.deadline, Law.STICKY, "the end of the source did not end the stream", drain(stream)
        )
        state = stream.state
        if state is None:
            broken(Law.STICKY, "state is None after the end")
        told, expected = str(error), str(end.error())
        demand(state.status is end.status, Law.STICKY, f"the source ended {end.status}, the stream {state.status}")
        demand(state.usage == end.usage, Law.STICKY, f"the source, {end.status}, used {end.usage}, it {state.usage}")
        demand(end.status is not Status.BLOCKED or told == expected, Law.STICKY, f"{expected!r} became {told!r}")
        demand(not isinstance(error, StreamFailed) or error.__cause__ is not None, Law.STICKY, "no cause is told")


class _Source:
    """A source that hands out ``feed`` and then keeps its reader waiting."""

    def __init__(self, feed: Sequence[MessageChunk]) -> None:
        self.reads = 0
        self.is_waited_for = asyncio.Event()
        self.was_closed = asyncio.Event()
        self.builder = StreamBuilder(len(feed) + 1, on_close=self.was_closed.set)
        self._left = len(feed)
        for chunk in feed:
            self.builder.add_nowait(chunk)

    @property
    def state(self) -> State | None:
        return self.builder.stream.state

    async def next(self) -> MessageChunk:
        self.reads += 1
        if self._left == 0:
            self.is_waited_for.set()
        chunk = await self.builder.stream.next()
        self._left -= 1
        return chunk

    async def close(self) -> None:
        await self.builder.stream.close()

    async def close_with_error(self, error: BaseException) -> None:
        await self.builder.stream.close_with_error(error)

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return iterate(self)
