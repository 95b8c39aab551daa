"""Writes requests to DashScope.

There are two services. Models of words alone are asked by ``text-generation``; those that see or hear, and all
questions with pictures, sound or films, by ``multimodal-generation``, where content is a list. An address that names
one of them decides; else the question does, then the model's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, cast

from companion.dialects.call_arguments import arguments_of
from companion.dialects.checks import check_asked, check_forced, check_model, check_params, offered_tools
from companion.dialects.contract import WireRequest
from companion.dialects.dashscope_service import service_url
from companion.dialects.extra_fields import with_extra
from companion.dialects.media import held_by, url_of
from companion.dialects.turns import (
    Turn,
    document,
    in_order_of_calls,
    name_of_result,
    nameless,
    only_results,
    system_text,
    turns_of,
    with_closing,
)
from companion.dialects.wire_names import WORD, Form, NameLimits, fitted_names
from companion.errors import Unsupported
from companion.model.content import Block, Kind, Link, Resource, kind_of
from companion.model.context import ModelContext
from companion.model.message import ChatRole, Contents
from companion.model.options import JsonValue, ModelParams, Thinking
from companion.model.plain import plain, to_json
from companion.model.request import Calling, ChatRequest
from companion.model.tool import FuncTool, SearchWebTool, functions_of
from companion.stream import Blob, Text, ToolCall, pcm_format
from companion.stream.wav import wav

Body = dict[str, JsonValue]

NAME: Final = "dashscope"

_LIMITS = NameLimits(Form(WORD, 64))
_WORDS = "aigc/text-generation/generation"
_MEDIA = "aigc/multimodal-generation/generation"
_SEEING = re.compile(r"-vl\b|-vl-|omni|qvq|-ocr|-audio|-image|qwen(?:3\.[5-9]|[4-9])(?!.*-max)", re.IGNORECASE)
"""Models of more than words. From Qwen 3.5 on all see, but the largest."""
_ROLES = {ChatRole.SYSTEM: "user", ChatRole.USER: "user", ChatRole.ASSISTANT: "assistant", ChatRole.TOOL: "tool"}
"""A system text counts only as the first message."""
_STREAMED = {"Accept": "text/event-stream", "X-DashScope-SSE": "enable"}


def encode(request: ChatRequest, base_url: str) -> WireRequest:
    """What is to be sent.

    Raises:
        Unsupported: a part of it has no place in this protocol.
    """
    check_model(request.model, NAME)
    request, names = fitted_names(request, _LIMITS, NAME)
    context = request.context
    has_media = any(_is_media(block) for block in _blocks(context))
    url = service_url(base_url, _MEDIA if has_media or _SEEING.search(request.model) else _WORDS)
    is_list = "/multimodal-generation/" in url
    if has_media and not is_list:
        raise Unsupported("text-generation takes words only", mend="use the address of multimodal-generation")
    body: Body = {
        "model": request.model,
        "input": {"messages": _messages(context, is_list)},
        "parameters": with_extra(_parameters(request), context.params.extra_fields),
    }
    return WireRequest(url, body, _STREAMED if request.is_streamed else {}, names)


def _blocks(context: ModelContext) -> Iterable[Block]:
    for message in context.messages:
        if isinstance(message.payload, Contents):
            yield from message.payload.parts


def _is_media(block: Block) -> bool:
    return isinstance(block, Blob | Link)


def _messages(context: ModelContext, is_list: bool) -> list[JsonValue]:
    messages: list[JsonValue] = []
    names: dict[str, str] = {}
    for turn in turns_of(nameless(with_closing(context, ChatRole.USER)), lambda role: _ROLES[role]):
        names |= {call.id: call.func_call.name for call in turn.calls}
        messages += _results(turn, names) if turn.role == "tool" else _said(turn, is_list)
    check_asked(messages, NAME)
    system = system_text(context)
    first: list[JsonValue] = [{"role": "system", "content": [{"text": system}] if is_list else system}]
    return [*first, *messages] if system else messages


def _said(turn: Turn, is_list: bool) -> Iterable[Body]:
    thoughts = "".join(thought.text for thought in turn.thoughts if not (thought.signature or thought.redacted))
    if not (turn.blocks or turn.calls or thoughts):
        return
    if is_list:
        content: JsonValue = [item for block in turn.blocks if (item := _item(block)) is not None]
    else:
        content = "\n\n".join(words for block in turn.blocks if (words := _words(block)))
    message: Body = {"role": turn.role, "content": content}
    if thoughts:
        message["reasoning_content"] = thoughts
    if turn.calls:
        message["tool_calls"] = [_call(place, call) for place, call in enumerate(turn.calls)]
    yield message


def _call(place: int, call: ToolCall) -> Body:
    function: Body = {"name": call.func_call.name, "arguments": to_json(arguments_of(call.func_call))}
    return {"index": place, "id": call.id, "type": "function", "function": function}


def _results(turn: Turn, names: Mapping[str, str]) -> Iterable[Body]:
    for result in in_order_of_calls(only_results(turn, NAME), names):
        name = name_of_result(result, names, NAME)
        yield {"role": "tool", "content": result.result, "tool_call_id": result.id, "name": name}


def _words(block: Block) -> str:
    if isinstance(block, Resource):
        if not block.text:
            raise Unsupported(f"{NAME} takes documents as words only", mend="give the text of the document")
        return document(block)
    return block.text if isinstance(block, Text) else ""


def _item(block: Block) -> Body | None:
    if not isinstance(block, Blob | Link):
        words = _words(block)
        return {"text": words} if words else None
    media = held_by(block)
    kind = kind_of(media)
    if kind not in (Kind.IMAGE, Kind.AUDIO, Kind.VIDEO):
        raise Unsupported(f"{NAME} takes no {media.mime_type}", mend="give a picture, sound, a film or words")
    return {kind.value: url_of(_with_head(media))}


def _with_head(media: Blob | Link) -> Blob | Link:
    """Sound as a file: it takes none without a head."""
    form = pcm_format(media.mime_type) if isinstance(media, Blob) else None
    if form is None or not isinstance(media, Blob):
        return media
    return Blob("audio/wav", wav(media.data, form.rate, form.channels))


def _parameters(request: ChatRequest) -> Body:
    params, tools = request.context.params, request.context.tools
    body: Body = {"result_format": "message", **_sampling(params)}
    if request.is_streamed:
        body["incremental_output"] = True
    if params.thinking is not None:
        body |= _thinking(params.thinking)
    if any(isinstance(tool, SearchWebTool) for tool in tools):
        body["enable_search"] = True
    body |= _offered(request)
    if (form := request.answer_form) is not None:
        schema: Body = {"name": form.name, "schema": _schema(form), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def _sampling(params: ModelParams) -> Body:
    instead = "set repetition_penalty among the extra fields instead"
    check_params(params, NAME, unknown=("frequency_penalty",), instead=instead)
    given: Body = {
        "temperature": params.temperature,
        "top_p": params.top_p,
        "top_k": params.top_k,
        "max_tokens": params.max_tokens,
        "seed": params.seed,
        "presence_penalty": params.presence_penalty,
        "stop": list(params.stop) if params.stop else None,
    }
    return {name: value for name, value in given.items() if value is not None}


def _thinking(thinking: Thinking) -> Body:
    """Its level is a number of tokens, or a word."""
    body: Body = {} if thinking.enabled is None else {"enable_thinking": thinking.enabled}
    if thinking.level is not None:
        level = thinking.level.strip()
        body |= {"thinking_budget": int(level)} if level.isdecimal() else {"reasoning_effort": level.lower()}
    return body


def _offered(request: ChatRequest) -> Body:
    """The tools and which of them may be called. It knows of no choice among some, so that the others are left out."""
    choice, functions = request.tool_choice, functions_of(offered_tools(request))
    check_forced(request, functions, NAME)
    if not functions:
        return {}
    offered: Body = {"tools": [_tool(tool) for tool in functions]}
    return offered if choice is None else {**offered, "tool_choice": _choice(functions, choice.calling)}


def _choice(tools: list[FuncTool], calling: Calling) -> JsonValue:
    if calling is not Calling.FORCED:
        return "none" if calling is Calling.FORBIDDEN else "auto"
    if len(tools) > 1:
        raise Unsupported(f"{NAME} cannot be made to call any of several tools", mend="name the one to be called")
    return {"type": "function", "function": {"name": tools[0].name}}


def _tool(tool: FuncTool) -> Body:
    function: Body = {"name": tool.name, "description": tool.description, "parameters": _schema(tool)}
    return {"type": "function", "function": function}


def _schema(tool: FuncTool) -> JsonValue:
    return cast(JsonValue, plain(tool.parameters))
