"""Requests of the Messages API, written: platform.claude.com/docs/en/api/messages/create."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from companion.dialects.anthropic.content import ASSISTANT, Wire, blocks_of, is_thought, text_block
from companion.dialects.anthropic.marks import NAME
from companion.dialects.checks import check_asked, check_forced, check_params, offered_tools
from companion.dialects.contract import WireRequest
from companion.dialects.extra_fields import with_extra
from companion.dialects.schemas import ANTHROPIC
from companion.dialects.turns import Turn, nameless, system_text, turns_of, with_closing
from companion.dialects.urls import complete_url
from companion.dialects.wire_names import WORD, Form, NameLimits, fitted_names
from companion.errors import Unsupported
from companion.model.context import ModelContext
from companion.model.message import ChatRole
from companion.model.options import JsonValue, ModelParams, Thinking
from companion.model.request import Calling, ChatRequest, ToolChoice
from companion.model.tool import FuncTool, SearchWebTool, Tool
from companion.stream import Text

PATH = "/v1/messages"
VERSION = "2026-10-21"
SAMPLING_VERSION = "2023-06-01"
"""The last version that lets itself be told how to sample; the newer one refuses such a request."""
MOST_TOKENS = 16_384
"""Of an answer and the thoughts before it, where nobody says; the protocol wants a number."""
WEB_SEARCH = "web_search_20250305"
"""The version that every model has; the later ones run code beside it."""
LIMITS = NameLimits(Form(WORD, 128), Form(WORD))
_CACHED: Wire = {"type": "ephemeral"}
_SAMPLING = ("temperature", "top_p", "top_k")
_UNKNOWN = ("frequency_penalty", "presence_penalty", "seed")


def encode(request: ChatRequest, base_url: str) -> WireRequest:
    """The request, as it is posted.

    Raises:
        Unsupported: the protocol cannot carry a part of it.
    """
    request, names = fitted_names(request, LIMITS, NAME)
    context, params = request.context, request.context.params
    _check(request)
    tools: list[JsonValue] = [_tool(tool) for tool in offered_tools(request)]
    body: Wire = {
        **({"model": request.model} if request.model else {}),
        "max_tokens": MOST_TOKENS if params.max_tokens is None else params.max_tokens,
        "messages": _messages(context),
        "stream": request.is_streamed,
        **_system(context),
        **({"tools": tools} if tools else {}),
        **_tool_choice(request.tool_choice, tools),
        **_params(params, request.answer_form),
    }
    body = with_extra(body, params.extra_fields)
    version = SAMPLING_VERSION if any(name in body for name in _SAMPLING) else VERSION
    return WireRequest(complete_url(base_url, PATH), body, {"anthropic-version": version}, names)


def _check(request: ChatRequest) -> None:
    params, choice = request.context.params, request.tool_choice
    check_params(params, NAME, unknown=_UNKNOWN)
    check_forced(request, request.callable_tools(), NAME)
    is_forced = choice is not None and choice.calling is Calling.FORCED
    if is_forced and params.thinking is not None and params.thinking.enabled:
        raise Unsupported(
            f"{NAME} forces no tool call on a model that thinks", mend="allow the call, or turn thinking off"
        )


def _system(context: ModelContext) -> Wire:
    """The system texts, with those of the conversation behind them: not every model takes them in its midst."""
    spoken = (message.text.strip() for message in context.messages if message.role is ChatRole.SYSTEM)
    blocks = [text_block(text) for text in (system_text(context), *spoken) if text]
    if blocks:
        blocks[-1] = {**blocks[-1], "cache_control": _CACHED}
    return {"system": blocks} if blocks else {}


def _messages(context: ModelContext) -> list[Wire]:
    spoken = (message for message in with_closing(context, ChatRole.USER) if message.role is not ChatRole.SYSTEM)
    turns = turns_of(nameless(spoken), _role)
    written = [(turn, blocks) for turn in turns if (blocks := blocks_of(turn))]
    check_asked(written, NAME)
    _tidy_end(*written[-1])
    stable = _stable([turn for turn, _ in written], has_closing=bool(context.closing.strip()))
    _mark([blocks for _, blocks in written[:stable]])
    return [{"role": turn.role, "content": blocks} for turn, blocks in written]


def _role(role: ChatRole) -> str:
    return ASSISTANT if role is ChatRole.ASSISTANT else "user"


def _tidy_end(turn: Turn, blocks: list[Wire]) -> None:
    """An answer that is to be continued must not end in blanks."""
    if turn.role == ASSISTANT and isinstance(text := blocks[-1].get("text"), str):
        blocks[-1] = {**blocks[-1], "text": text.rstrip()}


def _stable(turns: Sequence[Turn], *, has_closing: bool) -> int:
    """How many turns will be the same in the next request: all before the closing text, which the user seems to say."""
    if not has_closing:
        return len(turns)
    spoken = (at for at, turn in enumerate(turns) if turn.role != ASSISTANT and _has_words(turn))
    return max(spoken, default=0)


def _has_words(turn: Turn) -> bool:
    return any(isinstance(one, Text) for one in turn.items)


def _mark(turns: Sequence[list[Wire]]) -> None:
    """Have all up to the last block cached. Thoughts cannot be marked."""
    blocks = turns[-1] if turns else []
    if blocks and not is_thought(blocks[-1]):
        blocks[-1] = {**blocks[-1], "cache_control": _CACHED}


def _tool(tool: Tool) -> Wire:
    if isinstance(tool, SearchWebTool):
        return {"type": WEB_SEARCH, "name": "web_search"}
    form = ANTHROPIC.form(tool.parameters) if tool.strict else None
    schema = cast("JsonValue", tool.parameters if form is None else form)
    wire: Wire = {"name": tool.name, "description": tool.description, "input_schema": schema}
    return {**wire, "strict": True} if form is not None else wire


def _tool_choice(choice: ToolChoice | None, tools: Sequence[JsonValue]) -> Wire:
    if choice is None or not tools:
        return {}
    match choice.calling:
        case Calling.FORBIDDEN:
            return {"tool_choice": {"type": "none"}}
        case Calling.FORCED if len(tools) == 1:
            (tool,) = tools
            assert isinstance(tool, dict)
            return {"tool_choice": {"type": "tool", "name": tool["name"]}}
        case Calling.FORCED:
            return {"tool_choice": {"type": "any"}}
        case Calling.ALLOWED:
            return {"tool_choice": {"type": "auto"}}


def _params(params: ModelParams, answer_form: FuncTool | None) -> Wire:
    sampling = {name: getattr(params, name) for name in _SAMPLING if getattr(params, name) is not None}
    output: Wire = {**_effort(params.thinking), **_format(answer_form)}
    return {
        **sampling,
        **({"stop_sequences": list(params.stop)} if params.stop else {}),
        **_thinking(params.thinking),
        **({"output_config": output} if output else {}),
    }


def _thinking(thinking: Thinking | None) -> Wire:
    """Its level is a word, or a number of tokens for the models before Claude 4.6."""
    match thinking:
        case Thinking(enabled=True | None, level=str(level)) if level.isdecimal():
            return {"thinking": {"type": "enabled", "budget_tokens": int(level), "display": "summarized"}}
        case Thinking(enabled=True):
            # Who asks for thoughts wants to read them; newer models leave them out where nobody says so.
            return {"thinking": {"type": "adaptive", "display": "summarized"}}
        case Thinking(enabled=False):
            return {"thinking": {"type": "disabled"}}
        case _:
            return {}


def _effort(thinking: Thinking | None) -> Wire:
    level = thinking.level if thinking is not None else None
    return {} if level is None or level.isdecimal() else {"effort": level}


def _format(answer_form: FuncTool | None) -> Wire:
    if answer_form is None:
        return {}
    schema = ANTHROPIC.form(answer_form.parameters)
    if schema is None:
        raise Unsupported(
            f"{NAME} holds no answer to the schema of {answer_form.name!r}",
            mend="name every field of its objects, or ask for it as a tool call",
        )
    return {"format": {"type": "json_schema", "schema": schema}}
