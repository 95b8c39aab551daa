"""Streams that each break one law, for the examination to find."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Sequence

from doubles.trickle import Trickle

from companion.errors import StreamFailed, StreamInterrupted
from companion.stream import MessageChunk, State, Status
from companion.stream.laws import Law


class LosesTheLast(Trickle):
    law = Law.ORDER

    def __init__(self, chunks: Sequence[MessageChunk]) -> None:
        super().__init__([*chunks[:-2], chunks[-1]])


class SwapsTwo(Trickle):
    law = Law.ORDER

    def __init__(self, chunks: Sequence[MessageChunk]) -> None:
        super().__init__([chunks[0], chunks[2], chunks[1], *chunks[3:]])


class NeverEnds(Trickle):
    law = Law.ORDER

    async def feed(self) -> None:
        for chunk in self.chunks:
            await self.builder.add(chunk)


class EndsByFailure(Trickle):
    law = Law.ORDER

    async def feed(self) -> None:
        self.builder.abort(OSError("broken pipe"))


class QueuesReaders(Trickle):
    law = Law.ONE_READER

    def __init__(self, chunks: Sequence[MessageChunk]) -> None:
        super().__init__(chunks)
        self.turn = asyncio.Lock()

    async def next(self) -> MessageChunk:
        async with self.turn:
            return await super().next()


class RefusesWithTheWrongError(Trickle):
    law = Law.ONE_READER
    reading = False

    async def next(self) -> MessageChunk:
        if self.reading:
            raise StreamFailed("somebody reads already")
        self.reading = True
        try:
            return await super().next()
        finally:
            self.reading = False


class HidesACancelledRead(Trickle):
    """What an async generator does by itself: the exception kills it, and it looks finished."""

    law = Law.ORDER
    killed = False

    async def next(self) -> MessageChunk:
        if self.killed:
            self.builder.stream.end_with(State(Status.DONE))
        try:
            return await super().next()
        except asyncio.CancelledError:
            self.killed = True
            self.stop()
            self.builder.stream._channel._items.clear()
            raise


class NeverEndsItsRoute(Trickle):
    law = Law.PAIRS

    def __init__(self, chunks: Sequence[MessageChunk]) -> None:
        super().__init__(chunks[:-1])


class BeginsTwice(Trickle):
    law = Law.PAIRS

    def __init__(self, chunks: Sequence[MessageChunk]) -> None:
        super().__init__([chunks[0], *chunks])


class SpeaksAfterTheEnd(Trickle):
    law = Law.PAIRS

    def __init__(self, chunks: Sequence[MessageChunk]) -> None:
        super().__init__([*chunks, chunks[1]])


class RaisesOnClose(Trickle):
    law = Law.CLOSING

    async def close(self) -> None:
        await super().close()
        raise OSError("cannot close")


class RaisesOnTheSecondClose(Trickle):
    law = Law.CLOSING
    closed = False

    async def close(self) -> None:
        if self.closed:
            raise OSError("closed already")
        self.closed = True
        await super().close()


class LeavesItsWorkRunning(Trickle):
    law = Law.CLOSING

    async def feed(self) -> None:
        await super().feed()
        await asyncio.sleep(3600)

    def stop(self) -> None:
        """Forgets its task."""


class WakesNobody(Trickle):
    law = Law.CLOSING

    async def next(self) -> MessageChunk:
        open_before = self.state is None
        try:
            return await super().next()
        finally:
            if open_before and self.state is not None and self.state.status is Status.INTERRUPTED:
                await asyncio.sleep(3600)


class NeverReturnsFromClose(Trickle):
    law = Law.CLOSING

    async def close(self) -> None:
        await asyncio.sleep(3600)


class LosesTheCause(Trickle):
    law = Law.CLOSING

    async def close_with_error(self, error: BaseException) -> None:
        await self.close()


class KeepsNoState(Trickle):
    law = Law.STICKY

    @property
    def state(self) -> State | None:
        return None


class SaysTheEndTooEarly(Trickle):
    law = Law.STICKY

    @property
    def state(self) -> State | None:
        return State(Status.DONE)


class ChangesItsEnd(Trickle):
    law = Law.STICKY

    async def close(self) -> None:
        await super().close()
        self.builder.stream._state = State(Status.INTERRUPTED)


class RaisesSomethingElse(Trickle):
    law = Law.STICKY

    async def next(self) -> MessageChunk:
        if self.state is not None:
            raise KeyError("no more")
        return await super().next()


class HidesTheCause(Trickle):
    """What ``raise ... from None`` does."""

    law = Law.STICKY

    async def next(self) -> MessageChunk:
        try:
            return await super().next()
        except StreamFailed as error:
            error.__cause__ = None
            raise


class StartsOver(Trickle):
    law = Law.STICKY

    async def next(self) -> MessageChunk:
        if self.state is not None:
            return self.chunks[0] if not self.builder.is_open and self.take_one() else await super().next()
        return await super().next()

    def take_one(self) -> bool:
        self.taken = getattr(self, "taken", 0) + 1
        return self.taken == 1


class LoopsWithoutItsFirst(Trickle):
    law = Law.ORDER

    async def loop(self) -> AsyncGenerator[MessageChunk, None]:
        await self.next()
        async for chunk in super().__aiter__():
            yield chunk

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return self.loop()


class EndsItsLoopWhenClosed(Trickle):
    """What a loop over the bare generator of a closed stream does."""

    law = Law.CLOSING

    async def loop(self) -> AsyncGenerator[MessageChunk, None]:
        with contextlib.suppress(StreamInterrupted):
            async for chunk in super().__aiter__():
                yield chunk

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return self.loop()


BROKEN_STREAMS: list[type[Trickle]] = [
    LosesTheLast, SwapsTwo, NeverEnds, EndsByFailure, QueuesReaders, RefusesWithTheWrongError, HidesACancelledRead,
    NeverEndsItsRoute, BeginsTwice, SpeaksAfterTheEnd, RaisesOnClose, RaisesOnTheSecondClose, LeavesItsWorkRunning,
    WakesNobody, NeverReturnsFromClose, LosesTheCause, KeepsNoState, SaysTheEndTooEarly, ChangesItsEnd,
    RaisesSomethingElse, HidesTheCause, StartsOver, LoopsWithoutItsFirst, EndsItsLoopWhenClosed,
]  # fmt: skip
