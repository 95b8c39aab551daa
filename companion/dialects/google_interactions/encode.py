"""Writes requests to the Interactions API.

The conversation goes along as steps and is not stored there. Its signatures stand in steps of their own: those of a
thought, and those that the older events gave to calls.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import assert_never, cast

from companion.dialects.call_arguments import arguments_of
from companion.dialects.checks import check_asked, check_forced, check_model, check_params
from companion.dialects.contract import WireRequest
from companion.dialects.extra_fields import with_extra
from companion.dialects.google_interactions.marks import NAME, STEP
from companion.dialects.google_media import UNKNOWN_KIND
from companion.dialects.google_names import LIMITS
from companion.dialects.media import base64_of, held_by
from companion.dialects.seals import unseal
from companion.dialects.turns import (
    Item,
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
from companion.dialects.urls import complete_url
from companion.dialects.wire_names import fitted_names
from companion.errors import Unsupported
from companion.model.content import Block, Kind, Link, Resource, Thought, kind_of
from companion.model.context import ModelContext
from companion.model.message import ChatRole, ToolResult
from companion.model.options import JsonValue, ModelParams, Thinking
from companion.model.plain import plain
from companion.model.request import Calling, ChatRequest, ToolChoice
from companion.model.tool import FuncTool, SearchWebTool, Tool, functions_of
from companion.stream import Blob, Text, ToolCall, pcm_format

Body = dict[str, JsonValue]

REVISION = "2026-05-20"
"""From it on the answer comes in steps."""
_PATH = "/v1beta/interactions"
_OFFERED = {Calling.ALLOWED: "auto", Calling.FORBIDDEN: "none", Calling.FORCED: "any"}
_ROLES = {ChatRole.SYSTEM: "user", ChatRole.USER: "user", ChatRole.ASSISTANT: "model", ChatRole.TOOL: "tool"}
_MEDIA = {Kind.IMAGE: "image", Kind.AUDIO: "audio", Kind.VIDEO: "video", Kind.BLOB: "document"}


def encode(request: ChatRequest, base_url: str) -> WireRequest:
    """What is to be sent.

    Raises:
        Unsupported: a part of it has no place in this protocol.
    """
    request, names = fitted_names(request, LIMITS, NAME)
    context = request.context
    body: Body = {
        "model": check_model(request.model, NAME).removeprefix("models/"),
        "input": _steps(context),
        "stream": request.is_streamed,
        "store": False,
    }
    if system := system_text(context):
        body["system_instruction"] = system
    if context.tools:
        body["tools"] = [_tool(tool) for tool in context.tools]
    if request.answer_form is not None:
        schema = _schema(request.answer_form)
        body["response_format"] = {"type": "text", "mime_type": "application/json", "schema": schema}
    if config := _config(request):
        body["generation_config"] = config
    url = complete_url(base_url, _PATH)
    return WireRequest(url, with_extra(body, context.params.extra_fields), {"Api-Revision": REVISION}, names)


def _steps(context: ModelContext) -> list[JsonValue]:
    steps: list[JsonValue] = []
    names: dict[str, str] = {}
    for turn in turns_of(nameless(with_closing(context, ChatRole.USER)), lambda role: _ROLES[role]):
        names |= {call.id: call.func_call.name for call in turn.calls}
        steps += _results(turn, names) if turn.role == "tool" else _said(turn)
    check_asked(steps, NAME)
    return steps


def _said(turn: Turn) -> Iterable[Body]:
    """The steps of a turn: what is said between two calls or thoughts is one."""
    content: list[JsonValue] = []
    kind = "model_output" if turn.role == "model" else "user_input"
    for item in turn.items:
        if isinstance(item, ToolCall | ToolResult | Thought):
            if content:
                yield {"type": kind, "content": content}
                content = []
            yield from _step(item)
        elif not isinstance(item, Text) or item.text:
            content.append(_content(item))
    if content:
        yield {"type": kind, "content": content}


def _step(item: Item) -> Iterable[Body]:
    if isinstance(item, Thought):
        yield from _thought(item)
    elif isinstance(item, ToolCall):
        yield from _thought(Thought("", item.signature))
        call = item.func_call
        yield {"type": "function_call", "id": item.id, "name": call.name, "arguments": arguments_of(call)}


def _thought(thought: Thought) -> Iterable[Body]:
    """Thoughts of other models, and those without a signature, are not wanted back."""
    sealed = unseal(NAME, thought.redacted or thought.signature)
    if sealed is not None and sealed.kind == STEP:
        yield cast(Body, json.loads(sealed.data))
    elif sealed is not None:
        summary: Body = {"summary": [{"type": "text", "text": thought.text}]} if thought.text else {}
        yield {"type": "thought", "signature": sealed.data, **summary}


def _results(turn: Turn, names: Mapping[str, str]) -> Iterable[Body]:
    for result in in_order_of_calls(only_results(turn, NAME), names):
        failed: Body = {"is_error": True} if result.is_error else {}
        name = name_of_result(result, names, NAME)
        told: Body = {"call_id": result.id, "name": name, "result": result.result}
        yield {"type": "function_result", **told, **failed}


def _content(block: Block) -> Body:
    match block:
        case Text(words):
            return {"type": "text", "text": words}
        case Resource():
            return _resource(block)
        case Link():
            held = held_by(block)
            return _bytes(held) if isinstance(held, Blob) else _linked(block)
        case Blob():
            return _bytes(block)
        case Thought():
            raise Unsupported("a thought is no content", mend="leave it out")
        case _:
            assert_never(block)


def _bytes(blob: Blob) -> Body:
    family = blob.mime_type.partition("/")[0].strip().lower()
    if family == "text" and not blob.mime_type.startswith("text/csv"):
        return {"type": "text", "text": blob.data.decode("utf-8", "replace")}
    if blob.mime_type == UNKNOWN_KIND:
        raise Unsupported("google-interactions takes no bytes of an unknown kind", mend="say their MIME type")
    body: Body = {"type": _MEDIA[kind_of(blob)], "data": base64_of(blob.data)}
    if (sound := pcm_format(blob.mime_type)) is not None:
        return body | {"mime_type": "audio/l16", "sample_rate": sound.rate, "channels": sound.channels}
    return body | {"mime_type": ";".join(word.strip() for word in blob.mime_type.split(";"))}


def _linked(link: Link) -> Body:
    kind: Body = {} if link.mime_type == UNKNOWN_KIND else {"mime_type": link.mime_type}
    return {"type": _MEDIA[kind_of(link)], "uri": link.url, **kind}


def _resource(resource: Resource) -> Body:
    if resource.text:
        return {"type": "text", "text": document(resource)}
    if resource.data:
        return _bytes(Blob(resource.mime_type, resource.data))
    held = held_by(Link(resource.mime_type, resource.uri))
    return _bytes(held) if isinstance(held, Blob) else {**_linked(held), "type": "document"}


def _tool(tool: Tool) -> Body:
    if isinstance(tool, SearchWebTool):
        return {"type": "google_search"}
    return {"type": "function", "name": tool.name, "description": tool.description, "parameters": _schema(tool)}


def _schema(tool: FuncTool) -> JsonValue:
    return cast(JsonValue, plain(tool.parameters))


def _config(request: ChatRequest) -> Body:
    params = request.context.params
    config = _sampling(params)
    if params.thinking is not None:
        config |= _thinking(params.thinking)
    if (choice := request.tool_choice) is not None:
        named = functions_of(request.callable_tools())
        check_forced(request, named, NAME)
        config |= {"tool_choice": _choice(choice, named)} if functions_of(request.context.tools) else {}
    return config


def _sampling(params: ModelParams) -> Body:
    check_params(params, NAME, unknown=("top_k", "frequency_penalty", "presence_penalty"))
    given: Body = {
        "temperature": params.temperature,
        "top_p": params.top_p,
        "seed": params.seed,
        "max_output_tokens": params.max_tokens,
        "stop_sequences": list(params.stop) if params.stop else None,
    }
    return {name: value for name, value in given.items() if value is not None}


def _thinking(thinking: Thinking) -> Body:
    """It cannot be switched off; the least of it stands for that."""
    level = "minimal" if thinking.level is None and thinking.enabled is False else thinking.level
    config: Body = {} if level is None else {"thinking_level": level.strip().lower()}
    if thinking.enabled is not None:
        config["thinking_summaries"] = "auto" if thinking.enabled else "none"
    return config


def _choice(choice: ToolChoice, named: list[FuncTool]) -> JsonValue:
    mode = _OFFERED[choice.calling]
    if not choice.names or choice.calling is Calling.FORBIDDEN:
        return mode
    return {"allowed_tools": {"mode": mode, "tools": [tool.name for tool in named]}} if named else "none"
