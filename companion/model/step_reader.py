"""Reads one answer of a model: deltas in, events and the whole answer out."""

from __future__ import annotations

from typing import assert_never

from companion.model.calls import CallAssembler, CallDelta, CallSoFar, new_call_id
from companion.model.deltas import BlobDelta, Counted, Delta, Finish, Finished, RawDelta, TextDelta, ThoughtDelta
from companion.model.events import (
    Custom,
    Event,
    Raw,
    TextEnd,
    TextStart,
    ThinkingDelta,
    ToolCallArgsDelta,
    ToolCallEnd,
    ToolCallStart,
)
from companion.model.gathered import Gathered, Gatherer
from companion.stream import ToolCall, Usage


class StepReader:
    """One per answer.

    taken: the ids of the calls of this turn, which grow by those of this answer. A call whose id was there before gets
        one of its own, so that no two results go under one.
    """

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        self._gatherer = Gatherer()
        self._assembler = CallAssembler()
        self._calls: list[ToolCall] = []
        self._is_speaking = False

    def feed(self, delta: Delta) -> list[Event]:
        """The events of the next delta.

        Raises:
            InvalidAnswer: a tool call cannot be put together, or there is too much.
        """
        self._gatherer.add(delta)
        match delta:
            case TextDelta(text):
                return self._say(delta) if text else []
            case ThoughtDelta(text, signature, redacted):
                is_empty = not (text or signature or redacted)
                return [] if is_empty else [*self._hush(), ThinkingDelta(text, signature, redacted)]
            case CallDelta():
                return self._call(delta)
            case BlobDelta(blob):
                return [*self._hush(), Custom("blob", blob)]
            case RawDelta(data):
                return [Raw(data)]
            case Counted():
                return []
            case Finished(why):
                return self._finish_calls(is_cut=why is Finish.LENGTH)
            case _:
                assert_never(delta)

    def end(self) -> list[Event]:
        """The events behind the last delta: what is open is closed, and what was counted is told.

        Raises:
            InvalidAnswer: a tool call has no name.
        """
        finished = self._gatherer.finished
        is_cut = finished is None or finished.why is Finish.LENGTH
        closing = [*self._finish_calls(is_cut=is_cut), *self._hush()]
        usage = self.gathered.usage
        return [*closing, usage] if usage != Usage() else closing

    @property
    def gathered(self) -> Gathered:
        """The answer so far, with the calls that were fully received."""
        return self._gatherer.gathered(self._calls)

    def _say(self, delta: TextDelta) -> list[Event]:
        begin: list[Event] = [] if self._is_speaking else [TextStart()]
        self._is_speaking = True
        return [*begin, delta]

    def _hush(self) -> list[Event]:
        end: list[Event] = [TextEnd()] if self._is_speaking else []
        self._is_speaking = False
        return end

    def _call(self, piece: CallDelta) -> list[Event]:
        call = self._assembler.add(piece)
        if call.is_open:
            return [*self._hush(), ToolCallArgsDelta(call.given_id, piece.arguments)] if piece.arguments else []
        return self._open(call, call.text) if call.is_known else []

    def _open(self, call: CallSoFar, arguments: str) -> list[Event]:
        call.given_id = call.id if call.id and call.id not in self._taken else new_call_id()
        call.is_open = True
        self._taken.add(call.given_id)
        begin = ToolCallStart(call.given_id, call.name)
        return [*self._hush(), begin, *([ToolCallArgsDelta(call.given_id, arguments)] if arguments else [])]

    def _finish_calls(self, *, is_cut: bool) -> list[Event]:
        events: list[Event] = []
        for call, is_whole in self._assembler.take_all(is_cut=is_cut):
            if is_whole or call.is_open:
                events += self._hush() if call.is_open else self._open(call, call.text)
                events.append(ToolCallEnd(call.whole(), is_cut=not is_whole))
                self._calls += [call.whole()] if is_whole else []
        return events
