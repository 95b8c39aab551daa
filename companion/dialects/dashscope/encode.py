"""Writes requests to DashScope.

There are two services. Models of words alone are asked by ``text-generation``; those that see or hear, and all
questions with pictures, sound or films, by ``multimodal-generation``, where content is a list. An address that names
one of them decides; else the question does, then the model's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from companion.dialects.call_arguments import arguments_of
from companion.dialects.callable_tools import functions_of, named_of
from companion.dialects.contract import WireRequest
from companion.dialects.dashscope_service import service_url
from companion.dialects.extra_fields import with_extra
from companion.dialects.media import held_by, url_of
from companion.dialects.turns import Turn, system_text, turns_of, with_closing
from companion.errors import Unsupported
from companion.model.content import Block, Kind, Link, Resource, kind_of
from companion.model.context import ModelContext
from companion.model.message import ChatRole, Contents
from companion.model.options import JsonValue, ModelParams, Thinking
from companion.model.plain import plain, to_json
from companion.model.request import Calling, ChatRequest, ToolChoice
from companion.model.tool import FuncTool, SearchWebTool, Tool
from companion.stream import Blob, Text, ToolCall

Body = dict[str, JsonValue]

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
    if not request.model:
        raise Unsupported("no model is named", mend="name a model of this provider")
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
    return WireRequest(url, body, _STREAMED if request.is_streamed else {})


def _blocks(context: ModelContext) -> Iterable[Block]:
    for message in context.messages:
        if isinstance(message.payload, Contents):
            yield from message.payload.parts


def _is_media(block: Block) -> bool:
    return isinstance(block, Blob | Link)


def _messages(context: ModelContext, is_list: bool) -> list[JsonValue]:
    messages: list[JsonValue] = []
    names: dict[str, str] = {}
    spoken = [replace(message, name="") for message in with_closing(context, ChatRole.USER)]
    for turn in turns_of(spoken, lambda role: _ROLES[role]):
        names |= {call.id: call.func_call.name for call in turn.calls}
        messages += _results(turn, names) if turn.role == "tool" else _said(turn, is_list)
    if not messages:
        raise Unsupported("nothing is asked", mend="give a message of the user")
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
    order = {call: place for place, call in enumerate(names)}
    for result in sorted(turn.results, key=lambda result: order.get(result.id, 0)):
        if result.id not in names:
            raise Unsupported(
                f"the result {result.id!r} has no call before it", mend="keep a call and its results together"
            )
        yield {"role": "tool", "content": result.result, "tool_call_id": result.id, "name": names[result.id]}


def _words(block: Block) -> str:
    if isinstance(block, Resource):
        if not block.text:
            raise Unsupported("dashscope takes documents as words only", mend="give the text of the document")
        return f"{block.uri}\n{block.text}" if block.uri else block.text
    return block.text if isinstance(block, Text) else ""


def _item(block: Block) -> Body | None:
    if not isinstance(block, Blob | Link):
        words = _words(block)
        return {"text": words} if words else None
    media = held_by(block)
    kind = kind_of(media)
    if kind not in (Kind.IMAGE, Kind.AUDIO, Kind.VIDEO):
        raise Unsupported(f"dashscope takes no {media.mime_type}", mend="give a picture, sound, a film or words")
    return {kind.value: url_of(media)}


def _parameters(request: ChatRequest) -> Body:
    params, tools = request.context.params, request.context.tools
    body: Body = {"result_format": "message", **_sampling(params)}
    if request.is_streamed:
        body["incremental_output"] = True
    if params.thinking is not None:
        body |= _thinking(params.thinking)
    if any(isinstance(tool, SearchWebTool) for tool in tools):
        body["enable_search"] = True
    body |= _offered(tools, request.tool_choice)
    if (form := request.answer_form) is not None:
        schema: Body = {"name": form.name, "schema": _schema(form), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def _sampling(params: ModelParams) -> Body:
    if params.n not in (None, 1):
        raise Unsupported(f"one answer at a time is read of dashscope, not {params.n}", mend="ask several times")
    if params.frequency_penalty is not None:
        raise Unsupported(
            "dashscope has no frequency_penalty", mend="set repetition_penalty among the extra fields instead"
        )
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


def _offered(tools: tuple[Tool, ...], choice: ToolChoice | None) -> Body:
    """The tools and which of them may be called. It knows of no choice among some, so that the others are left out."""
    functions = functions_of(tools)
    if choice is not None and choice.calling is not Calling.FORBIDDEN:
        functions = named_of(tools, choice, "dashscope")
    if not functions:
        return {}
    offered: Body = {"tools": [_tool(tool) for tool in functions]}
    return offered if choice is None else {**offered, "tool_choice": _choice(functions, choice.calling)}


def _choice(tools: list[FuncTool], calling: Calling) -> JsonValue:
    if calling is not Calling.FORCED:
        return "none" if calling is Calling.FORBIDDEN else "auto"
    if len(tools) > 1:
        raise Unsupported("dashscope cannot be made to call any of several tools", mend="name the one to be called")
    return {"type": "function", "function": {"name": tools[0].name}}


def _tool(tool: FuncTool) -> Body:
    function: Body = {"name": tool.name, "description": tool.description, "parameters": _schema(tool)}
    return {"type": "function", "function": function}


def _schema(tool: FuncTool) -> JsonValue:
    return cast(JsonValue, plain(tool.parameters))
