"""The AI SDK's UI message stream (AI SDK documentation, "Stream Protocols", data stream protocol), versions 5 and 6."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from typing import ClassVar, assert_never

from companion.dialects.ui_streams.contract import (
    CUT_OFF,
    ERROR,
    MOST_DATA,
    UNANSWERED,
    Part,
    counts_of,
    data_of,
    message_of,
    to_sse,
)
from companion.model.events import (
    ContentEvent,
    Custom,
    Error,
    Event,
    Raw,
    ResponseEnd,
    ResponseStart,
    StepEnd,
    StepStart,
    TextDelta,
    TextEnd,
    TextStart,
    ThinkingDelta,
    ToolCallArgsDelta,
    ToolCallEnd,
    ToolCallStart,
    ToolResult,
)
from companion.model.options import JsonValue
from companion.stream import Blob, Usage

_REASONS = {"stop": "stop", "tool": "tool-calls", "length": "length", "refused": "content-filter", "error": "error"}


class AiSdkWriter:
    """Writes one turn.

    message_id: by which the interface knows the answer. sends_raw: also what a provider sends that has no name here.

    A ``Custom`` event "source", a mapping with "url" and perhaps "title", becomes a source; "blob" becomes a file; any
    other becomes data of its name.
    """

    headers: ClassVar[Mapping[str, str]] = {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-cache",
        "x-vercel-ai-ui-message-stream": "v1",
    }

    def __init__(self, message_id: str, *, sends_raw: bool = False) -> None:
        self._message_id = message_id
        self._sends_raw = sends_raw
        self._count = 0
        self._text = self._thought = ""
        """The ids of what is open."""
        self._calls: dict[str, str] = {}
        """Open calls and the names of their tools."""
        self._unanswered: dict[str, None] = {}
        self._is_in_step = self._has_begun = self._has_ended = False

    def write(self, event: Event) -> list[Part]:
        """The parts of the next event."""
        if self._has_ended:
            return []
        match event:
            case ResponseStart():
                self._has_begun = True
                return [{"type": "start", "messageId": self._message_id}]
            case ResponseEnd(finish_reason, usage):
                return self._end(finish_reason, usage)
            case Error(error):
                return [*self._close(is_broken=True), {"type": "error", "errorText": message_of(error)}]
            case StepStart():
                return self._begin_step()
            case StepEnd():
                # The results of its calls still belong to the step.
                return self._close_words()
            case Usage():
                return []
            case _:
                return self._write_content(event)

    def stop(self) -> list[Part]:
        """Close what is open, and say that the answer was broken off."""
        if self._has_ended or not self._has_begun:
            return []
        self._has_ended = True
        return [*self._close(is_broken=True), {"type": "abort"}]

    def to_bytes(self, parts: Iterable[Part]) -> bytes:
        """The parts as server-sent events; the end of the stream behind the last."""
        written = b"".join(map(to_sse, parts))
        return written + b"data: [DONE]\n\n" if written and self._has_ended else written

    def _end(self, finish_reason: str, usage: Usage) -> list[Part]:
        parts = self._close(is_broken=False)
        self._has_ended = True
        metadata = {"usage": counts_of(usage)}
        reason = _REASONS.get(finish_reason, "other")
        return [*parts, {"type": "finish", "finishReason": reason, "messageMetadata": metadata}]

    def _write_content(self, event: ContentEvent) -> list[Part]:
        match event:
            case TextStart():
                return self._open_text()
            case TextDelta(text):
                opened = [] if self._text else self._open_text()
                return [*opened, {"type": "text-delta", "id": self._text, "delta": text}] if text else opened
            case TextEnd():
                return self._close_words()
            case ThinkingDelta():
                return self._think(event)
            case ToolCallStart() | ToolCallArgsDelta() | ToolCallEnd() | ToolResult():
                return self._write_call(event)
            case Raw(data):
                return self._datum("raw", data) if self._sends_raw else []
            case Custom("blob", Blob() as blob):
                return _file(blob)
            case Custom("source", {"url": str(url), **rest}):
                return self._source(url, rest.get("title"))
            case Custom(name, data):
                return self._datum(name, data)
            case _:
                assert_never(event)

    def _write_call(self, event: ToolCallStart | ToolCallArgsDelta | ToolCallEnd | ToolResult) -> list[Part]:
        match event:
            case ToolCallStart(call_id, name):
                self._calls[call_id] = name
                begin: Part = {"type": "tool-input-start", "toolCallId": call_id, "toolName": name}
                return [*self._close_words(), begin]
            case ToolCallArgsDelta(call_id, arguments):
                if not arguments or call_id not in self._calls:
                    return []
                return [{"type": "tool-input-delta", "toolCallId": call_id, "inputTextDelta": arguments}]
            case ToolCallEnd(call, is_cut):
                name = self._calls.pop(call.id, call.func_call.name)
                if is_cut:
                    return [_cut(call.id, name, call.func_call.arguments)]
                self._unanswered[call.id] = None
                given = {"toolCallId": call.id, "toolName": name, "input": _input(call.func_call.arguments)}
                return [{"type": "tool-input-available", **given}]
            case ToolResult(call_id, result, is_error):
                if call_id not in self._unanswered:
                    return []
                del self._unanswered[call_id]
                return [_failed(call_id, result) if is_error else _result(call_id, result)]

    def _open_text(self) -> list[Part]:
        closed = self._close_words()
        self._text = self._new_id("text")
        return [*closed, {"type": "text-start", "id": self._text}]

    def _think(self, thought: ThinkingDelta) -> list[Part]:
        parts: list[Part] = []
        if not self._thought:
            parts += self._close_words()
            self._thought = self._new_id("reasoning")
            parts.append({"type": "reasoning-start", "id": self._thought})
        if thought.text:
            parts.append({"type": "reasoning-delta", "id": self._thought, "delta": thought.text})
        sealed: dict[str, JsonValue] = {"signature": thought.signature, "redacted": thought.redacted}
        kept = {name: value for name, value in sealed.items() if value}
        return [*parts, *self._close_words(kept)] if kept else parts

    def _close_words(self, sealed: Part | None = None) -> list[Part]:
        parts: list[Part] = []
        if self._text:
            parts.append({"type": "text-end", "id": self._text})
        if self._thought:
            metadata = {"providerMetadata": {"companion": sealed}} if sealed else {}
            parts.append({"type": "reasoning-end", "id": self._thought, **metadata})
        self._text = self._thought = ""
        return parts

    def _begin_step(self) -> list[Part]:
        parts = self._close(is_broken=False)
        self._is_in_step = True
        return [*parts, {"type": "start-step"}]

    def _close(self, *, is_broken: bool) -> list[Part]:
        """Close all that is open. is_broken: calls without a result will have none; else the interface may give it."""
        parts = self._close_words()
        parts += [_cut(call_id, name, "") for call_id, name in self._calls.items()]
        if is_broken:
            parts += [_failed(call_id, UNANSWERED) for call_id in self._unanswered]
        self._calls.clear()
        self._unanswered.clear()
        if self._is_in_step:
            parts.append({"type": "finish-step"})
        self._is_in_step = False
        return parts

    def _source(self, url: str, title: object) -> list[Part]:
        named: dict[str, JsonValue] = {"title": title} if isinstance(title, str) and title else {}
        return [{"type": "source-url", "sourceId": self._new_id("source"), "url": url, **named}]

    def _datum(self, name: str, data: object) -> list[Part]:
        given = data_of(data)
        return [] if given is None else [{"type": f"data-{name}", "data": given}]

    def _new_id(self, kind: str) -> str:
        self._count += 1
        return f"{kind}-{self._count}"


def _cut(call_id: str, name: str, arguments: str) -> Part:
    given: dict[str, JsonValue] = {"toolCallId": call_id, "toolName": name, "input": arguments, "errorText": CUT_OFF}
    return {"type": "tool-input-error", **given}


def _result(call_id: str, result: str) -> Part:
    return {"type": "tool-output-available", "toolCallId": call_id, "output": result}


def _failed(call_id: str, why: str) -> Part:
    """why: as the model is told; the part says itself that it is an error."""
    return {"type": "tool-output-error", "toolCallId": call_id, "errorText": why.removeprefix(ERROR)}


def _input(arguments: str) -> JsonValue:
    """The arguments as the tool gets them; as text where they are no JSON."""
    try:
        given = data_of(json.loads(arguments)) if arguments.strip() else {}
    except (ValueError, RecursionError):
        return arguments
    return arguments if given is None else given


def _file(blob: Blob) -> list[Part]:
    data = base64.b64encode(blob.data).decode("ascii")
    if len(data) > MOST_DATA:
        return []
    return [{"type": "file", "mediaType": blob.mime_type, "url": f"data:{blob.mime_type};base64,{data}"}]
