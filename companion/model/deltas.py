"""From what a provider sends, piece by piece, to the Stream of an answer.

A dialect reads its wire into deltas; ``answer_of`` makes the Stream. Its laws:

1. An answer ends by a finish signal. One that ends without, or says nothing for too long before, has failed; its
   route is ended with the error first.
2. Behind the finish signal a provider is waited for so long in all, whatever it still sends.
3. A tool call that was fully received is delivered, whatever the finish signal says. Where the answer was cut, that
   is one whose arguments are JSON.
4. What is counted counts, before the finish signal or behind it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, assert_never

from companion.errors import EndOfStream, ModelDied, StreamBlocked, is_retryable, one_line
from companion.model.calls import CallAssembler, CallDelta
from companion.model.options import JsonValue
from companion.stream import (
    Blob,
    MessageChunk,
    Part,
    PulledStream,
    Role,
    State,
    Status,
    StreamCtrl,
    Text,
    ToolCall,
    Usage,
    begin_of_stream,
    end_of_stream,
    new_stream_id,
)

SILENCE = 60.0
"""Seconds a provider may say nothing before it has finished."""
TRAILING = 5.0
"""Seconds it is waited for after that; the counts come then, if they come."""


class Finish(StrEnum):
    """Why a model says it has finished."""

    STOP = "stop"
    TOOL_CALLS = "tool_calls"
    LENGTH = "length"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More words."""

    text: str


@dataclass(frozen=True, slots=True)
class ThoughtDelta:
    """More of a thought, or its signature, or a thought that only its provider can read.

    A signature belongs to the thought so far; what comes behind it is another thought.
    """

    text: str = ""
    signature: str = ""
    redacted: str = ""


@dataclass(frozen=True, slots=True)
class BlobDelta:
    """A picture or sound that the model made, whole or the next piece."""

    blob: Blob


@dataclass(frozen=True, slots=True)
class RawDelta:
    """Something a provider sends that has no other name here, as it is."""

    data: JsonValue


@dataclass(frozen=True, slots=True)
class Counted:
    """Tokens so far, of the whole answer; 0 where it says nothing."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class Finished:
    """The finish signal.

    reason: in the provider's word.
    """

    why: Finish
    refusal: str = ""
    reason: str = ""


Delta = TextDelta | ThoughtDelta | CallDelta | BlobDelta | RawDelta | Counted | Finished


class DeltaSource(Protocol):
    """One answer as it comes in."""

    async def next(self) -> Delta:
        """The next delta.

        Raises:
            EndOfStream: the provider has closed, or this was closed.
            ModelError: the provider says that it failed.
        """

    async def close(self) -> None:
        """Leave the provider. Wakes a waiting ``next``; idempotent, never raises."""


def answer_of(source: DeltaSource, *, silence: float = SILENCE, trailing: float = TRAILING) -> PulledStream:
    """The Stream of the answer.

    silence: seconds of waiting before the finish signal in which nothing new comes.
    trailing: seconds of waiting behind it in all.

    It fails with ModelDied where the finish signal is missing, with TimeoutError where it did not come in time, and
    with InvalidAnswer where a tool call cannot be put together.
    """
    answer = _Answer(source, silence, trailing)
    stream: PulledStream = PulledStream(answer.chunks(lambda state: stream.finish(state)), source)
    return stream


def broken_off(route: str, error: Exception) -> MessageChunk:
    """The end of an answer's route where ``error`` ended it."""
    ctrl = StreamCtrl(route, error=one_line(error), error_retryable=is_retryable(error), end_of_stream=True)
    return MessageChunk(role=Role.MODEL, ctrl=ctrl)


class PatientReader:
    """Reads a source to its end, and waits for it no longer than a provider may be waited for.

    silence, trailing: as for ``answer_of``.
    usage: what is counted so far. finished: the newest finish signal.
    """

    def __init__(self, source: DeltaSource, silence: float = SILENCE, trailing: float = TRAILING) -> None:
        self._source = source
        self._silence = silence
        self._trailing = trailing
        self._left = silence
        """Seconds it may still be waited for; a slow reader does not use them up."""
        self.usage = Usage()
        self.finished: Finished | None = None

    async def next(self) -> Delta | None:
        """The next delta; None at the end.

        Raises:
            TimeoutError: nothing came for too long before the finish signal.
            ModelError: as the source.
        """
        try:
            delta = await self._waited_for()
        except EndOfStream:
            return None
        except TimeoutError as error:
            if self.finished is not None:
                return None
            raise TimeoutError(f"the model said nothing for {self._silence:g} s") from error
        if self.finished is None and self._is_new(delta):
            self._left = self._silence
        self._note(delta)
        return delta

    def state(self) -> State:
        """How it ended.

        Raises:
            ModelDied: it ended without a finish signal.
        """
        match self.finished:
            case None:
                raise ModelDied("the answer ended without a finish signal", mend="ask again", retryable=True)
            case Finished(Finish.REFUSED, refusal):
                return State(Status.BLOCKED, self.usage, StreamBlocked(refusal or "no reason given"))
            case Finished(Finish.LENGTH):
                return State(Status.TRUNCATED, self.usage)
            case Finished():
                return State(Status.DONE, self.usage)

    async def _waited_for(self) -> Delta:
        if self._left <= 0:
            raise TimeoutError
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            async with asyncio.timeout(self._left):
                return await self._source.next()
        finally:
            self._left -= clock() - began

    def _note(self, delta: Delta) -> None:
        match delta:
            case Counted(usage):
                self.usage = self.usage.most(usage)
            case Finished():
                self._left = self._trailing if self.finished is None else self._left
                self.finished = delta

    def _is_new(self, delta: Delta) -> bool:
        """Whether it says something; some providers send empty pieces to keep a line open."""
        match delta:
            case TextDelta(text):
                return bool(text)
            case ThoughtDelta(text, signature, redacted):
                return bool(text or signature or redacted)
            case CallDelta(_, id, name, arguments):
                return bool(id or name or arguments)
            case BlobDelta():
                return True
            case RawDelta():
                return False
            case Counted(usage):
                return self.usage.most(usage) != self.usage
            case Finished():
                return True
            case _:
                assert_never(delta)


class _Answer:
    def __init__(self, source: DeltaSource, silence: float, trailing: float) -> None:
        self._reader = PatientReader(source, silence, trailing)
        self._route = new_stream_id()
        self._calls = CallAssembler()

    async def chunks(self, finish: Callable[[State], None]) -> AsyncGenerator[MessageChunk, None]:
        yield begin_of_stream(self._route, role=Role.MODEL)
        try:
            async with aclosing(self._said()) as said:
                async for chunk in said:
                    yield chunk
            state = self._reader.state()
        except Exception as error:
            yield broken_off(self._route, error)
            raise
        yield end_of_stream(self._route, role=Role.MODEL)
        finish(state)

    async def _said(self) -> AsyncGenerator[MessageChunk, None]:
        """What is between the begin and the end."""
        has_words = False
        while (delta := await self._reader.next()) is not None:
            for chunk in self._chunks_of(delta):
                has_words = has_words or isinstance(chunk.part, Text)
                yield chunk
        for call in self._calls.take(is_cut=self._reader.state().status is Status.TRUNCATED):
            yield self._chunk(tool_call=call)
        if has_words:
            yield end_of_stream(self._route, role=Role.MODEL, part=Text(""))

    def _chunks_of(self, delta: Delta) -> list[MessageChunk]:
        """What is to be given on of it. Thoughts are not said."""
        match delta:
            case TextDelta(text):
                return [self._chunk(part=Text(text))] if text else []
            case BlobDelta(blob):
                return [self._chunk(part=blob)]
            case CallDelta():
                self._calls.add(delta)
            case Finished(why):
                return [self._chunk(tool_call=call) for call in self._calls.take(is_cut=why is Finish.LENGTH)]
            case Counted() | ThoughtDelta() | RawDelta():
                pass
            case _:
                assert_never(delta)
        return []

    def _chunk(self, *, part: Part | None = None, tool_call: ToolCall | None = None) -> MessageChunk:
        return MessageChunk(role=Role.MODEL, part=part, tool_call=tool_call, ctrl=StreamCtrl(self._route))
