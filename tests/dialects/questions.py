"""Requests that tests of dialects ask."""

from __future__ import annotations

from companion.model import (
    ChatRequest,
    ChatRole,
    Contents,
    FuncTool,
    Link,
    Message,
    ModelContext,
    ModelParams,
    Resource,
    SystemPrompt,
    Tool,
    ToolChoice,
    ToolResult,
)
from companion.stream import FuncCall, Text, ToolCall

WEATHER = FuncTool(
    "get_weather",
    "The weather of a city.",
    {
        "type": "object",
        "properties": {"city": {"type": "string", "description": "Where"}, "days": {"type": "integer", "minimum": 1}},
        "required": ["city"],
    },
)


def asked(model: str, *messages: Message) -> ChatRequest:
    """A request of these messages."""
    return ChatRequest(ModelContext(messages=messages), model)


def user(*parts: object) -> Message:
    """The user's words, and what else is given."""
    return _said(ChatRole.USER, parts)


def assistant(*parts: object) -> Message:
    """The same of the model."""
    return _said(ChatRole.ASSISTANT, parts)


def call(call_id: str, arguments: str = '{"city": "Bonn"}') -> Message:
    """The model calls the weather."""
    return Message(ChatRole.ASSISTANT, ToolCall(call_id, FuncCall("weather", arguments)))


def result(call_id: str, text: str, *, is_error: bool = False) -> Message:
    """What a call brought."""
    return Message(ChatRole.TOOL, ToolResult(call_id, text, is_error))


def asked_with(
    model: str,
    *messages: Message,
    prompts: tuple[SystemPrompt, ...] = (),
    closing: str = "",
    tools: tuple[Tool, ...] = (),
    choice: ToolChoice | None = None,
    form: FuncTool | None = None,
    is_streamed: bool = True,
    **params: object,
) -> ChatRequest:
    """A request of these messages, or of a short one, with all that a request can have."""
    context = ModelContext(prompts, messages or (user("hi"),), closing, ModelParams(**params), tools)
    return ChatRequest(context, model, choice, form, is_streamed)


def _said(role: ChatRole, parts: tuple[object, ...]) -> Message:
    return Message(role, Contents(tuple(Text(part) if isinstance(part, str) else part for part in parts)))


def broken_links(model: str) -> list[ChatRequest]:
    """Pictures and a document in data URLs that nobody can read."""
    urls = ("data:image/png;base64,?", "data:image/png,plain")
    blocks = [*(Link("image/png", url) for url in urls), Resource(urls[0], "application/pdf")]
    return [asked(model, Message(ChatRole.USER, Contents((block,)))) for block in blocks]


def question(
    model: str,
    *,
    params: ModelParams | None = None,
    tools: tuple[Tool, ...] = (),
    tool_choice: ToolChoice | None = None,
    answer_form: FuncTool | None = None,
    is_streamed: bool = True,
) -> ChatRequest:
    """A short question, asked in this way."""
    context = ModelContext(
        messages=(Message.of(ChatRole.USER, "Why is the sky blue?"),), params=params or ModelParams(), tools=tools
    )
    return ChatRequest(context, model, tool_choice, answer_form, is_streamed)


SYSTEM_TEXTS = (
    (ChatRole.SYSTEM, "Be kind."),
    (ChatRole.USER, "a"),
    (ChatRole.ASSISTANT, "b"),
    (ChatRole.SYSTEM, "Be brief."),
    (ChatRole.USER, "c"),
)
"""A conversation that holds system texts."""


def spoken_to(model: str, *, is_streamed: bool = True) -> ChatRequest:
    """A conversation with all that happens in one: system texts, two calls, a failed one, and a text that changes."""
    context = ModelContext(
        prompts=(SystemPrompt("who", "You are kind."), SystemPrompt("how", "You are brief.")),
        messages=(
            Message.of(ChatRole.USER, "How is the weather?"),
            Message(ChatRole.ASSISTANT, Contents((Text("I look."),))),
            Message(ChatRole.ASSISTANT, ToolCall("c1", FuncCall("get_weather", '{"city": "Paris"}'))),
            Message(ChatRole.ASSISTANT, ToolCall("c2", FuncCall("get_weather", ""))),
            Message(ChatRole.TOOL, ToolResult("c1", "sunny")),
            Message(ChatRole.TOOL, ToolResult("c2", "Error: which city?", is_error=True)),
            Message.of(ChatRole.ASSISTANT, "Sunny in Paris."),
            Message.of(ChatRole.USER, "And tomorrow?"),
        ),
        closing="It is noon.",
        tools=(WEATHER,),
    )
    return ChatRequest(context, model, is_streamed=is_streamed)
