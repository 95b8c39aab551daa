"""What the server of a realtime session says (API reference, "Realtime", "Server events")."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion.dialects.openai_faults import fault
from companion.errors import ModelError, WireBroken
from companion.stream import Usage

KNOWN = frozenset(
    """conversation.created conversation.item.added conversation.item.created conversation.item.deleted
    conversation.item.done conversation.item.input_audio_transcription.delta
    conversation.item.input_audio_transcription.segment conversation.item.retrieved conversation.item.truncated
    input_audio_buffer.cleared input_audio_buffer.dtmf_event_received input_audio_buffer.timeout_triggered
    mcp_list_tools.completed mcp_list_tools.failed mcp_list_tools.in_progress output_audio_buffer.cleared
    output_audio_buffer.started output_audio_buffer.stopped rate_limits.updated response.content_part.added
    response.content_part.done response.function_call_arguments.delta response.function_call_arguments.done
    response.mcp_call.completed response.mcp_call.failed response.mcp_call.in_progress
    response.mcp_call_arguments.delta response.mcp_call_arguments.done response.output_audio.done
    response.output_audio_transcript.done response.output_item.added response.output_text.done""".split()
)
"""Events of which nothing is needed here."""


class Outcome(StrEnum):
    """How an answer ended."""

    COMPLETED = "completed"
    CANCELLED = "cancelled"
    INCOMPLETE = "incomplete"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SessionReady:
    """A session is there. is_updated: it is as it was asked for."""

    is_updated: bool


@dataclass(frozen=True, slots=True)
class VoiceBegan:
    """The server hears a voice; ``at_ms``: since the begin of the session's sound."""

    item: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class VoiceEnded:
    """The voice has ended; the server answers it by itself."""

    item: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class Committed:
    """The sound so far has become the user's message ``item``."""

    item: str


@dataclass(frozen=True, slots=True)
class Heard:
    """What the user's message says; ``is_made_out`` is False where it could not be."""

    item: str
    text: str
    is_made_out: bool = True


@dataclass(frozen=True, slots=True)
class AnswerBegan:
    """The model begins an answer."""

    answer: str


@dataclass(frozen=True, slots=True)
class Said:
    """More words of an answer: written ones, or what its sound says."""

    answer: str
    item: str
    text: str


@dataclass(frozen=True, slots=True)
class Sounded:
    """More sound of an answer: 16-bit PCM of 24 kHz. part: its place in ``item``."""

    answer: str
    item: str
    part: int
    sound: bytes


@dataclass(frozen=True, slots=True)
class Called:
    """The model calls a tool. ``call`` is the id it is answered under."""

    answer: str
    item: str
    call: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class AnswerEnded:
    """An answer is over. reason: in the provider's word. error: with which it failed."""

    answer: str
    outcome: Outcome
    reason: str
    usage: Usage
    error: ModelError | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """The server could not do what was asked for. order: the id of the client's event; empty where nobody says."""

    error: ModelError
    order: str
    code: str


@dataclass(frozen=True, slots=True)
class Noted:
    """Anything else. is_known: it is an event of the protocol."""

    name: str
    is_known: bool


RealtimeEvent = (
    SessionReady | VoiceBegan | VoiceEnded | Committed | Heard | AnswerBegan | Said | Sounded | Called | AnswerEnded
    | Trouble | Noted
)  # fmt: skip

Fields = Mapping[str, Any]


def read_event(data: str | bytes) -> RealtimeEvent:
    """One event of the server.

    Raises:
        WireBroken: it is malformed; the message names it.
    """
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise WireBroken("an event of the realtime session is no JSON") from error
    name = fields.get("type") if isinstance(fields, dict) else None
    if not isinstance(name, str):
        raise WireBroken("an event of the realtime session has no type")
    reader = _READERS.get(name)
    if reader is None:
        return Noted(name, is_known=name in KNOWN)
    try:
        return reader(fields)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise WireBroken(f"the event {name} is malformed") from error


def _text(fields: Fields, name: str) -> str:
    value = fields[name]
    if not isinstance(value, str):
        raise TypeError(name)
    return value


def _count(fields: Fields, name: str) -> int:
    value = fields[name]
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise TypeError(name)
    return value


def _said(fields: Fields) -> RealtimeEvent:
    return Said(_text(fields, "response_id"), _text(fields, "item_id"), _text(fields, "delta"))


def _sounded(fields: Fields) -> RealtimeEvent:
    try:
        sound = base64.b64decode(_text(fields, "delta"), validate=True)
    except binascii.Error as error:
        raise ValueError("delta") from error
    return Sounded(_text(fields, "response_id"), _text(fields, "item_id"), _count(fields, "content_index"), sound)


def _item_done(fields: Fields) -> RealtimeEvent:
    """A finished item tells of a call all at once, which its pieces do not in every version."""
    done = fields["item"]
    if done.get("type") != "function_call":
        return Noted("response.output_item.done", is_known=True)
    call, name = _text(done, "call_id"), _text(done, "name")
    return Called(_text(fields, "response_id"), done.get("id") or call, call, name, _text(done, "arguments"))


def _answer_ended(fields: Fields) -> RealtimeEvent:
    response = fields["response"]
    details = response.get("status_details") or {}
    told = details.get("error")
    outcome = Outcome(response["status"])
    failed = fault(0, {"error": told or {"message": "the answer failed"}}) if outcome is Outcome.FAILED else None
    reason = details.get("reason") or ""
    return AnswerEnded(_text(response, "id"), outcome, str(reason), _usage(response.get("usage") or {}), failed)


def _usage(told: Fields) -> Usage:
    cached = (told.get("input_token_details") or {}).get("cached_tokens") or 0
    return Usage(int(told.get("input_tokens") or 0), int(told.get("output_tokens") or 0), int(cached))


def _trouble(fields: Fields) -> RealtimeEvent:
    error = fields["error"]
    return Trouble(fault(0, {"error": error}), error.get("event_id") or "", error.get("code") or "")


_READERS: Mapping[str, Callable[[Fields], RealtimeEvent]] = {
    "session.created": lambda fields: SessionReady(is_updated=False),
    "session.updated": lambda fields: SessionReady(is_updated=True),
    "input_audio_buffer.speech_started": lambda fields: VoiceBegan(
        _text(fields, "item_id"), _count(fields, "audio_start_ms")
    ),
    "input_audio_buffer.speech_stopped": lambda fields: VoiceEnded(
        _text(fields, "item_id"), _count(fields, "audio_end_ms")
    ),
    "input_audio_buffer.committed": lambda fields: Committed(_text(fields, "item_id")),
    "conversation.item.input_audio_transcription.completed": lambda fields: Heard(
        _text(fields, "item_id"), _text(fields, "transcript").strip()
    ),
    "conversation.item.input_audio_transcription.failed": lambda fields: Heard(
        _text(fields, "item_id"), "", is_made_out=False
    ),
    "response.created": lambda fields: AnswerBegan(_text(fields["response"], "id")),
    "response.output_text.delta": _said,
    "response.output_audio_transcript.delta": _said,
    "response.output_audio.delta": _sounded,
    "response.output_item.done": _item_done,
    "response.done": _answer_ended,
    "error": _trouble,
}
READ = frozenset(_READERS)
"""Events of which something is read."""
