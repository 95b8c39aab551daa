"""The order of a turn's events, as a machine anybody may hold a stream of them against.

::

    ResponseStart (StepStart (text | thought | call)* Usage? StepEnd ToolResult*)+ ResponseEnd
    text    = TextStart TextDelta* TextEnd
    thought = ThinkingDelta
    call    = ToolCallStart ToolCallArgsDelta* ToolCallEnd

Several calls may be open side by side; words may not. Every call but one that was cut is answered by one ToolResult,
in the order of the calls, before the next step; behind the last step only as far as anybody answers them. Raw and
Custom stand anywhere between the first and the last. So does Error, behind which only ResponseEnd may come; what is
open then stays open. A turn whose reader leaves ends anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import assert_never

from companion.errors import LawBroken
from companion.model.events import (
    Custom,
    Error,
    Event,
    Raw,
    ResponseEnd,
    ResponseStart,
    StepEnd,
    StepStart,
    TextDelta,
    TextEnd,
    TextStart,
    ThinkingDelta,
    ToolCallArgsDelta,
    ToolCallEnd,
    ToolCallStart,
    ToolResult,
    Usage,
)


class _At(Enum):
    """Where a turn is."""

    NOWHERE = auto()
    BEGINNING = auto()
    STEP = auto()
    TEXT = auto()
    COUNTED = auto()
    BETWEEN = auto()
    FAILED = auto()
    END = auto()


class EventOrder:
    """Follows one turn."""

    def __init__(self) -> None:
        self._at = _At.NOWHERE
        self._step = 0
        self._open: dict[str, str] = {}
        self._unanswered: list[str] = []
        self._seen: set[str] = set()

    @classmethod
    def check(cls, events: Iterable[Event], *, is_whole: bool = True) -> None:
        """Check the events of a turn; ``is_whole``: its reader stayed to the end.

        Raises:
            LawBroken: naming the event and its place.
        """
        order = cls()
        for place, event in enumerate(events):
            try:
                order.accept(event)
            except LawBroken as error:
                raise LawBroken(f"event {place}: {error}") from error
        if is_whole:
            order.end()

    def accept(self, event: Event) -> None:
        """Take the next event.

        Raises:
            LawBroken: it may not come here.
        """
        match event:
            case ResponseStart():
                self._go(event, {_At.NOWHERE}, _At.BEGINNING)
            case ResponseEnd():
                self._go(event, {_At.BETWEEN, _At.FAILED}, _At.END)
            case Error():
                self._go(event, set(_At) - {_At.NOWHERE, _At.FAILED, _At.END}, _At.FAILED)
            case Raw() | Custom():
                self._demand(event, self._at not in (_At.NOWHERE, _At.FAILED, _At.END))
            case StepStart() | StepEnd() | Usage() | ToolResult():
                self._accept_of_turn(event)
            case TextStart() | TextDelta() | TextEnd() | ThinkingDelta():
                self._accept_words(event)
            case ToolCallStart() | ToolCallArgsDelta() | ToolCallEnd():
                self._accept_call(event)
            case _:
                assert_never(event)

    def end(self) -> None:
        """No more events come.

        Raises:
            LawBroken: the turn is not over.
        """
        if self._at is not _At.END:
            raise LawBroken("the events stopped before ResponseEnd")

    def _accept_of_turn(self, event: StepStart | StepEnd | Usage | ToolResult) -> None:
        match event:
            case StepStart(step):
                self._demand(event, step == self._step + 1 and not self._unanswered)
                self._go(event, {_At.BEGINNING, _At.BETWEEN}, _At.STEP)
                self._step = step
            case Usage():
                self._go(event, {_At.STEP}, _At.COUNTED)
                self._demand(event, not self._open)
            case StepEnd(step):
                self._go(event, {_At.STEP, _At.COUNTED}, _At.BETWEEN)
                self._demand(event, step == self._step and not self._open)
            case ToolResult(id):
                self._demand(event, self._at is _At.BETWEEN and id in self._unanswered[:1])
                self._unanswered.pop(0)

    def _accept_words(self, event: TextStart | TextDelta | TextEnd | ThinkingDelta) -> None:
        match event:
            case TextStart():
                self._go(event, {_At.STEP}, _At.TEXT)
            case TextDelta():
                self._demand(event, self._at is _At.TEXT)
            case TextEnd():
                self._go(event, {_At.TEXT}, _At.STEP)
            case ThinkingDelta():
                self._demand(event, self._at is _At.STEP)

    def _accept_call(self, event: ToolCallStart | ToolCallArgsDelta | ToolCallEnd) -> None:
        self._demand(event, self._at is _At.STEP)
        match event:
            case ToolCallStart(id):
                self._demand(event, bool(id) and id not in self._seen)
                self._seen.add(id)
                self._open[id] = ""
            case ToolCallArgsDelta(id, arguments):
                self._demand(event, id in self._open)
                self._open[id] += arguments
            case ToolCallEnd(call, is_cut):
                self._demand(event, call.id in self._open)
                self._demand(event, self._open.pop(call.id).strip() in (call.func_call.arguments, ""))
                self._unanswered += [] if is_cut else [call.id]

    def _go(self, event: Event, places: set[_At], to: _At) -> None:
        self._demand(event, self._at in places)
        self._at = to

    def _demand(self, event: Event, is_kept: bool) -> None:
        if not is_kept:
            raise LawBroken(f"{type(event).__name__} cannot come here, {self._at.name.lower()} of step {self._step}")
