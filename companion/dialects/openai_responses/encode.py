"""Requests of the Responses API, written: developers.openai.com/api/reference/resources/responses/methods/create."""

from __future__ import annotations

from typing import cast

from companion.dialects.checks import check_asked, check_forced, check_params
from companion.dialects.contract import WireRequest
from companion.dialects.extra_fields import with_extra
from companion.dialects.openai_responses.content import ASSISTANT, Wire, items_of, text_part
from companion.dialects.openai_responses.marks import NAME
from companion.dialects.schemas import OPENAI, openai_form
from companion.dialects.turns import system_text, turns_of, with_closing
from companion.dialects.urls import complete_url
from companion.dialects.wire_names import WORD, Form, NameLimits, fitted_names
from companion.model.context import ModelContext
from companion.model.options import JsonValue, ModelParams, Thinking
from companion.model.request import Calling, ChatRequest
from companion.model.tool import FuncTool, SearchWebTool, Tool

PATH = "/v1/responses"
HIDDEN_THOUGHTS = "reasoning.encrypted_content"
WEB_SEARCH = "web_search"
LIMITS = NameLimits(Form(WORD, 64), Form(WORD, 64))
_UNKNOWN = ("frequency_penalty", "presence_penalty", "seed", "top_k", "stop")


def encode(request: ChatRequest, base_url: str) -> WireRequest:
    """The request, as it is posted.

    Raises:
        Unsupported: the protocol cannot carry a part of it.
    """
    request, names = fitted_names(request, LIMITS, NAME)
    context, params = request.context, request.context.params
    check_params(params, NAME, unknown=_UNKNOWN, instead="leave it out, or ask by openai-completions")
    instructions = system_text(context)
    tools = [_tool(tool) for tool in context.tools]
    body: Wire = {
        **({"model": request.model} if request.model else {}),
        **({"instructions": instructions} if instructions else {}),
        "input": _input(context, marks_prefix="prompt_cache_options" in params.extra_fields),
        "stream": request.is_streamed,
        # Nothing stays with the provider, so thoughts have to come here in a form that can go back.
        "store": False,
        **_params(params),
        **({"tools": cast("JsonValue", tools)} if tools else {}),
        **_tool_choice(request),
        **_form(request.answer_form),
    }
    return WireRequest(complete_url(base_url, PATH), with_extra(body, params.extra_fields), names=names)


def _input(context: ModelContext, *, marks_prefix: bool) -> list[JsonValue]:
    """marks_prefix: the model takes marks, so what stays as it is may be told from the closing text behind it."""
    closing = context.closing.strip()
    items = [item for turn in turns_of(with_closing(context)) for item in items_of(turn)]
    check_asked(items, NAME)
    if marks_prefix and closing:
        at = max((at for at, item in enumerate(items) if item.get("content") == closing), default=0)
        _mark(items[:at])
    return [*items]


def _mark(stable: list[Wire]) -> None:
    """Have all up to the last message of the user kept in the prompt cache; answers cannot be marked."""
    for item in reversed(stable):
        if item["type"] == "message" and item["role"] != ASSISTANT:
            content = item["content"]
            parts = [text_part(content)] if isinstance(content, str) else [*cast("list[Wire]", content)]
            item["content"] = [*parts[:-1], {**parts[-1], "prompt_cache_breakpoint": {"mode": "explicit"}}]
            return


def _params(params: ModelParams) -> Wire:
    given = {
        "max_output_tokens": params.max_tokens,
        "temperature": params.temperature,
        "top_p": params.top_p,
    }
    return {**{name: value for name, value in given.items() if value is not None}, **_reasoning(params.thinking)}


def _reasoning(thinking: Thinking | None) -> Wire:
    """Models that do not think refuse to be asked for hidden thoughts, so only who wants thoughts asks."""
    if thinking is None or thinking == Thinking():
        return {}
    if thinking.enabled is False:
        return {"reasoning": {"effort": "none"}}
    reasoning: Wire = {**({"effort": thinking.level} if thinking.level else {})}
    if thinking.enabled:
        # Who asks for thoughts wants to read them; without this there are none to read.
        reasoning["summary"] = "auto"
    return {"reasoning": reasoning, "include": [HIDDEN_THOUGHTS]}


def _tool(tool: Tool) -> Wire:
    if isinstance(tool, SearchWebTool):
        return {"type": WEB_SEARCH}
    form = OPENAI.form(tool.parameters) if tool.strict else None
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": cast("JsonValue", tool.parameters if form is None else form),
        "strict": form is not None,
    }


def _tool_choice(request: ChatRequest) -> Wire:
    choice, allowed = request.tool_choice, [_allowed(tool) for tool in request.callable_tools()]
    check_forced(request, allowed, NAME)
    if choice is None or not request.context.tools:
        return {}
    if choice.calling is Calling.FORBIDDEN:
        return {"tool_choice": "none"}
    if not choice.names:
        return {"tool_choice": "required" if choice.calling is Calling.FORCED else "auto"}
    if choice.calling is Calling.FORCED and len(allowed) == 1 and "name" in allowed[0]:
        return {"tool_choice": allowed[0]}
    mode = "required" if choice.calling is Calling.FORCED else "auto"
    return {"tool_choice": {"type": "allowed_tools", "mode": mode, "tools": cast("JsonValue", allowed)}}


def _allowed(tool: Tool) -> Wire:
    return {"type": WEB_SEARCH} if isinstance(tool, SearchWebTool) else {"type": "function", "name": tool.name}


def _form(answer_form: FuncTool | None) -> Wire:
    if answer_form is None:
        return {}
    return {"text": {"format": {"type": "json_schema", "strict": False, **openai_form(answer_form)}}}
