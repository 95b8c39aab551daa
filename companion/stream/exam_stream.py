"""What is asked of a Stream: by reading, closing, cancelling and interleaving fresh ones."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from companion.errors import (
    EndOfStream,
    LawBroken,
    RouteError,
    StreamBusy,
    StreamError,
    StreamFailed,
    StreamInterrupted,
)
from companion.stream.chunk import MessageChunk
from companion.stream.contract import State, Status, Stream, iterate
from companion.stream.exam import Law, beside, broken, demand, drain, same, within
from companion.stream.lifecycle import Routes

T = TypeVar("T")
MakeStream = Callable[[], Awaitable[Stream]]


@dataclass(frozen=True, slots=True)
class StreamExam:
    make: MakeStream
    deadline: float

    async def left_clean(self, question: Awaitable[T]) -> T:
        """Answer one question, and see that nothing is left running after it."""
        before = asyncio.all_tasks()
        answer = await question
        if left := asyncio.all_tasks() - before:
            _, running = await asyncio.wait(left, timeout=self.deadline)
            names = ", ".join(sorted(task.get_name() for task in running))
            demand(not running, Law.CLOSING, f"tasks still run after the stream: {names}")
        return answer

    async def read(self, stream: Stream, law: Law = Law.ORDER) -> tuple[list[MessageChunk], StreamError]:
        return await within(self.deadline, law, "the stream did not come to its end", drain(stream))

    async def opened(self, already: int = 0) -> tuple[Stream, list[MessageChunk]]:
        """A fresh stream of which ``already`` chunks are read."""
        stream = await within(self.deadline, Law.ORDER, "no stream was made", self.make())
        read: list[MessageChunk] = []
        for _ in range(already):
            demand(stream.state is None, Law.STICKY, "state is set while chunks still come")
            read.append(await within(self.deadline, Law.ORDER, "no chunk came", stream.next()))
        return stream, read

    async def reads_whole(self, expect: Sequence[MessageChunk] | None) -> list[MessageChunk]:
        stream, _ = await self.opened()
        demand(stream.state is None, Law.STICKY, "state is set before the first next")
        whole, end = await self.read(stream)
        if not isinstance(end, EndOfStream):
            raise LawBroken(f"{Law.ORDER.value}: the stream did not end normally: {end}") from end
        _pair_up(whole)
        demand(expect is None or same(whole, expect), Law.ORDER, "other chunks came than were sent")
        await self.ends_for_good(stream, EndOfStream)
        return whole

    async def ends_for_good(self, stream: Stream, kind: type[StreamError]) -> None:
        """Whatever is done to a stream that has ended, its end stays what it was."""
        state = stream.state
        if state is None:
            broken(Law.STICKY, "state is None after the end")
        for disturb in (stream.close, stream.close, lambda: stream.close_with_error(ValueError("too late"))):
            await self.close(disturb())
            more, end = await self.read(stream, Law.STICKY)
            demand(not more, Law.STICKY, "chunks came after the end")
            demand(isinstance(end, kind), Law.STICKY, f"next raised {end!r} after the end, not {kind.__name__}")
            demand(stream.state == state, Law.STICKY, f"state changed from {state} to {stream.state}")
        looped = [chunk async for chunk in iterate(stream)] if kind is EndOfStream else []
        demand(not looped, Law.STICKY, "a loop over an ended stream got chunks")

    async def close(self, closing: Awaitable[None]) -> None:
        try:
            await within(self.deadline, Law.CLOSING, "close did not return", closing)
        except LawBroken:
            raise
        except Exception as error:
            raise LawBroken(f"{Law.CLOSING.value}: close raised {error!r}") from error

    async def closes(self, already: int, cause: Exception | None) -> None:
        stream, _ = await self.opened(already)
        await self.close(stream.close() if cause is None else stream.close_with_error(cause))
        _demand_state(stream.state, Status.INTERRUPTED if cause is None else Status.ERROR, cause)
        await self.ends_for_good(stream, StreamInterrupted if cause is None else StreamFailed)
        _, end = await self.read(stream)
        demand(cause is None or end.__cause__ is cause, Law.STICKY, f"next raised {end!r} without its cause")

    async def has_one_reader(self) -> None:
        stream, _ = await self.opened()
        try:
            while True:
                async with beside(stream.next()) as first:
                    if not first.done():
                        await self.refuses_second(stream)
                    await within(self.deadline, Law.ONE_READER, "the first reader got nothing", asyncio.shield(first))
        except EndOfStream:
            return

    async def refuses_second(self, stream: Stream) -> None:
        try:
            await within(self.deadline, Law.ONE_READER, "a second reader was not refused", stream.next())
        except StreamBusy:
            return
        except StreamError as error:
            raise LawBroken(f"{Law.ONE_READER.value}: a second reader got {error!r}, not StreamBusy") from error
        broken(Law.ONE_READER, "a second reader was served while the first was waiting")

    async def loops(self, whole: Sequence[MessageChunk]) -> None:
        """A loop over the stream gets what ``next`` got."""
        stream, _ = await self.opened()
        looped = await within(self.deadline, Law.ORDER, "a loop did not come to its end", _looped(stream))
        demand(same(looped, whole), Law.ORDER, "a loop got other chunks than next")
        demand(stream.state is not None, Law.STICKY, "state is None after a loop")

    async def closes_in_a_loop(self, already: int) -> None:
        """Close between two rounds of a loop: that is no normal end."""
        stream, _ = await self.opened(already)
        loop = aiter(stream)
        await self.close(stream.close())
        try:
            await within(self.deadline, Law.CLOSING, "a loop did not end with its stream", anext(loop))
        except StreamInterrupted:
            return
        except StopAsyncIteration:
            broken(Law.CLOSING, "a loop over a closed stream ended as if it had read all of it")
        broken(Law.CLOSING, "a loop got a chunk after close")

    async def wakes_its_reader(self, turns: int) -> None:
        """Close while a reader waits, after ``turns`` turns of the event loop."""
        stream, _ = await self.opened()
        async with beside(drain(stream)) as reader:
            for _ in range(turns):
                await asyncio.sleep(0)
            await self.close(stream.close())
            closed = stream.state
            _, end = await within(
                self.deadline, Law.CLOSING, "a waiting reader was not woken by close", asyncio.shield(reader)
            )
        demand(closed is not None, Law.CLOSING, "state is None after close")
        demand(stream.state == closed, Law.STICKY, f"state changed from {closed} to {stream.state}")
        interrupted = closed is not None and closed.status is Status.INTERRUPTED
        expected = StreamInterrupted if interrupted else EndOfStream
        demand(isinstance(end, expected), Law.CLOSING, f"the woken reader got {end!r}, not {expected.__name__}")

    async def stands_cancellation(self, already: int, whole: Sequence[MessageChunk]) -> None:
        stream, read = await self.opened(already)
        async with beside(stream.next()) as waiting:
            if waiting.done():
                read.append(waiting.result())
        rest, end = await self.read(stream)
        lost = not same([*read, *rest], whole)
        demand(isinstance(end, StreamInterrupted) or not lost, Law.ORDER, "a cancelled next lost chunks and hid it")
        await self.close(stream.close())

    async def serves_two(self, whole: Sequence[MessageChunk]) -> None:
        """Two calls of one transformer, read in turns."""
        (one, _), (other, _) = await self.opened(), await self.opened()
        heard: list[list[MessageChunk]] = [[], []]
        for _ in whole:
            for stream, chunks in zip((one, other), heard, strict=True):
                chunks.append(await within(self.deadline, Law.MANY_CALLS, "a call waits for another", stream.next()))
        for stream, chunks in zip((one, other), heard, strict=True):
            await self.is_whole(stream, chunks, whole, "two calls at once mixed their chunks")

    async def serves_one_while_another_closes(self, whole: Sequence[MessageChunk]) -> None:
        for first_closes in (True, False):
            (one, heard), (other, other_heard) = await self.opened(len(whole) // 2), await self.opened(len(whole) // 2)
            await self.close(one.close() if first_closes else other.close())
            left, left_heard = (other, other_heard) if first_closes else (one, heard)
            await self.is_whole(left, left_heard, whole, "closing one call changed another")

    async def serves_one_while_another_is_cancelled(self, whole: Sequence[MessageChunk]) -> None:
        (one, _), (other, heard) = await self.opened(), await self.opened(len(whole) // 2)
        async with beside(drain(one)):
            pass
        await self.is_whole(other, heard, whole, "cancelling one call changed another")
        await self.close(one.close())

    async def is_whole(
        self, stream: Stream, heard: Sequence[MessageChunk], whole: Sequence[MessageChunk], why: str
    ) -> None:
        rest, end = await self.read(stream, Law.MANY_CALLS)
        demand(isinstance(end, EndOfStream) and same([*heard, *rest], whole), Law.MANY_CALLS, why)
        await self.close(stream.close())


async def _looped(stream: Stream) -> list[MessageChunk]:
    return [chunk async for chunk in stream]


def _demand_state(state: State | None, status: Status, cause: Exception | None) -> None:
    if state is None:
        broken(Law.CLOSING, "state is None after close")
    demand(state.status is status, Law.CLOSING, f"the state after close is {state.status.value}, not {status.value}")
    demand(state.cause is cause, Law.CLOSING, "close_with_error lost its cause")


def _pair_up(chunks: Sequence[MessageChunk]) -> None:
    routes = Routes()
    try:
        for chunk in chunks:
            routes.accept(chunk)
    except RouteError as error:
        raise LawBroken(f"{Law.PAIRS.value}: {error}") from error
    unended = [route for route in routes.open_routes if route]
    demand(not unended, Law.PAIRS, f"never ended: {', '.join(unended)}")
