"""What a client of a realtime session says (API reference, "Realtime", "Client events")."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from companion.dialects.wire_names import WORD, Form, check_names
from companion.model import Calling, FuncTool, JsonValue, ToolChoice

RATE = 24_000
"""Hertz of the sound in both directions: 16-bit, mono."""
NAMES = Form(WORD, 64)
"""Of tools."""

Order = Mapping[str, JsonValue]
_FORMAT: Mapping[str, JsonValue] = {"type": "audio/pcm", "rate": RATE}
_CHOICES = {Calling.ALLOWED: "auto", Calling.FORBIDDEN: "none", Calling.FORCED: "required"}


class Turns(Enum):
    """Who says when the user has finished."""

    OURS = None
    """The end of the user's route."""
    BY_SILENCE = "server_vad"
    BY_MEANING = "semantic_vad"


@dataclass(frozen=True, slots=True)
class RealtimeSettings:
    """How a session shall be.

    voice, speed: of the answers. has_sound: False for answers in writing.
    transcriber: the model that writes down what the user says; empty for none. language: of the user, BCP 47's first
    part; empty to find out.
    silence_ms: after which a turn ends by silence. most_tokens: of one answer.
    """

    instructions: str = ""
    voice: str = ""
    speed: float | None = None
    has_sound: bool = True
    transcriber: str = ""
    language: str = ""
    turns: Turns = Turns.OURS
    silence_ms: int | None = None
    most_tokens: int | None = None
    tools: tuple[FuncTool, ...] = ()
    tool_choice: ToolChoice | None = None


def session(settings: RealtimeSettings, *, order: str) -> Order:
    """The session shall be like this."""
    told: dict[str, JsonValue] = {
        "type": "realtime",
        "output_modalities": ["audio" if settings.has_sound else "text"],
        "audio": {"input": _ears(settings), "output": _mouth(settings)},
    }
    if settings.instructions:
        told["instructions"] = settings.instructions
    if settings.most_tokens is not None:
        told["max_output_tokens"] = settings.most_tokens
    if tools := _offered(settings):
        told["tools"] = [_tool(tool) for tool in tools]
        told["tool_choice"] = _choice(settings.tool_choice)
    return {"type": "session.update", "event_id": order, "session": told}


def append(sound: bytes) -> Order:
    """More of the user's sound."""
    return {"type": "input_audio_buffer.append", "audio": base64.b64encode(sound).decode("ascii")}


def commit(*, order: str) -> Order:
    """The user's sound so far is a message."""
    return {"type": "input_audio_buffer.commit", "event_id": order}


def clear(*, order: str) -> Order:
    """Forget the user's sound so far."""
    return {"type": "input_audio_buffer.clear", "event_id": order}


def item(held: Mapping[str, JsonValue], *, order: str) -> Order:
    """A message of the conversation."""
    return {"type": "conversation.item.create", "event_id": order, "item": held}


def answer(*, order: str, may_call: bool = True) -> Order:
    """Answer now."""
    wish: dict[str, JsonValue] = {} if may_call else {"response": {"tool_choice": "none"}}
    return {"type": "response.create", "event_id": order, **wish}


def cancel(response: str, *, order: str) -> Order:
    """Leave off answering."""
    return {"type": "response.cancel", "event_id": order, "response_id": response}


def truncate(item: str, part: int, heard_ms: int, *, order: str) -> Order:
    """Of this message no more than so much was heard."""
    told: Order = {"item_id": item, "content_index": part, "audio_end_ms": heard_ms}
    return {"type": "conversation.item.truncate", "event_id": order, **told}


def _ears(settings: RealtimeSettings) -> JsonValue:
    turns: dict[str, JsonValue] | None = None
    if settings.turns is not Turns.OURS:
        turns = {"type": settings.turns.value, "create_response": True, "interrupt_response": True}
        if settings.turns is Turns.BY_SILENCE and settings.silence_ms is not None:
            turns["silence_duration_ms"] = settings.silence_ms
    ears: dict[str, JsonValue] = {"format": _FORMAT, "turn_detection": turns}
    if settings.transcriber:
        language: dict[str, JsonValue] = {"language": settings.language} if settings.language else {}
        ears["transcription"] = {"model": settings.transcriber, **language}
    return ears


def _mouth(settings: RealtimeSettings) -> JsonValue:
    mouth: dict[str, JsonValue] = {"format": _FORMAT}
    if settings.voice:
        mouth["voice"] = settings.voice
    if settings.speed is not None:
        mouth["speed"] = settings.speed
    return mouth


def _offered(settings: RealtimeSettings) -> list[FuncTool]:
    """The tools that may be called, since the protocol has no choice among some; where none may, all are shown."""
    choice = settings.tool_choice or ToolChoice()
    is_forbidden = choice.calling is Calling.FORBIDDEN
    tools = [tool for tool in settings.tools if is_forbidden or choice.allows(tool.name)]
    check_names(tools, NAMES, "openai-realtime")
    return tools


def _tool(tool: FuncTool) -> JsonValue:
    parameters: dict[str, JsonValue] = dict(tool.parameters)  # type: ignore[arg-type]
    return {"type": "function", "name": tool.name, "description": tool.description, "parameters": parameters}


def _choice(choice: ToolChoice | None) -> JsonValue:
    if choice is None:
        return "auto"
    if choice.calling is Calling.FORCED and len(choice.names) == 1:
        return {"type": "function", "name": choice.names[0]}
    return _CHOICES[choice.calling]
