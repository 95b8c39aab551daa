"""The chat API of Ollama: docs.ollama.com/api/chat and /api/errors. A line of JSON for each piece of an answer."""

from __future__ import annotations

import re
from typing import Final, cast

from companion.dialects.call_arguments import arguments_of
from companion.dialects.checks import check_asked, check_params
from companion.dialects.contract import Framing, WireEvent, WireRequest
from companion.dialects.extra_fields import with_extra
from companion.dialects.fields import Fields, as_fields, as_json, count, fields_of, inner, rows, text
from companion.dialects.media import base64_of, held_by
from companion.dialects.openai_faults import fault, fault_in_event
from companion.dialects.turns import (
    Turn,
    document,
    only_results,
    system_first,
    system_text,
    tool_names,
    turns_of,
    with_closing,
)
from companion.dialects.urls import complete_url, split_url
from companion.errors import ModelError, Unsupported, WireBroken
from companion.model.calls import CallDelta
from companion.model.content import Block, Kind, Link, Resource, kind_of
from companion.model.context import ModelContext
from companion.model.deltas import Counted, Delta, Finish, Finished, RawDelta, TextDelta, ThoughtDelta
from companion.model.message import ChatRole
from companion.model.options import JsonValue, ModelParams, Thinking
from companion.model.request import Calling, ChatRequest
from companion.model.tool import FuncTool, SearchWebTool, functions_of
from companion.stream import Blob, Text, ToolCall, Usage

NAME: Final = "ollama"
LINE: Final = f"{NAME} line"
PATH = "/api/chat"
_OPTIONS = ("temperature", "top_p", "top_k", "frequency_penalty", "presence_penalty", "seed")
_TEXT = r'[^"\\\x00-\x1f]*'
_WORDS = re.compile(
    rf'\{{"model":"{_TEXT}","created_at":"{_TEXT}","message":\{{"role":"assistant","content":"({_TEXT})"\}},"done":false\}}'
).fullmatch
"""Lines are mostly of this form, and JSON that says nothing else; so they are read in half the time."""
_FINISH = {"stop": Finish.STOP, "length": Finish.LENGTH}

Wire = dict[str, JsonValue]


class Ollama:
    """``companion.dialects.contract.Dialect`` for ``/api/chat``."""

    name = NAME
    framing = Framing.NDJSON

    def encode(self, request: ChatRequest, base_url: str) -> WireRequest:
        """What is to be posted.

        Raises:
            Unsupported: a part or a parameter that the protocol has no place for.
        """
        return encode(request, base_url)

    def decoder(self) -> OllamaDecoder:
        return OllamaDecoder()

    def read(self, answer: JsonValue) -> list[Delta]:
        """The deltas of an answer that came whole, its finish signal last.

        Raises:
            WireBroken: it is no answer, or one that has not ended.
            ModelError: it tells of an error.
        """
        decoder = OllamaDecoder()
        deltas = decoder.read(as_fields(answer, f"{NAME} answer"))
        return [*deltas, *decoder.end()]

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        return fault(status, answer)


class OllamaDecoder:
    """Reads one answer."""

    def __init__(self) -> None:
        self.unknown = 0
        self._calls = 0
        self._is_finished = False

    def feed(self, event: WireEvent) -> list[Delta]:
        """The deltas of the next event.

        Raises:
            WireBroken: the line is malformed.
            ModelError: it says that the server has failed.
        """
        if (words := _WORDS(event.data)) is not None:
            return [TextDelta(said)] if (said := words[1]) else []
        return self.read(fields_of(event.data, LINE))

    def read(self, fields: Fields) -> list[Delta]:
        """What a line holds, or a whole answer.

        Raises:
            WireBroken: it is malformed.
            ModelError: it says that the server has failed.
        """
        if fields.get("error") and (error := fault_in_event(fields)) is not None:
            raise error
        if "message" not in fields and "done" not in fields:
            self.unknown += 1
            return [RawDelta(dict(fields))]
        deltas = self._said(inner(fields, "message", LINE))
        if fields.get("logprobs"):
            deltas.append(RawDelta({"logprobs": fields["logprobs"]}))
        if fields.get("done"):
            deltas += self._done(fields)
        return deltas

    def end(self) -> list[Delta]:
        """Nothing: no delta is held back.

        Raises:
            WireBroken: no line said that it is done.
        """
        if not self._is_finished:
            raise WireBroken(f"the {NAME} answer stopped before it was done")
        return []

    def _said(self, message: Fields) -> list[Delta]:
        deltas: list[Delta] = []
        if thought := text(message, "thinking", LINE):
            deltas.append(ThoughtDelta(thought))
        if words := text(message, "content", LINE):
            deltas.append(TextDelta(words))
        return deltas + [self._call(call) for call in rows(message, "tool_calls", LINE)]

    def _call(self, fields: Fields) -> CallDelta:
        """A call, which comes whole. Their places are counted here: not every version tells them."""
        function = inner(fields, "function", LINE)
        self._calls += 1
        arguments = as_json(inner(function, "arguments", LINE), LINE)
        return CallDelta(self._calls - 1, text(fields, "id", LINE), text(function, "name", LINE), arguments)

    def _done(self, fields: Fields) -> list[Delta]:
        self._is_finished = True
        usage = Usage(count(fields, "prompt_eval_count", LINE), count(fields, "eval_count", LINE))
        reason = text(fields, "done_reason", LINE)
        why = _FINISH.get(reason, Finish.STOP)
        if self._calls and why is Finish.STOP:
            why = Finish.TOOL_CALLS
        return [Counted(usage), Finished(why, reason=reason)]


def encode(request: ChatRequest, base_url: str) -> WireRequest:
    """The request, as it is posted.

    Raises:
        Unsupported: the protocol cannot carry a part of it.
    """
    # Templates of models often take only the first message for a system text.
    context = system_first(request.context)
    tools = [_tool(tool) for tool in _offered(request)]
    options = _options(context.params)
    body: Wire = {
        **({"model": request.model} if request.model else {}),
        "messages": _messages(context),
        # Where nobody says, it streams.
        "stream": request.is_streamed,
        **({"tools": cast(JsonValue, tools)} if tools else {}),
        **({"format": cast(JsonValue, request.answer_form.parameters)} if request.answer_form else {}),
        **_think(context.params.thinking),
        **({"options": options} if options else {}),
    }
    # Its own documents give addresses with and without the first part of the path.
    is_begun = split_url(base_url).path.endswith("/api")
    url = complete_url(base_url, PATH.removeprefix("/api") if is_begun else PATH)
    return WireRequest(url, with_extra(body, context.params.extra_fields))


def _messages(context: ModelContext) -> list[JsonValue]:
    names = tool_names(context.messages)
    turns = turns_of(with_closing(context, ChatRole.USER))
    messages: list[JsonValue] = [message for turn in turns for message in _turn(turn, names)]
    check_asked(messages, NAME)
    system = system_text(context)
    return [{"role": "system", "content": system}, *messages] if system else messages


def _turn(turn: Turn, names: dict[str, str]) -> list[Wire]:
    if turn.role == ChatRole.TOOL:
        return [
            {"role": "tool", "content": one.result, "tool_name": names.get(one.id, ""), "tool_call_id": one.id}
            for one in only_results(turn, NAME)
        ]
    words = [word for block in turn.blocks if (word := _words(block))]
    pictures: list[JsonValue] = [_picture(block) for block in turn.blocks if not _words(block) and not _is_empty(block)]
    message: Wire = {"role": turn.role, "content": "\n\n".join(words)}
    if pictures and turn.role != ChatRole.USER:
        raise Unsupported(f"{NAME} takes pictures of the user only", mend="let the user show it")
    message |= {"images": pictures} if pictures else {}
    if thoughts := "".join(one.text for one in turn.thoughts):
        message["thinking"] = thoughts
    if turn.calls:
        message["tool_calls"] = [_call(call) for call in turn.calls]
    return [message] if words or pictures or turn.calls else []


def _call(call: ToolCall) -> Wire:
    return {"id": call.id, "function": {"name": call.func_call.name, "arguments": arguments_of(call.func_call)}}


def _is_empty(block: Block) -> bool:
    return isinstance(block, Text) and not block.text


def _words(block: Block) -> str:
    match block:
        case Text(words):
            return words
        case Resource() if block.text:
            return document(block)
        case _:
            return ""


def _picture(block: Block) -> str:
    """The bytes in base64; whatever is none of a picture has no place."""
    if isinstance(block, Resource):
        block = Blob(block.mime_type, block.data) if block.data else Link(block.mime_type, block.uri)
    if isinstance(block, Link):
        block = held_by(block)
        if isinstance(block, Link):
            raise Unsupported(f"{NAME} fetches nothing from {block.url}", mend="give its bytes")
    if not isinstance(block, Blob) or kind_of(block) is not Kind.IMAGE:
        kind = getattr(block, "mime_type", type(block).__name__.lower())
        raise Unsupported(f"{NAME} takes words and pictures, not {kind}", mend="describe it in words")
    return base64_of(block.data)


def _offered(request: ChatRequest) -> list[FuncTool]:
    """The tools that may be called; the protocol has no word for the choice, so only those are offered."""
    tools, choice = request.context.tools, request.tool_choice
    if choice is not None and choice.calling is Calling.FORCED:
        raise Unsupported(f"{NAME} forces no tool call", mend="allow the call, or ask for an answer in a form")
    if any(isinstance(tool, SearchWebTool) for tool in tools):
        raise Unsupported(f"{NAME} does not search the web by itself", mend="offer a tool that does")
    return functions_of(request.callable_tools())


def _tool(tool: FuncTool) -> Wire:
    function = {"name": tool.name, "description": tool.description, "parameters": cast(JsonValue, tool.parameters)}
    return {"type": "function", "function": function}


def _think(thinking: Thinking | None) -> Wire:
    match thinking:
        case Thinking(enabled=False):
            return {"think": False}
        case Thinking(level=str(level)) if level:
            return {"think": level}
        case Thinking(enabled=True):
            return {"think": True}
        case _:
            return {}


def _options(params: ModelParams) -> Wire:
    check_params(params, NAME)
    given = {"num_predict": params.max_tokens, **{name: getattr(params, name) for name in _OPTIONS}}
    options: Wire = {name: value for name, value in given.items() if value is not None}
    return options | ({"stop": list(params.stop)} if params.stop else {})
