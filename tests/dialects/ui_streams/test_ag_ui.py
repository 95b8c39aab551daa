import json
from collections.abc import Sequence

import pytest
from ag_ui.core import Event as AgUiEvent
from doubles.turns import RandomTurn
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from companion.dialects.ui_streams import AgUiWriter, Part
from companion.errors import Unreachable
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
)
from companion.model.plain import json_bytes
from companion.stream import Blob, FuncCall, ToolCall, Usage

OFFICIAL: TypeAdapter[AgUiEvent] = TypeAdapter(AgUiEvent)
CALL = ToolCall("c", FuncCall("look", '{"at": 1}'))
ENDS = {"RUN_FINISHED", "RUN_ERROR"}


def written(*events: Event, is_stopped: bool = False, sends_raw: bool = False) -> list[Part]:
    writer = AgUiWriter("home", "run", sends_raw=sends_raw)
    parts = [part for event in events for part in writer.write(event)]
    return [*parts, *writer.stop()] if is_stopped else parts


def kinds(parts: Sequence[Part]) -> str:
    return " ".join(str(part["type"]) for part in parts)


def read_officially(body: bytes) -> list[AgUiEvent]:
    """The events of a response's body, as the official package reads them."""
    frames = body.decode().split("\n\n")
    assert frames.pop() == ""
    assert all(frame.startswith("data: ") and "\n" not in frame for frame in frames)
    events = [OFFICIAL.validate_json(frame.removeprefix("data: ")) for frame in frames]
    for event, frame in zip(events, frames, strict=True):
        unknown = event.model_extra
        assert not unknown, f"{frame} has fields that the protocol has not: {unknown}"
    return events


def demand_closed(parts: Sequence[Part]) -> None:
    """Whatever begins ends before the run does, and nothing comes behind that."""
    begun: set[tuple[str, object]] = set()
    for part in parts:
        name, ids = str(part["type"]), part.get("messageId") or part.get("toolCallId") or part.get("stepName")
        for begin, end in (("_START", "_END"), ("_STARTED", "_FINISHED")):
            if name.startswith("RUN_"):
                break
            if name.endswith(begin):
                key = (name.removesuffix(begin), ids)
                assert key not in begun
                begun.add(key)
            elif name.endswith(end):
                begun.remove((name.removesuffix(end), ids))
        if name.endswith(("_CONTENT", "_ARGS")):
            assert (name.rpartition("_")[0], ids) in begun
        if name in ENDS:
            assert not begun
    assert [str(part["type"]) in ENDS for part in parts] == [False] * (len(parts) - 1) + [True]


def test_a_turn_with_everything() -> None:
    parts = written(
        ResponseStart(), StepStart(1), ThinkingDelta("hm"), ThinkingDelta(signature="s"), TextStart(),
        TextDelta("Let me "), TextDelta("look."), TextEnd(), ToolCallStart("c", "look"),
        ToolCallArgsDelta("c", '{"at"'), ToolCallArgsDelta("c", ": 1}"), ToolCallEnd(CALL),
        Usage(5, 3), StepEnd(1, "tool"), ToolResult("c", "a cat"),
        StepStart(2), TextStart(), TextDelta("A cat."), TextEnd(), StepEnd(2, "stop"),
        ResponseEnd("stop", Usage(9, 4, 2)),
    )  # fmt: skip

    assert kinds(parts) == (
        "RUN_STARTED STEP_STARTED REASONING_START REASONING_MESSAGE_START REASONING_MESSAGE_CONTENT "
        "REASONING_MESSAGE_END REASONING_ENCRYPTED_VALUE REASONING_END TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT "
        "TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END TOOL_CALL_START TOOL_CALL_ARGS TOOL_CALL_ARGS TOOL_CALL_END "
        "STEP_FINISHED TOOL_CALL_RESULT STEP_STARTED TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END "
        "STEP_FINISHED RUN_FINISHED"
    )
    usage = OFFICIAL.validate_python(parts[-1]).usage[0]
    assert (usage.input_tokens, usage.output_tokens, usage.total_tokens, usage.cached_input_tokens) == (9, 4, 13, 2)


def test_arguments_that_came_at_once_are_told() -> None:
    parts = written(ResponseStart(), StepStart(1), ToolCallStart("c", "look"), ToolCallEnd(CALL))

    assert [part["delta"] for part in parts if part["type"] == "TOOL_CALL_ARGS"] == ['{"at": 1}']


def test_an_error_closes_what_is_open_and_is_the_end() -> None:
    open_call = [ToolCallStart("c", "look"), ToolCallArgsDelta("c", '{"a')]
    parts = written(
        ResponseStart(), StepStart(1), *open_call, Error(Unreachable("gone\nfor good")), ResponseEnd("error")
    )

    assert kinds(parts[3:]) == "TOOL_CALL_ARGS TOOL_CALL_END TOOL_CALL_RESULT STEP_FINISHED RUN_ERROR"
    assert parts[-1]["message"] == "gone for good"
    assert parts[-1]["code"] == "Unreachable"


def test_a_turn_that_is_broken_off_is_a_cancelled_run() -> None:
    parts = written(ResponseStart(), StepStart(1), TextStart(), TextDelta("Let"), is_stopped=True)

    assert kinds(parts[-3:]) == "TEXT_MESSAGE_END STEP_FINISHED RUN_FINISHED"
    assert OFFICIAL.validate_python(parts[-1]).outcome.type == "cancelled"


def test_nothing_comes_of_a_turn_that_has_not_begun_or_has_ended() -> None:
    writer = AgUiWriter("home", "run")
    assert writer.stop() == []
    for event in (ResponseStart(), StepStart(1), StepEnd(1, "stop"), ResponseEnd("stop")):
        writer.write(event)

    assert writer.stop() == writer.write(TextStart()) == []


def test_a_call_of_the_last_step_is_left_for_the_interface_to_answer() -> None:
    call = [ToolCallStart("c", "look"), ToolCallEnd(CALL)]
    parts = written(ResponseStart(), StepStart(1), *call, StepEnd(1, "tool"), ResponseEnd("tool"))

    assert "RESULT" not in kinds(parts)


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (Raw({"a": 1}), "RAW"),
        (Raw(None), ""),
        (Custom("level", [1]), "CUSTOM"),
        (Custom("nothing"), "CUSTOM"),
        (Custom("thing", object()), ""),
        (Custom("blob", Blob("image/png", b"\x89")), "CUSTOM"),
    ],
)
def test_asides_are_told_where_json_can_carry_them(event: Event, kind: str) -> None:
    parts = written(ResponseStart(), event, sends_raw=True)[1:]

    assert kinds(parts) == kind
    for part in parts:
        OFFICIAL.validate_python(part)


@given(st.integers(0, 2**32))
def test_every_turn_is_read_by_the_official_package(seed: int) -> None:
    turn = RandomTurn(seed)
    EventOrder.check(turn.events, is_whole=turn.is_whole)
    writer = AgUiWriter("home", "run", sends_raw=seed % 2 == 0)
    parts = [part for event in turn.events for part in writer.write(event)]
    parts += writer.stop()

    demand_closed(parts)
    read = read_officially(writer.to_bytes(parts))
    assert [json.loads(event.model_dump_json(by_alias=True)) for event in read] == [
        json.loads(json_bytes(part)) for part in parts
    ]
    said = "".join(str(part["delta"]) for part in parts if part["type"] == "TEXT_MESSAGE_CONTENT")
    assert said == "".join(event.text for event in turn.events if isinstance(event, TextDelta))
