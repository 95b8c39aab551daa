"""Contexts built piece by piece."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from companion.errors import BadInput, ToolFailed
from companion.model import (
    ChatRole,
    Contents,
    ContextBuilder,
    FuncTool,
    Message,
    ModelContext,
    ModelParams,
    SearchWebTool,
    SystemPrompt,
    ToolResult,
)
from companion.stream import Blob, FuncCall, Text, ToolCall

CALL = Message(ChatRole.ASSISTANT, ToolCall("1", FuncCall("now", "{}")))
RESULT = Message(ChatRole.TOOL, ToolResult("1", "noon"))


def test_a_prompt_of_the_same_name_goes_on_in_a_new_line() -> None:
    builder = ContextBuilder()
    builder.add_prompt("who", "You are kind.")
    builder.add_prompt("who", "You are brief.")
    builder.add_prompt("where", "In a kitchen.")
    builder.add_prompt("who", "You listen.")

    assert builder.build().prompts == (
        SystemPrompt("who", "You are kind.\nYou are brief."),
        SystemPrompt("where", "In a kitchen."),
        SystemPrompt("who", "You listen."),
    )


def test_contents_of_the_same_role_and_name_become_one_message() -> None:
    builder = ContextBuilder()
    builder.add_message(Message.of(ChatRole.USER, "what is "))
    builder.add_message(Message(ChatRole.USER, Contents((Blob("image/png", b"1"), Text("this?")))))

    (message,) = builder.build().messages
    assert message.payload == Contents((Text("what is "), Blob("image/png", b"1"), Text("this?")))


@pytest.mark.parametrize(
    "pair",
    [
        (Message.of(ChatRole.USER, "a"), Message.of(ChatRole.ASSISTANT, "b")),
        (Message(ChatRole.USER, Contents(()), "ann"), Message(ChatRole.USER, Contents(()), "bob")),
        (CALL, CALL),
        (RESULT, RESULT),
        (Message.of(ChatRole.ASSISTANT, "one moment"), CALL),
        (CALL, Message.of(ChatRole.ASSISTANT, "done")),
    ],
)
def test_other_messages_stay_apart(pair: tuple[Message, Message]) -> None:
    builder = ContextBuilder()
    for message in pair:
        builder.add_message(message)

    assert builder.build().messages == pair


@dataclass
class Friend:
    name: str
    likes: tuple[str, ...]


@pytest.mark.parametrize(
    ("value", "yaml"),
    [
        ("李雷", "about: 李雷"),
        (3, "about: 3"),
        ("on", "about: 'on'"),
        (["tea", "rain"], "about:\n- tea\n- rain"),
        ({"b": 1, "a": None}, "about:\n  b: 1\n  a: null"),
        ("two\nlines", "about: |-\n  two\n  lines"),
        (Friend("Ada", ("tea",)), "about:\n  name: Ada\n  likes:\n  - tea"),
        ({"y", "x"}, "about:\n- x\n- y"),
    ],
)
def test_a_value_is_told_as_yaml_in_its_own_order(value: object, yaml: str) -> None:
    builder = ContextBuilder()
    builder.prompt("user", "about", value)

    assert builder.build().prompts == (SystemPrompt("user", yaml),)


def test_a_value_that_stands_twice_is_written_twice() -> None:
    builder = ContextBuilder()
    twice = ["tea"]
    builder.prompt("user", "drinks", [twice, twice])

    assert builder.build().prompts[0].text == "drinks:\n- - tea\n- - tea"


def endless() -> list[object]:
    value: list[object] = []
    value.append(value)
    return value


@pytest.mark.parametrize(("value", "why"), [(object(), "nothing like object"), (endless(), "contains itself")])
def test_a_value_yaml_cannot_say_is_refused_by_name(value: object, why: str) -> None:
    with pytest.raises(BadInput, match=f"prompt 'user': about: .*{why}"):
        ContextBuilder().prompt("user", "about", value)


def test_a_chain_of_thought_takes_the_place_of_the_one_before() -> None:
    builder = ContextBuilder()
    builder.set_cot("Count first.")
    builder.set_cot({"steps": ["count", "add"]})

    assert builder.build().cots == ("steps:\n- count\n- add",)


def test_a_call_and_its_result_share_a_new_id() -> None:
    builder = ContextBuilder()
    first = builder.add_tool_call_result("now", {"zone": "中"}, {"hour": 12})
    second = builder.add_tool_call_result("now", '{"zone": "utc"}', "noon")

    assert re.fullmatch(r"call_[0-9a-f]{16}", first)
    assert builder.build().messages == (
        Message(ChatRole.ASSISTANT, ToolCall(first, FuncCall("now", '{"zone": "中"}'))),
        Message(ChatRole.TOOL, ToolResult(first, '{"hour": 12}')),
        Message(ChatRole.ASSISTANT, ToolCall(second, FuncCall("now", '{"zone": "utc"}'))),
        Message(ChatRole.TOOL, ToolResult(second, "noon")),
    )
    assert first != second


def double(number: int) -> int:
    return 2 * number


def fail() -> None:
    raise OSError("the disk is gone")


async def test_an_invoked_tool_is_recorded_with_its_result() -> None:
    builder = ContextBuilder()

    assert await builder.invoke_tool(FuncTool.of(double), {"number": 4}) == "8"

    call, result = (message.payload for message in builder.build().messages)
    assert isinstance(call, ToolCall)
    assert call.func_call == FuncCall("double", '{"number": 4}')
    assert result == ToolResult(call.id, "8")


async def test_a_tool_is_recorded_under_the_name_it_runs_by() -> None:
    builder = ContextBuilder()
    await builder.invoke_tool(FuncTool.of(double, name=" double "), {"number": 4})

    call = builder.build().messages[0].payload
    assert isinstance(call, ToolCall)
    assert call.func_call.name == "double"


async def test_a_tool_that_fails_leaves_no_half_record() -> None:
    builder = ContextBuilder()

    with pytest.raises(ToolFailed):
        await builder.invoke_tool(FuncTool.of(fail), {})

    assert builder.build() == ModelContext()


def add_prompt(builder: ContextBuilder) -> None:
    builder.add_prompt("who", "brief")


def add_message(builder: ContextBuilder) -> None:
    builder.add_message(Message.of(ChatRole.USER, "more"))


def add_tool(builder: ContextBuilder) -> None:
    builder.add_tool(SearchWebTool())


def set_params(builder: ContextBuilder) -> None:
    builder.params = ModelParams(top_k=1)


@pytest.mark.parametrize("change", [add_prompt, add_message, add_tool, set_params])
def test_a_context_that_is_built_does_not_change(change: Callable[[ContextBuilder], None]) -> None:
    def begun() -> ContextBuilder:
        return ContextBuilder(ModelContext((SystemPrompt("who", "kind"),), (Message.of(ChatRole.USER, "hello"),)))

    builder = begun()
    built = builder.build()
    change(builder)

    assert built == begun().build() != builder.build()
