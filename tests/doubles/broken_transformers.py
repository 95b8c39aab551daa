"""Transformers that each break one law, for the examination to find, and two good ones."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace

from companion.errors import EndOfStream, StreamError, StreamInterrupted
from companion.stream import MessageChunk, PulledStream, Stream, StreamBuilder, Text
from companion.stream.contract import State, Status, iterate, state_for
from companion.stream.laws import Law
from companion.stream.tasks import Tasks


def louder(chunk: MessageChunk) -> MessageChunk:
    """The words of a chunk in capitals."""
    return replace(chunk, part=Text(chunk.part.text.upper())) if isinstance(chunk.part, Text) else chunk


class Louder:
    """Good: pulls."""

    law = Law.ORDER

    async def bend(self, source: Stream) -> AsyncGenerator[MessageChunk, None]:
        async for chunk in source:
            yield louder(chunk)

    async def transform(self, source: Stream) -> Stream:
        return PulledStream(self.bend(source), source)


class LouderAhead(Louder):
    """Good: works one chunk ahead, in a task that the first ``next`` starts."""

    async def transform(self, source: Stream) -> Stream:
        return _Ahead(source)


class _Ahead:
    def __init__(self, source: Stream) -> None:
        self.source = source
        self.tasks = Tasks()
        self.builder = StreamBuilder(1)
        self.stream = self.builder.stream
        self.work: asyncio.Task[None] | None = None

    async def pump(self) -> None:
        try:
            async for chunk in self.source:
                await self.builder.add(louder(chunk))
        except StreamError as error:
            self.stream.end_with(self.source.state or state_for(error))
        else:
            self.stream.end_with(self.source.state or state_for(None))

    @property
    def state(self):
        return self.stream.state

    async def next(self) -> MessageChunk:
        if self.work is None and self.state is None:
            self.work = self.tasks.start(self.pump(), name="pump")
        return await self.stream.next()

    async def close(self) -> None:
        await self.stream.close()
        await self.end_work()

    async def close_with_error(self, error: BaseException) -> None:
        await self.stream.close_with_error(error)
        await self.end_work()

    async def end_work(self) -> None:
        await self.source.close()
        await self.tasks.close()

    def __aiter__(self):
        return iterate(self)


class ReadsBeforeItIsRead(Louder):
    law = Law.LAZY

    async def transform(self, source: Stream) -> Stream:
        first = await source.next()

        async def bend() -> AsyncGenerator[MessageChunk, None]:
            yield louder(first)
            async for chunk in source:
                yield louder(chunk)

        return PulledStream(bend(), source)


class MixesItsCalls(Louder):
    """Keeps what belongs to a call in itself."""

    law = Law.MANY_CALLS

    def __init__(self) -> None:
        self.last: MessageChunk | None = None

    async def bend(self, source: Stream) -> AsyncGenerator[MessageChunk, None]:
        async for chunk in source:
            before, self.last = self.last, louder(chunk)
            if before is not None:
                yield before
        assert self.last is not None
        yield self.last
        self.last = None


class OneCallAtATime(Louder):
    law = Law.MANY_CALLS

    def __init__(self) -> None:
        self.lock = asyncio.Lock()

    async def bend(self, source: Stream) -> AsyncGenerator[MessageChunk, None]:
        async with self.lock:
            async for chunk in source:
                yield louder(chunk)


class ClosesEveryCall(Louder):
    law = Law.MANY_CALLS

    def __init__(self) -> None:
        self.sources: list[Stream] = []

    async def transform(self, source: Stream) -> Stream:
        self.sources.append(source)
        return PulledStream(self.bend(source), *self.sources)


class LeavesItsSourceOpen(Louder):
    law = Law.CLOSING

    async def transform(self, source: Stream) -> Stream:
        return PulledStream(self.bend(source))


class HidesFailure(Louder):
    law = Law.STICKY

    async def bend(self, source: Stream) -> AsyncGenerator[MessageChunk, None]:
        while True:
            try:
                chunk = await source.next()
            except StreamError:
                return
            yield louder(chunk)


class SwallowsTheEnd(Louder):
    law = Law.PAIRS

    async def bend(self, source: Stream) -> AsyncGenerator[MessageChunk, None]:
        async for chunk in source:
            if not chunk.is_end:
                yield louder(chunk)


class SwallowsTheBegin(Louder):
    law = Law.PAIRS

    async def bend(self, source: Stream) -> AsyncGenerator[MessageChunk, None]:
        async for chunk in source:
            if not chunk.is_begin:
                yield louder(chunk)


class AddsAnEnd(Louder):
    law = Law.PAIRS

    async def bend(self, source: Stream) -> AsyncGenerator[MessageChunk, None]:
        async for chunk in source:
            yield louder(chunk)
            if chunk.is_end and chunk.part is None:
                yield chunk


class SwallowsTheEndOfAChannel(Louder):
    law = Law.PAIRS

    async def bend(self, source: Stream) -> AsyncGenerator[MessageChunk, None]:
        async for chunk in source:
            if not (chunk.is_end and chunk.part is not None):
                yield louder(chunk)


class CountsNothing(Louder):
    """Ends as its source did, but for the usage."""

    law = Law.STICKY

    async def transform(self, source: Stream) -> Stream:
        async def bend() -> AsyncGenerator[MessageChunk, None]:
            try:
                async for chunk in source:
                    yield louder(chunk)
            finally:
                stream.finish(State(source.state.status if source.state else Status.DONE))

        stream = PulledStream(bend(), source)
        return stream


class CallsItDone(Louder):
    """Hides that a limit cut its source short."""

    law = Law.STICKY

    async def transform(self, source: Stream) -> Stream:
        async def bend() -> AsyncGenerator[MessageChunk, None]:
            async for chunk in source:
                yield louder(chunk)
            assert source.state is not None
            stream.finish(State(Status.DONE, source.state.usage))

        stream = PulledStream(bend(), source)
        return stream


class CallsItBroken(Louder):
    """Makes a failure of an interruption."""

    law = Law.STICKY

    async def bend(self, source: Stream) -> AsyncGenerator[MessageChunk, None]:
        try:
            async for chunk in source:
                yield louder(chunk)
        except StreamInterrupted as error:
            raise RuntimeError("the source has gone") from error


class GivesUpEarly(Louder):
    """Ends normally in the middle of its source: what it opened never ends."""

    law = Law.PAIRS

    async def bend(self, source: Stream) -> AsyncGenerator[MessageChunk, None]:
        yield louder(await source.next())
        try:
            yield louder(await source.next())
        except EndOfStream:
            return


BROKEN_TRANSFORMERS: list[type[Louder]] = [
    ReadsBeforeItIsRead, MixesItsCalls, OneCallAtATime, ClosesEveryCall, LeavesItsSourceOpen, HidesFailure,
    SwallowsTheEnd, SwallowsTheBegin, SwallowsTheEndOfAChannel, AddsAnEnd, GivesUpEarly, CountsNothing, CallsItDone,
    CallsItBroken,
]  # fmt: skip
