"""What the server of a realtime session says (API reference, "Realtime", "Server events")."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion.dialects.fields import Fields, broken, count, fields_of, inner, text
from companion.dialects.media import bytes_of
from companion.dialects.openai_faults import fault
from companion.errors import ModelError
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

_PLACE = "event of the realtime session"


def read_event(data: str | bytes) -> RealtimeEvent:
    """One event of the server.

    Raises:
        WireBroken: it is malformed; the message names it.
    """
    fields = fields_of(data if isinstance(data, str) else data.decode("utf-8", "replace"), _PLACE)
    name = _text(fields, "type", _PLACE)
    reader = _READERS.get(name)
    return Noted(name, is_known=name in KNOWN) if reader is None else reader(fields, f"event {name}")


def _text(fields: Fields, name: str, place: str) -> str:
    """The text of a field that has to be there."""
    return text(_with(fields, name, place), name, place)


def _count(fields: Fields, name: str, place: str) -> int:
    """The number of a field that has to be there."""
    return count(_with(fields, name, place), name, place)


def _inner(fields: Fields, name: str, place: str) -> Fields:
    """The object of a field that has to be there."""
    return inner(_with(fields, name, place), name, place)


def _with(fields: Fields, name: str, place: str) -> Fields:
    if fields.get(name) is None:
        raise broken(place, f"has no {name!r}")
    return fields


def _said(fields: Fields, place: str) -> RealtimeEvent:
    return Said(*(_text(fields, name, place) for name in ("response_id", "item_id", "delta")))


def _sounded(fields: Fields, place: str) -> RealtimeEvent:
    sound = bytes_of(_text(fields, "delta", place), place)
    response, item = _text(fields, "response_id", place), _text(fields, "item_id", place)
    return Sounded(response, item, _count(fields, "content_index", place), sound)


def _item_done(fields: Fields, place: str) -> RealtimeEvent:
    """A finished item tells of a call all at once, which its pieces do not in every version."""
    done = _inner(fields, "item", place)
    if done.get("type") != "function_call":
        return Noted("response.output_item.done", is_known=True)
    call, name, arguments = (_text(done, field, place) for field in ("call_id", "name", "arguments"))
    return Called(_text(fields, "response_id", place), text(done, "id", place) or call, call, name, arguments)


def _answer_ended(fields: Fields, place: str) -> RealtimeEvent:
    response = _inner(fields, "response", place)
    details = inner(response, "status_details", place)
    status = _text(response, "status", place)
    if status not in list(Outcome):
        raise broken(place, "its status is none that is known")
    told = details.get("error") or {"message": "the answer failed"}
    failed = fault(0, {"error": told}) if status == Outcome.FAILED else None
    usage = inner(response, "usage", place)
    return AnswerEnded(
        _text(response, "id", place), Outcome(status), text(details, "reason", place), _usage(usage, place), failed
    )


def _usage(told: Fields, place: str) -> Usage:
    cached = count(inner(told, "input_token_details", place), "cached_tokens", place)
    return Usage(count(told, "input_tokens", place), count(told, "output_tokens", place), cached)


def _trouble(fields: Fields, place: str) -> RealtimeEvent:
    error = _inner(fields, "error", place)
    return Trouble(fault(0, {"error": dict(error)}), text(error, "event_id", place), str(error.get("code") or ""))


_READERS: Mapping[str, Callable[[Fields, str], RealtimeEvent]] = {
    "session.created": lambda fields, place: SessionReady(is_updated=False),
    "session.updated": lambda fields, place: SessionReady(is_updated=True),
    "input_audio_buffer.speech_started": lambda fields, place: VoiceBegan(
        _text(fields, "item_id", place), _count(fields, "audio_start_ms", place)
    ),
    "input_audio_buffer.speech_stopped": lambda fields, place: VoiceEnded(
        _text(fields, "item_id", place), _count(fields, "audio_end_ms", place)
    ),
    "input_audio_buffer.committed": lambda fields, place: Committed(_text(fields, "item_id", place)),
    "conversation.item.input_audio_transcription.completed": lambda fields, place: Heard(
        _text(fields, "item_id", place), _text(fields, "transcript", place).strip()
    ),
    "conversation.item.input_audio_transcription.failed": lambda fields, place: Heard(
        _text(fields, "item_id", place), "", is_made_out=False
    ),
    "response.created": lambda fields, place: AnswerBegan(_text(_inner(fields, "response", place), "id", place)),
    "response.output_text.delta": _said,
    "response.output_audio_transcript.delta": _said,
    "response.output_audio.delta": _sounded,
    "response.output_item.done": _item_done,
    "response.done": _answer_ended,
    "error": _trouble,
}
READ = frozenset(_READERS)
"""Events of which something is read."""
