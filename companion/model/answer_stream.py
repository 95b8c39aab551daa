"""From what a provider sends, piece by piece, to the Stream of an answer.

Its laws:

1. An answer ends by a finish signal. One that ends without, or says nothing for too long before, has failed; its
   route is ended with the error first.
2. Behind the finish signal a provider is waited for so long in all, whatever it still sends.
3. A tool call that was fully received is delivered, whatever the finish signal says. Where the answer was cut, that
   is one whose arguments are JSON.
4. What is counted counts, before the finish signal or behind it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import assert_never

from companion.errors import is_retryable, one_line
from companion.model.calls import CallAssembler, CallDelta
from companion.model.deltas import (
    BlobDelta,
    Counted,
    Delta,
    DeltaSource,
    Finish,
    Finished,
    RawDelta,
    TextDelta,
    ThoughtDelta,
)
from companion.model.patient import SILENCE, TRAILING, PatientReader
from companion.stream import (
    MessageChunk,
    Part,
    PulledStream,
    Role,
    State,
    Status,
    StreamCtrl,
    Text,
    ToolCall,
    begin_of_stream,
    end_of_stream,
    new_stream_id,
)


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
