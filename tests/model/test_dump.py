"""A context as a page a person can read."""

from __future__ import annotations

from companion.model import (
    ChatRole,
    Contents,
    FuncTool,
    Message,
    ModelContext,
    ModelParams,
    SearchWebTool,
    SystemPrompt,
    Thinking,
    ToolResult,
    described,
)
from companion.stream import Blob, FuncCall, Text, ToolCall


def now(zone: str) -> str:
    """The time
    there."""
    return zone


CONTEXT = ModelContext(
    prompts=(SystemPrompt("who", "You are kind.\nYou are brief."),),
    messages=(
        Message(ChatRole.USER, Contents((Text("what time is it\nhere?"), Blob("image/png", b"1234"))), name="ada"),
        Message(ChatRole.ASSISTANT, ToolCall("call_1", FuncCall("now", '{"zone": "CET"}'))),
        Message(ChatRole.TOOL, ToolResult("call_1", "noon")),
    ),
    closing="It rains.",
    params=ModelParams(temperature=0.0, thinking=Thinking(enabled=False), extra_fields={"b": 1, "a": 2}),
    tools=(FuncTool.of(now), SearchWebTool()),
    cots=("Look at the clock.",),
)

PAGE = """\
## prompt: who
You are kind.
You are brief.

## chain of thought
Look at the clock.

## tools
- now: The time there.
  {"type": "object", "properties": {"zone": {"type": "string"}}, "required": ["zone"], "additionalProperties": false}
- search_web: the model searches the web itself

## messages
- user (ada): what time is it
  here? [image/png, 4 bytes]
- assistant: calls now({"zone": "CET"}) as call_1
- tool: call_1 gave noon

## closing
It rains.

## params
- temperature: 0.0
- thinking enabled: false
- extra_fields: {"b": 1, "a": 2}
"""


def test_a_context_reads_from_top_to_bottom_as_a_model_is_given_it() -> None:
    assert described(CONTEXT) == PAGE


def test_what_is_empty_has_no_heading() -> None:
    assert described(ModelContext(messages=(Message.of(ChatRole.USER, "hello"),))) == "## messages\n- user: hello\n"
