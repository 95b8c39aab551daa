"""The Agent User Interaction Protocol (AG-UI documentation, "Events"), version 1.0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, assert_never

from companion.dialects.ui_streams.contract import (
    CUT_OFF,
    ERROR,
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
from companion.stream import Usage

_VERSION = "1.0"


class AgUiWriter:
    """Writes one turn, which AG-UI calls a run.

    thread_id: of the conversation. run_id: of the turn; the ids of messages are made of it.
    sends_raw: also what a provider sends that has no name here.
    """

    headers: ClassVar[Mapping[str, str]] = {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-cache",
    }

    def __init__(self, thread_id: str, run_id: str, *, sends_raw: bool = False) -> None:
        self._run: dict[str, JsonValue] = {"threadId": thread_id, "runId": run_id}
        self._run_id = run_id
        self._sends_raw = sends_raw
        self._count = 0
        self._text = self._thought = self._step = ""
        """The ids and the name of what is open."""
        self._calls: dict[str, bool] = {}
        """Open calls, and whether any of their arguments were written."""
        self._unanswered: dict[str, None] = {}
        self._has_begun = self._has_ended = False

    def write(self, event: Event) -> list[Part]:
        """The parts of the next event."""
        if self._has_ended:
            return []
        match event:
            case ResponseStart():
                self._has_begun = True
                return [{"type": "RUN_STARTED", **self._run, "protocolVersion": _VERSION}]
            case ResponseEnd(_, usage):
                return self._end(
                    {
                        "type": "RUN_FINISHED",
                        **self._run,
                        "usage": [{**counts_of(usage), "cacheWriteInputTokens": usage.stored_tokens}],
                    },
                    is_broken=False,
                )
            case Error(error):
                told = {"message": message_of(error), "code": type(error).__name__}
                # An interface takes nothing behind it, not even the end.
                return self._end({"type": "RUN_ERROR", **told}, is_broken=True)
            case StepStart(step):
                closed = self._close(is_broken=False)
                self._step = f"step {step}"
                return [*closed, {"type": "STEP_STARTED", "stepName": self._step}]
            case StepEnd():
                return [*self._close_words(), *self._close_step()]
            case Usage():
                return []
            case _:
                return self._write_content(event)

    def stop(self) -> list[Part]:
        """Close what is open, and say that the run was cancelled."""
        if self._has_ended or not self._has_begun:
            return []
        return self._end({"type": "RUN_FINISHED", **self._run, "outcome": {"type": "cancelled"}}, is_broken=True)

    def to_bytes(self, parts: Iterable[Part]) -> bytes:
        """The parts as server-sent events."""
        return b"".join(map(to_sse, parts))

    def _end(self, last: Part, *, is_broken: bool) -> list[Part]:
        closed = self._close(is_broken=is_broken)
        self._has_ended = True
        return [*closed, last]

    def _write_content(self, event: ContentEvent) -> list[Part]:
        match event:
            case TextStart():
                return self._open_text()
            case TextDelta(text):
                opened = [] if self._text else self._open_text()
                said: Part = {"type": "TEXT_MESSAGE_CONTENT", "messageId": self._text, "delta": text}
                return [*opened, said] if text else opened
            case TextEnd():
                return self._close_words()
            case ThinkingDelta():
                return self._think(event)
            case ToolCallStart() | ToolCallArgsDelta() | ToolCallEnd() | ToolResult():
                return self._write_call(event)
            case Raw(data):
                given = data_of(data) if self._sends_raw else None
                return [] if given is None else [{"type": "RAW", "event": given}]
            case Custom(name, data):
                given = data_of(data)
                return [] if given is None and data is not None else [{"type": "CUSTOM", "name": name, "value": given}]
            case _:
                assert_never(event)

    def _write_call(self, event: ToolCallStart | ToolCallArgsDelta | ToolCallEnd | ToolResult) -> list[Part]:
        match event:
            case ToolCallStart(call_id, name):
                self._calls[call_id] = False
                begin: Part = {"type": "TOOL_CALL_START", "toolCallId": call_id, "toolCallName": name}
                return [*self._close_words(), begin]
            case ToolCallArgsDelta(call_id, arguments):
                if not arguments or call_id not in self._calls:
                    return []
                self._calls[call_id] = True
                return [_arguments(call_id, arguments)]
            case ToolCallEnd(call, is_cut):
                has_arguments = self._calls.pop(call.id, True) or not call.func_call.arguments
                told = [] if has_arguments else [_arguments(call.id, call.func_call.arguments)]
                end: Part = {"type": "TOOL_CALL_END", "toolCallId": call.id}
                if is_cut:
                    return [*told, end, self._result(call.id, ERROR + CUT_OFF)]
                self._unanswered[call.id] = None
                return [*told, end]
            case ToolResult(call_id, result):
                if call_id not in self._unanswered:
                    return []
                del self._unanswered[call_id]
                return [self._result(call_id, result)]

    def _result(self, call_id: str, result: str) -> Part:
        ids = {"messageId": self._new_id(), "toolCallId": call_id}
        return {"type": "TOOL_CALL_RESULT", **ids, "content": result, "role": "tool"}

    def _open_text(self) -> list[Part]:
        closed = self._close_words()
        self._text = self._new_id()
        return [*closed, {"type": "TEXT_MESSAGE_START", "messageId": self._text, "role": "assistant"}]

    def _think(self, thought: ThinkingDelta) -> list[Part]:
        parts: list[Part] = []
        if not self._thought:
            parts += self._close_words()
            self._thought = self._new_id()
            named = {"messageId": self._thought}
            parts += [
                {"type": "REASONING_START", **named},
                {"type": "REASONING_MESSAGE_START", **named, "role": "reasoning"},
            ]
        if thought.text:
            said = {"messageId": self._thought, "delta": thought.text}
            parts.append({"type": "REASONING_MESSAGE_CONTENT", **said})
        sealed = thought.signature or thought.redacted
        return [*parts, *self._close_words(sealed)] if sealed else parts

    def _close_words(self, sealed: str = "") -> list[Part]:
        parts: list[Part] = []
        if self._text:
            parts.append({"type": "TEXT_MESSAGE_END", "messageId": self._text})
        if self._thought:
            parts.append({"type": "REASONING_MESSAGE_END", "messageId": self._thought})
            if sealed:
                value = {"subtype": "message", "entityId": self._thought, "encryptedValue": sealed}
                parts.append({"type": "REASONING_ENCRYPTED_VALUE", **value})
            parts.append({"type": "REASONING_END", "messageId": self._thought})
        self._text = self._thought = ""
        return parts

    def _close_step(self) -> list[Part]:
        step, self._step = self._step, ""
        return [{"type": "STEP_FINISHED", "stepName": step}] if step else []

    def _close(self, *, is_broken: bool) -> list[Part]:
        """Close all that is open. is_broken: calls without a result will have none; else the interface may give it."""
        parts = self._close_words()
        for call_id in self._calls:
            parts += [{"type": "TOOL_CALL_END", "toolCallId": call_id}, self._result(call_id, ERROR + CUT_OFF)]
        if is_broken:
            parts += [self._result(call_id, ERROR + UNANSWERED) for call_id in self._unanswered]
        self._calls.clear()
        self._unanswered.clear()
        return [*parts, *self._close_step()]

    def _new_id(self) -> str:
        self._count += 1
        return f"{self._run_id}-{self._count}"


def _arguments(call_id: str, arguments: str) -> Part:
    return {"type": "TOOL_CALL_ARGS", "toolCallId": call_id, "delta": arguments}
