"""Every stage and field: what a stage does not grant is refused, with an error that names both."""

from __future__ import annotations

from typing import Any

import pytest
from doubles.said import MONDAY

from companion.agent.stages import FIELDS, RIGHTS, About, Stage, StageContext
from companion.errors import StageRefused
from companion.model import ChatRole, Message
from companion.stream import FuncCall, ToolCall

USER = Message.of(ChatRole.USER, "Hello.")
FITTING: dict[str, Any] = {
    "raw_message": "Hello.",
    "response": "Hi.",
    "context_messages": (USER,),
    "llm_text": "Once",
    "tool_calls": (ToolCall("1", FuncCall("note", "{}")),),
    "name": "note",
    "args": {"what": ["a", {"b": 1}]},
    "deny": "not now",
    "tool_result": "noted",
    "final_text": "Once upon a time.",
    "skip_output": True,
    "about": About(1, "voice", "en", MONDAY),
    "notes": {},
    "memory": (),
}
UNFITTING: dict[str, Any] = {
    "raw_message": None,
    "response": 5,
    "context_messages": (Message.of(ChatRole.ASSISTANT, "Hi."),),
    "llm_text": b"Once",
    "tool_calls": ["note"],
    "name": "",
    "args": ["a"],
    "deny": " ",
    "tool_result": {},
    "final_text": None,
    "skip_output": "yes",
}
ALL = [(stage, field) for stage in Stage for field in FIELDS]
FORBIDDEN = [(stage, field) for stage, field in ALL if field not in RIGHTS[stage].writes]
GRANTED = [(stage, field) for stage, field in ALL if field in RIGHTS[stage].writes]
UNREADABLE = [(stage, field) for stage, field in ALL if field not in RIGHTS[stage].reads]


def context_at(stage: Stage) -> StageContext:
    return StageContext(stage, "guest", FITTING)


def test_the_seven_stages_grant_what_their_table_says() -> None:
    assert {stage.value: sorted(rights.writes) for stage, rights in RIGHTS.items()} == {
        "on_input": ["raw_message", "response"],
        "pre_action": ["context_messages", "response"],
        "post_action": ["context_messages", "llm_text", "response", "tool_calls"],
        "before_toolcall": ["args", "deny", "name", "response"],
        "after_toolcall": ["response", "tool_result"],
        "before_output": ["final_text", "response", "skip_output"],
        "after_output": [],
    }
    assert set(FIELDS) == set(FITTING)
    assert "final_text" in RIGHTS[Stage.AFTER_OUTPUT].reads


@pytest.mark.parametrize(("stage", "field"), FORBIDDEN)
def test_a_write_that_the_stage_does_not_grant_is_refused(stage: Stage, field: str) -> None:
    context = context_at(stage)

    with pytest.raises(StageRefused) as refused:
        setattr(context, field, FITTING[field])

    assert (refused.value.stage, refused.value.field, refused.value.plugin) == (stage.value, field, "guest")
    assert stage.value in str(refused.value)
    assert field in str(refused.value)
    assert context.end() == {}


@pytest.mark.parametrize(("stage", "field"), GRANTED)
def test_a_write_that_the_stage_grants_is_read_back(stage: Stage, field: str) -> None:
    context = context_at(stage)

    setattr(context, field, FITTING[field])

    assert list(context.end()) == [field]


@pytest.mark.parametrize(("stage", "field"), GRANTED)
def test_a_value_that_does_not_fit_is_refused(stage: Stage, field: str) -> None:
    context = context_at(stage)

    with pytest.raises(StageRefused, match=rf"{field} takes .*{stage}"):
        setattr(context, field, UNFITTING[field])

    assert context.end() == {}


@pytest.mark.parametrize(("stage", "field"), UNREADABLE)
def test_what_is_not_there_yet_cannot_be_read(stage: Stage, field: str) -> None:
    with pytest.raises(StageRefused, match=rf"{field} cannot be read here.*{stage}"):
        getattr(context_at(stage), field)


@pytest.mark.parametrize(("stage", "field"), GRANTED)
def test_a_handler_whose_time_is_over_writes_and_reads_nothing(stage: Stage, field: str) -> None:
    context = context_at(stage)
    context.end()

    with pytest.raises(StageRefused, match="time is over"):
        setattr(context, field, FITTING[field])
    with pytest.raises(StageRefused, match="time is over"):
        getattr(context, field)


def test_there_are_no_other_fields() -> None:
    context = context_at(Stage.ON_INPUT)

    with pytest.raises(AttributeError):
        context.turn_id = 5  # type: ignore[attr-defined]


def test_nothing_can_be_changed_in_place() -> None:
    context = context_at(Stage.BEFORE_TOOLCALL)
    context.args = {"what": ["a", {"b": 1}]}

    with pytest.raises(TypeError):
        context.args["what"] = 5  # type: ignore[index]
    with pytest.raises(TypeError):
        context.args["what"][1]["b"] = 5  # type: ignore[index]
    assert isinstance(context.args["what"], tuple)
