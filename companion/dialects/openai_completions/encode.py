"""Requests of chat completions, written: developers.openai.com/api/reference/resources/chat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never, cast

from companion.dialects.checks import check_asked, check_forced, check_params, offered_tools
from companion.dialects.contract import WireRequest
from companion.dialects.extra_fields import with_extra
from companion.dialects.openai_completions.content import Wire, messages_of
from companion.dialects.openai_completions.habits import Habits, ThinkingWay, habits_of, host_of
from companion.dialects.openai_completions.marks import NAME
from companion.dialects.schemas import OPENAI, openai_form
from companion.dialects.turns import nameless, system_first, system_text, turns_of, with_closing
from companion.dialects.urls import complete_url
from companion.dialects.wire_names import fitted_names
from companion.errors import Unsupported
from companion.model.context import ModelContext
from companion.model.message import ChatRole
from companion.model.options import JsonValue, ModelParams, Thinking
from companion.model.request import Calling, ChatRequest
from companion.model.tool import FuncTool, SearchWebTool, functions_of

PATH = "/v1/chat/completions"
_SAMPLING = ("temperature", "top_p", "top_k", "frequency_penalty", "presence_penalty", "seed")


def encode(request: ChatRequest, base_url: str) -> WireRequest:
    """The request, as it is posted.

    Raises:
        Unsupported: the protocol cannot carry a part of it.
    """
    habits = habits_of(base_url)
    request, names = fitted_names(request, habits.limits, NAME)
    context = system_first(request.context) if habits.is_strict_order else request.context
    params = context.params
    _check(request, habits)
    # Where a provider cannot be told which may be called, only those are offered.
    tools = functions_of(context.tools if habits.chooses else offered_tools(request))
    searches = any(isinstance(tool, SearchWebTool) for tool in context.tools)
    body: Wire = {
        **({"model": request.model} if request.model else {}),
        "messages": _messages(context, habits, keeps_extra=host_of(base_url) == "googleapis.com"),
        "stream": request.is_streamed,
        **({"stream_options": {"include_usage": True}} if request.is_streamed else {}),
        **_params(params, habits),
        **({"tools": [_tool(tool) for tool in tools]} if tools else {}),
        **({"web_search_options": {}} if searches else {}),
        **_tool_choice(request, tools, habits),
        **_form(request),
    }
    return WireRequest(complete_url(base_url, PATH), with_extra(body, params.extra_fields), names=names)


def _check(request: ChatRequest, habits: Habits) -> None:
    params = request.context.params
    check_params(params, NAME, unknown=() if habits.has_top_k else ("top_k",))
    if not habits.searches and any(isinstance(tool, SearchWebTool) for tool in request.context.tools):
        raise Unsupported("this provider does not search the web by itself", mend="offer a tool that does")


def _messages(context: ModelContext, habits: Habits, *, keeps_extra: bool) -> list[JsonValue]:
    """The system text, then the turns. Where only the first may be a system text, the closing is said by the user."""
    system = system_text(context)
    spoken = with_closing(context, ChatRole.USER if habits.is_strict_order else ChatRole.SYSTEM)
    written = turns_of(spoken if habits.has_writers else nameless(spoken))
    turns = (messages_of(turn, habits, keeps_extra=keeps_extra) for turn in written)
    messages: list[JsonValue] = [message for turn in turns for message in turn]
    check_asked(messages, NAME)
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


def _tool(tool: FuncTool) -> Wire:
    form = OPENAI.form(tool.parameters) if tool.strict else None
    function: Wire = {
        "name": tool.name,
        "description": tool.description,
        "parameters": cast(JsonValue, tool.parameters if form is None else form),
        **({"strict": True} if form is not None else {}),
    }
    return {"type": "function", "function": function}


def _tool_choice(request: ChatRequest, tools: Sequence[FuncTool], habits: Habits) -> Wire:
    choice, named = request.tool_choice, [tool.name for tool in functions_of(request.callable_tools())]
    check_forced(request, named, NAME)
    if choice is None or not tools:
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


def _form(request: ChatRequest) -> Wire:
    form = request.answer_form
    if form is None:
        return {}
    return {"response_format": {"type": "json_schema", "json_schema": openai_form(form)}}
