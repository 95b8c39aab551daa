"""Writes requests to Gemini.

Signatures go back as they came: a thought's with its text, that of words behind it in a part of its own, a call's with
the call. Results of one turn stand in the order of their calls, as the wire wants them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import assert_never, cast
from urllib.parse import quote

from companion.dialects.call_arguments import arguments_of
from companion.dialects.checks import check_asked, check_forced, check_model, check_params
from companion.dialects.contract import WireRequest
from companion.dialects.extra_fields import with_extra
from companion.dialects.gemini.marks import NAME, NO_SIGNATURE, PART, WORDS, wants_signatures
from companion.dialects.google_media import UNKNOWN_KIND
from companion.dialects.google_names import LIMITS
from companion.dialects.media import base64_of, held_by
from companion.dialects.seals import unseal
from companion.dialects.turns import (
    Item,
    document,
    in_order_of_calls,
    name_of_result,
    nameless,
    system_text,
    turns_of,
    with_closing,
)
from companion.dialects.urls import complete_url, split_url
from companion.dialects.wire_names import fitted_names
from companion.errors import Unsupported
from companion.model.content import Link, Resource, Thought
from companion.model.message import ChatRole, ToolResult
from companion.model.options import JsonValue, ModelParams, Thinking
from companion.model.plain import plain
from companion.model.request import Calling, ChatRequest, ToolChoice
from companion.model.tool import FuncTool, SearchWebTool, functions_of
from companion.stream import Blob, Text, ToolCall

Body = dict[str, JsonValue]

_METHODS = (":generateContent", ":streamGenerateContent")
_OFFERED = {Calling.ALLOWED: "AUTO", Calling.FORBIDDEN: "NONE", Calling.FORCED: "ANY"}
_ROLES = {ChatRole.SYSTEM: "user", ChatRole.USER: "user", ChatRole.ASSISTANT: "model", ChatRole.TOOL: "tool"}
"""Results are the user's too, but stand apart: nothing may come between them and their calls."""


def encode(request: ChatRequest, base_url: str) -> WireRequest:
    """What is to be sent.

    Raises:
        Unsupported: a part of it has no place in this protocol.
    """
    request, names = fitted_names(request, LIMITS, NAME)
    context = request.context
    body: Body = {"contents": _contents(request)}
    if system := system_text(context):
        body["systemInstruction"] = {"parts": [{"text": system}]}
    body |= _tools(request)
    if config := _config(request):
        body["generationConfig"] = config
    return WireRequest(_url(base_url, request), with_extra(body, context.params.extra_fields), names=names)


def _url(base_url: str, request: ChatRequest) -> str:
    """The endpoint's own URL where it names a model and a method already; their place is taken by those asked for."""
    if "#" in base_url:
        return complete_url(base_url, "")
    method = _METHODS[request.is_streamed]
    parts = split_url(base_url)
    head, _, named = parts.path.rpartition("/models/")
    is_whole = bool(head) and named.endswith(_METHODS)
    model = request.model.removeprefix("models/") or (named.rpartition(":")[0] if is_whole else "")
    suffix = f"/models/{quote(check_model(model, NAME), safe='-._~@')}{method}"
    whole = parts._replace(path=head + suffix) if is_whole else split_url(complete_url(base_url, f"/v1beta{suffix}"))
    if request.is_streamed and "alt=sse" not in whole.query.split("&"):
        whole = whole._replace(query=f"{whole.query}&alt=sse" if whole.query else "alt=sse")
    return whole.geturl()


def _contents(request: ChatRequest) -> list[JsonValue]:
    contents: list[JsonValue] = []
    names: dict[str, str] = {}
    messages = nameless(with_closing(request.context, ChatRole.USER))
    for turn in turns_of(messages, lambda role: _ROLES[role]):
        names |= {call.id: call.func_call.name for call in turn.calls}
        parts = [part for item in in_order_of_calls(turn.items, names) for part in _parts(item, names)]
        if wants_signatures(request.model):
            _excuse(parts)
        if parts:
            contents.append({"role": "model" if turn.role == "model" else "user", "parts": parts})
    check_asked(contents, NAME)
    return contents


def _excuse(parts: list[Body]) -> None:
    """Say of the first call of a turn that its signature is missing for a reason: another model called."""
    first = next((part for part in parts if "functionCall" in part), None)
    if first is not None:
        first.setdefault("thoughtSignature", NO_SIGNATURE)


def _parts(item: Item, names: Mapping[str, str]) -> Iterable[Body]:
    match item:
        case ToolCall(id, call, signature):
            part: Body = {"functionCall": {"id": id, "name": call.name, "args": arguments_of(call)}}
            yield part | _signed(signature)
        case ToolResult():
            yield _result(item, names)
        case Thought():
            yield from _thought(item)
        case Text(words):
            if words:
                yield {"text": words}
        case Blob(mime_type, data):
            yield _inline(mime_type, data)
        case Link():
            yield _linked(item)
        case Resource():
            yield _resource(item)
        case _:
            assert_never(item)


def _signed(signature: str) -> Body:
    """The field of a signature that came from here; another provider's means nothing to this one."""
    sealed = unseal(NAME, signature)
    return {"thoughtSignature": sealed.data} if sealed else {}


def _thought(thought: Thought) -> Iterable[Body]:
    """What another protocol alone can read is left out; words that nobody signed are only words."""
    sealed = unseal(NAME, thought.redacted or thought.signature)
    if sealed is None:
        if thought.text and not thought.signature:
            yield {"text": thought.text, "thought": True}
    elif sealed.kind == PART:
        yield cast(Body, json.loads(sealed.data))
    else:
        is_of_words = sealed.kind == WORDS or not thought.text
        if thought.text:
            signed: Body = {} if is_of_words else {"thoughtSignature": sealed.data}
            yield {"text": thought.text, "thought": True, **signed}
        if is_of_words:
            yield {"text": "", "thoughtSignature": sealed.data}


def _result(result: ToolResult, names: Mapping[str, str]) -> Body:
    key = "error" if result.is_error else "output"
    told: Body = {"name": name_of_result(result, names, NAME), "response": {key: result.result}}
    return {"functionResponse": {"id": result.id, **told}}


def _inline(mime_type: str, data: bytes) -> Body:
    kind = ";".join(word.strip() for word in mime_type.split(";"))
    if kind == UNKNOWN_KIND:
        raise Unsupported("gemini takes no bytes of an unknown kind", mend="say their MIME type")
    return {"inlineData": {"mimeType": kind, "data": base64_of(data)}}


def _linked(link: Link) -> Body:
    held = held_by(link)
    if isinstance(held, Blob):
        return _inline(held.mime_type, held.data)
    kind: Body = {} if link.mime_type == UNKNOWN_KIND else {"mimeType": link.mime_type}
    return {"fileData": {**kind, "fileUri": link.url}}


def _resource(resource: Resource) -> Body:
    if resource.text:
        return {"text": document(resource)}
    if resource.data:
        return _inline(resource.mime_type, resource.data)
    return _linked(Link(resource.mime_type, resource.uri))


def _tools(request: ChatRequest) -> Body:
    offered, choice = request.context.tools, request.tool_choice
    declared: list[JsonValue] = [
        {"name": tool.name, "description": tool.description, "parametersJsonSchema": _schema(tool)}
        for tool in functions_of(offered)
    ]
    tools: list[JsonValue] = [{"functionDeclarations": declared}] if declared else []
    tools += [{"googleSearch": {}}] if any(isinstance(tool, SearchWebTool) for tool in offered) else []
    body: Body = {"tools": tools} if tools else {}
    named = functions_of(request.callable_tools())
    check_forced(request, named, NAME)
    if choice is not None and declared:
        body["toolConfig"] = {"functionCallingConfig": _choice(choice, named)}
    return body


def _schema(tool: FuncTool) -> JsonValue:
    return cast(JsonValue, plain(tool.parameters))


def _choice(choice: ToolChoice, named: list[FuncTool]) -> Body:
    if not choice.names or choice.calling is Calling.FORBIDDEN:
        return {"mode": _OFFERED[choice.calling]}
    # AUTO takes no names; VALIDATED lets the model answer in words too.
    mode = "ANY" if choice.calling is Calling.FORCED else "VALIDATED"
    return {"mode": mode, "allowedFunctionNames": [tool.name for tool in named]} if named else {"mode": "NONE"}


def _config(request: ChatRequest) -> Body:
    params = request.context.params
    config = _sampling(params)
    if params.thinking is not None and (thinking := _thinking(params.thinking)):
        config["thinkingConfig"] = thinking
    if request.answer_form is not None:
        config["responseMimeType"] = "application/json"
        config["responseJsonSchema"] = _schema(request.answer_form)
    return config


def _sampling(params: ModelParams) -> Body:
    check_params(params, NAME)
    given: Body = {
        "temperature": params.temperature,
        "topP": params.top_p,
        "topK": params.top_k,
        "maxOutputTokens": params.max_tokens,
        "stopSequences": list(params.stop) if params.stop else None,
        "frequencyPenalty": params.frequency_penalty,
        "presencePenalty": params.presence_penalty,
        "seed": params.seed,
    }
    return {name: value for name, value in given.items() if value is not None}


def _thinking(thinking: Thinking) -> Body:
    """Its level is a word, or a number of tokens for the models before Gemini 3."""
    config: Body = {} if thinking.enabled is None else {"includeThoughts": thinking.enabled}
    if thinking.level is not None:
        level = thinking.level.strip()
        return config | ({"thinkingBudget": int(level)} if level.isdecimal() else {"thinkingLevel": level.upper()})
    return config | ({"thinkingBudget": 0} if thinking.enabled is False else {})
