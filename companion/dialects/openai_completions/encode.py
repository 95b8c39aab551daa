"""Requests of chat completions, written: developers.openai.com/api/reference/resources/chat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import assert_never, cast

from companion.dialects.contract import WireRequest
from companion.dialects.extra_fields import with_extra
from companion.dialects.openai_completions.content import Wire, messages_of
from companion.dialects.openai_completions.habits import Habits, ThinkingWay, habits_of, host_of
from companion.dialects.openai_completions.marks import NAME
from companion.dialects.schemas import OPENAI
from companion.dialects.turns import system_text, turns_of, with_closing
from companion.dialects.urls import complete_url
from companion.errors import Unsupported
from companion.model.context import ModelContext
from companion.model.message import ChatRole
from companion.model.options import JsonValue, ModelParams, Thinking
from companion.model.request import Calling, ChatRequest, ToolChoice
from companion.model.tool import FuncTool, SearchWebTool

PATH = "/v1/chat/completions"
_SAMPLING = ("temperature", "top_p", "top_k", "frequency_penalty", "presence_penalty", "seed")
_NO_NAME = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST_NAME = 64


def encode(request: ChatRequest, base_url: str) -> WireRequest:
    """The request, as it is posted.

    Raises:
        Unsupported: the protocol cannot carry a part of it.
    """
    context, params, habits = request.context, request.context.params, habits_of(base_url)
    _check(request, habits)
    tools = _offered(context, request.tool_choice, habits)
    searches = any(isinstance(tool, SearchWebTool) for tool in context.tools)
    body: Wire = {
        **({"model": request.model} if request.model else {}),
        "messages": _messages(context, habits, keeps_extra=host_of(base_url) == "googleapis.com"),
        "stream": request.is_streamed,
        **({"stream_options": {"include_usage": True}} if request.is_streamed else {}),
        **_params(params, habits),
        **({"tools": [_tool(tool) for tool in tools]} if tools else {}),
        **({"web_search_options": {}} if searches else {}),
        **_tool_choice(request.tool_choice, tools, habits),
        **_form(request.answer_form),
    }
    return WireRequest(complete_url(base_url, PATH), with_extra(body, params.extra_fields))


def _check(request: ChatRequest, habits: Habits) -> None:
    params = request.context.params
    if params.n not in (None, 1):
        raise Unsupported(f"one answer at a time is read of {NAME}, not {params.n}", mend="ask several times")
    if params.top_k is not None and not habits.has_top_k:
        raise Unsupported(f"{NAME} knows no top_k here", mend="leave top_k out")
    if not habits.searches and any(isinstance(tool, SearchWebTool) for tool in request.context.tools):
        raise Unsupported("this provider does not search the web by itself", mend="offer a tool that does")


def _messages(context: ModelContext, habits: Habits, *, keeps_extra: bool) -> list[JsonValue]:
    """The system text, then the turns. Where only the first may be a system text, the closing is said by the user."""
    system = system_text(context)
    spoken = with_closing(context, ChatRole.USER if habits.is_strict_order else ChatRole.SYSTEM)
    turns = (messages_of(turn, habits, keeps_extra=keeps_extra) for turn in turns_of(spoken))
    messages: list[JsonValue] = [message for turn in turns for message in turn]
    if not messages:
        raise Unsupported(f"{NAME} answers no empty conversation", mend="say something first")
    return [{"role": habits.system_role, "content": system}, *messages] if system else messages


def _params(params: ModelParams, habits: Habits) -> Wire:
    given = {habits.limit: params.max_tokens, **{name: getattr(params, name) for name in _SAMPLING}}
    return {
        **{name: value for name, value in given.items() if value is not None},
        **({"stop": list(params.stop)} if params.stop else {}),
        **(_thinking(params.thinking, habits.thinking) if params.thinking is not None else {}),
    }


def _thinking(thinking: Thinking, way: ThinkingWay) -> Wire:
    """Whether to think and how hard, in the fields of the provider."""
    enabled, level = thinking.enabled, thinking.level
    match way:
        case ThinkingWay.EFFORT:
            return _effort(enabled, level)
        case ThinkingWay.ROUTED:
            routed: Wire = {} if enabled is None else {"enabled": enabled}
            return {"reasoning": routed | ({"effort": level} if level and enabled is not False else {})}
        case ThinkingWay.TYPED:
            typed: Wire = {} if enabled is None else {"thinking": {"type": "enabled" if enabled else "disabled"}}
            return typed | ({"reasoning_effort": level} if level and enabled is not False else {})
        case ThinkingWay.SWITCHED:
            switched: Wire = {} if enabled is None else {"enable_thinking": enabled}
            return switched | ({"thinking_budget": int(level)} if level and level.isdecimal() else {})
        case ThinkingWay.TEMPLATE:
            by_template: Wire = {} if enabled is None else {"chat_template_kwargs": {"enable_thinking": enabled}}
            return by_template | ({"reasoning_effort": level} if level and enabled is not False else {})
        case _:
            assert_never(way)


def _effort(enabled: bool | None, level: str | None) -> Wire:
    """Where only the effort can be named, thinking that is only turned on is left to the model."""
    if enabled is False:
        return {"reasoning_effort": "none"}
    return {"reasoning_effort": level} if level else {}


def _offered(context: ModelContext, choice: ToolChoice | None, habits: Habits) -> list[FuncTool]:
    """The functions that are offered; where a provider cannot be told which may be called, only those are."""
    names = choice.names if choice is not None and choice.calling is not Calling.FORBIDDEN else ()
    functions = (tool for tool in context.tools if isinstance(tool, FuncTool))
    return [tool for tool in functions if habits.chooses or not names or tool.name in names]


def _tool(tool: FuncTool) -> Wire:
    form = OPENAI.form(tool.parameters) if tool.strict else None
    function: Wire = {
        "name": tool.name,
        "description": tool.description,
        "parameters": cast(JsonValue, tool.parameters if form is None else form),
        **({"strict": True} if form is not None else {}),
    }
    return {"type": "function", "function": function}


def _tool_choice(choice: ToolChoice | None, tools: Sequence[FuncTool], habits: Habits) -> Wire:
    if choice is None:
        return {}
    named = [tool.name for tool in tools if not choice.names or tool.name in choice.names]
    if choice.calling is Calling.FORCED and not named:
        raise Unsupported(f"{NAME}: a call is to be forced, of no tool that is offered", mend="offer the tool")
    if not tools:
        return {}
    if choice.calling is Calling.FORBIDDEN:
        return {"tool_choice": "none"}
    is_forced = choice.calling is Calling.FORCED
    if is_forced and choice.names and len(named) == 1:
        return {"tool_choice": _function(named[0])}
    if choice.names and habits.chooses:
        return {"tool_choice": _allowed(named, is_forced=is_forced)}
    return {"tool_choice": "required" if is_forced else "auto"}


def _allowed(names: Iterable[str], *, is_forced: bool) -> Wire:
    tools: list[JsonValue] = [_function(name) for name in names]
    return {"type": "allowed_tools", "allowed_tools": {"mode": "required" if is_forced else "auto", "tools": tools}}


def _function(name: str) -> Wire:
    return {"type": "function", "function": {"name": name}}


def _form(answer_form: FuncTool | None) -> Wire:
    if answer_form is None:
        return {}
    strict = OPENAI.form(answer_form.parameters)
    form: Wire = {
        "name": _NO_NAME.sub("_", answer_form.name)[:_LONGEST_NAME] or "answer",
        "schema": cast(JsonValue, answer_form.parameters if strict is None else strict),
        **({"strict": True} if strict is not None else {}),
        **({"description": answer_form.description} if answer_form.description else {}),
    }
    return {"response_format": {"type": "json_schema", "json_schema": form}}
