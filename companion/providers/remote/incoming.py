"""The answer of a provider as it comes in over the line."""

from __future__ import annotations

from collections import deque

from companion.dialects import AnswerReader
from companion.errors import EndOfStream, ModelError, StreamBusy, Unreachable, WireBroken
from companion.model.deltas import Delta
from companion.providers.remote.http import HttpAnswer
from companion.providers.remote.teller import Teller
from companion.providers.remote.text_calls import TextCalls

MOST = 64 << 20
"""Bytes of one streamed answer."""


class Incoming:
    """A DeltaSource over a line, read no further than it is asked for: a slow reader holds up the provider.

    calls: takes those out of the words that stand there. teller: tells its errors.
    """

    def __init__(self, answer: HttpAnswer, reader: AnswerReader, calls: TextCalls, teller: Teller) -> None:
        self._answer = answer
        self._reader = reader
        self._calls = calls
        self._teller = teller
        self._deltas: deque[Delta] = deque()
        self._size = 0
        self._end: Exception | None = None
        self._has_reader = False

    async def next(self) -> Delta:
        """The next delta. Cancelling a wait loses nothing.

        Raises:
            EndOfStream: the answer has ended, or this was closed.
            Unreachable, TimeoutError: the line broke, or fell silent.
            ModelError: the answer is malformed, or tells of an error.
            StreamBusy: another reader is waiting.
        """
        if self._has_reader:
            raise StreamBusy("this answer already has a reader")
        self._has_reader = True
        try:
            while not self._deltas:
                if self._end is not None:
                    raise self._end.with_traceback(None)
                await self._read()
        finally:
            self._has_reader = False
        return self._deltas.popleft()

    async def close(self) -> None:
        """Leave the provider; the connection is closed where the answer has not ended."""
        self._end = EndOfStream()
        self._deltas.clear()
        await self._answer.close()

    async def _read(self) -> None:
        """Take one piece of the line, or find out how it ends."""
        try:
            piece = await self._answer.next()
        except (Unreachable, TimeoutError) as error:
            # A line that breaks behind the finish signal takes nothing from the answer.
            self._finish(None if self._reader.is_finished else error)
            return
        if self._end is None:
            self._take(piece)

    def _take(self, piece: bytes) -> None:
        self._size += len(piece)
        try:
            if self._size > MOST:
                raise WireBroken(f"{self._answer.host} sends more than {MOST} bytes", retryable=False)
            deltas = self._reader.feed(piece) if piece else self._reader.end()
        except ModelError as error:
            self._finish(self._teller.told(error))
            return
        self._deltas.extend(self._teller.deltas(self._calls.read(deltas)))
        failure = self._reader.failure
        if failure is not None or not piece:
            self._finish(self._teller.told(failure) if failure is not None else None)

    def _finish(self, error: Exception | None) -> None:
        """Nothing more comes; what was held back has come, too."""
        if self._end is None:
            self._deltas.extend(self._calls.end())
            self._end = error or EndOfStream()
