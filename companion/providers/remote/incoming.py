"""The answer of a provider as it comes in over the line, and one that came whole."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from companion.dialects import AnswerReader
from companion.errors import EndOfStream, StreamClosed, Unreachable, WireBroken
from companion.model.deltas import Delta
from companion.providers.remote.http import HttpAnswer
from companion.providers.remote.sent import Sent
from companion.providers.remote.text_calls import TextCalls
from companion.stream import Channel
from companion.stream.tasks import Tasks

_AHEAD = 64
"""Deltas that may wait to be read; a reader that is slower than this holds up the provider."""
MOST = 64 << 20
"""Bytes of one streamed answer."""


class Incoming:
    """A DeltaSource over a line. The line is read from the first ``next`` on, by a task that ends with it.

    sent: what the question sent. calls: takes those out of the words that stand there.
    """

    def __init__(self, answer: HttpAnswer, reader: AnswerReader, sent: Sent, calls: TextCalls) -> None:
        self.sent = sent
        self._answer = answer
        self._reader = reader
        self._calls = calls
        self._deltas: Channel[Delta] = Channel(_AHEAD)
        self._tasks = Tasks()
        self._work: asyncio.Task[None] | None = None

    async def next(self) -> Delta:
        if self._work is None and self._deltas.is_open:
            self._work = self._tasks.start(self._read(), name=f"the answer of {self._answer.host}")
        return await self._deltas.receive()

    async def close(self) -> None:
        """Leave the provider; the connection is closed where the answer has not ended."""
        self._deltas.discard(EndOfStream())
        await self._tasks.close()
        await self._answer.close()

    async def _read(self) -> None:
        """Whatever ends it is told to the reader, who would wait for ever else."""
        try:
            await self._read_line()
        except StreamClosed:
            return
        except Exception as error:  # noqa: BLE001 - it is raised by ``next``
            await self._break_off(error)
        else:
            self._deltas.finish()
        finally:
            await self._answer.close()

    async def _break_off(self, error: Exception) -> None:
        with suppress(StreamClosed):
            # What was held back has come, too.
            await self._give(self._calls.end())
        self._deltas.abort(error)

    async def _read_line(self) -> None:
        size = 0
        while piece := await self._piece():
            size += len(piece)
            if size > MOST:
                raise WireBroken(f"{self._answer.host} sends more than {MOST} bytes", retryable=False)
            await self._read_piece(self._reader.feed(piece))
        await self._read_piece(self._reader.end())

    async def _piece(self) -> bytes:
        try:
            return await self._answer.next()
        except (Unreachable, TimeoutError):
            # A line that breaks behind the finish signal takes nothing from the answer.
            if not self._reader.is_finished:
                raise
            return b""

    async def _read_piece(self, deltas: Sequence[Delta]) -> None:
        await self._give(self._calls.read(deltas))
        if self._reader.failure is not None:
            raise self._reader.failure

    async def _give(self, deltas: Sequence[Delta]) -> None:
        for delta in deltas:
            if not self._deltas.send_nowait(delta):
                await self._deltas.send(delta)


class Whole:
    """A DeltaSource of an answer that came whole. sent: what the question sent."""

    def __init__(self, deltas: Sequence[Delta], sent: Sent) -> None:
        self.sent = sent
        self._deltas = list(reversed(deltas))

    async def next(self) -> Delta:
        if not self._deltas:
            raise EndOfStream
        return self._deltas.pop()

    async def close(self) -> None:
        self._deltas.clear()
