"""The events of a turn come in one order, and the law finds every other."""

from __future__ import annotations

import pytest

from companion.errors import LawBroken
from companion.model import events
from companion.model.event_order import EventOrder
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
from companion.stream import FuncCall, ToolCall

TEXT = [TextStart(), TextDelta("a"), TextEnd()]
CALL = [ToolCallStart("1", "t"), ToolCallArgsDelta("1", "{}"), ToolCallEnd(ToolCall("1", FuncCall("t", "{}")))]
OTHER = [ToolCallStart("2", "t"), ToolCallEnd(ToolCall("2", FuncCall("t", "{}")))]
BEGIN = [ResponseStart(), StepStart(1)]
END = [StepEnd(1, "stop"), ResponseEnd("stop")]
AGAIN = [StepStart(2), *TEXT, StepEnd(2, "stop"), ResponseEnd("stop")]


def test_there_are_sixteen_kinds() -> None:
    names = """ResponseStart ResponseEnd StepStart StepEnd TextStart TextDelta TextEnd ThinkingDelta ToolCallStart
    ToolCallArgsDelta ToolCallEnd ToolResult Usage Error Raw Custom""".split()

    assert {kind.__name__ for kind in Event.__args__} == set(names) == set(events.__all__) - {"Event"}


@pytest.mark.parametrize(
    "told",
    [
        [*BEGIN, *END],
        [*BEGIN, ThinkingDelta("x"), *TEXT, ThinkingDelta("y"), *TEXT, Usage(1, 2), *END],
        [*BEGIN, *CALL, *OTHER, END[0], ToolResult("1", "x"), ToolResult("2", "x"), *AGAIN],
        [*BEGIN, CALL[0], OTHER[0], CALL[1], CALL[2], OTHER[1], *END],
        [*BEGIN, CALL[0], *TEXT, *CALL[1:], *END],
        [*BEGIN, *CALL, END[0], ToolResult("1", "x"), END[1]],
        [*BEGIN, *CALL[:1], ToolCallEnd(ToolCall("1", FuncCall("t", "{")), is_cut=True), END[0], *AGAIN],
        [ResponseStart(), Error(ValueError()), ResponseEnd("error")],
        [*BEGIN, TEXT[0], Raw(1), Custom("x"), Error(ValueError()), ResponseEnd("error")],
    ],
)
def test_what_may_come_comes(told: list[Event]) -> None:
    EventOrder.check(told)


@pytest.mark.parametrize(
    "told",
    [
        [],
        BEGIN,
        [StepStart(1)],
        [ResponseStart(), *BEGIN],
        [ResponseStart(), ResponseEnd("stop")],
        [ResponseStart(), StepStart(2)],
        [*BEGIN, StepStart(2)],
        [*BEGIN, TextDelta("a")],
        [*BEGIN, TextStart(), TextStart()],
        [*BEGIN, TextStart(), ThinkingDelta("x")],
        [*BEGIN, TextStart(), StepEnd(1, "stop")],
        [*BEGIN, TextStart(), CALL[0]],
        [*BEGIN, TextEnd()],
        [*BEGIN, CALL[1]],
        [*BEGIN, CALL[2]],
        [*BEGIN, CALL[0], CALL[0]],
        [*BEGIN, CALL[0], StepEnd(1, "stop")],
        [*BEGIN, CALL[0], Usage()],
        [*BEGIN, *CALL[:2], ToolCallEnd(ToolCall("1", FuncCall("t", '{"other": 1}')))],
        [*BEGIN, ToolCallStart("", "t")],
        [*BEGIN, Usage(), *TEXT],
        [*BEGIN, Usage(), Usage()],
        [*BEGIN, ToolResult("1", "x")],
        [*BEGIN, *CALL, END[0], ToolResult("2", "x")],
        [*BEGIN, *CALL, *OTHER, END[0], ToolResult("2", "x")],
        [*BEGIN, *CALL, END[0], ToolResult("1", "x"), ToolResult("1", "x")],
        [*BEGIN, *CALL, END[0], *AGAIN],
        [*BEGIN, StepEnd(2, "stop")],
        [*BEGIN, ResponseEnd("stop")],
        [*BEGIN, *END, *END],
        [*BEGIN, *END, Raw(1)],
        [*BEGIN, Error(ValueError())],
        [*BEGIN, Error(ValueError()), Error(ValueError())],
        [*BEGIN, Error(ValueError()), *TEXT],
        [Raw(1), *BEGIN, *END],
    ],
)
def test_what_may_not_come_is_found(told: list[Event]) -> None:
    with pytest.raises(LawBroken):
        EventOrder.check(told)


def test_a_reader_may_leave_anywhere() -> None:
    whole: list[Event] = [*BEGIN, *TEXT, *CALL, END[0], ToolResult("1", "x"), *AGAIN]
    for place in range(len(whole)):
        EventOrder.check(whole[:place], is_whole=False)


def test_the_fault_names_its_place() -> None:
    with pytest.raises(LawBroken, match="event 2: TextDelta cannot come here, step of step 1"):
        EventOrder.check([*BEGIN, TextDelta("a")])
