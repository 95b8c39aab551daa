"""One message of a conversation as it is kept: what was said, when, and whether it was heard to its end."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from companion.compose.blocks import blocks_from_json, blocks_to_json
from companion.model import ChatRole, Contents, Message, ToolResult
from companion.model.plain import json_text
from companion.stream import FuncCall, Text, ToolCall

GONE = "…"
"""What stands in the place of words that were forgotten."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A message in its conversation."""

    message: Message
    at: datetime | None = None
    """Local time, with its zone."""
    interrupted: bool = False
    """Whether only the beginning of it was heard."""
    quotes: tuple[str, ...] = ()
    """Whose words may stand in it besides the user's and the program's: those of tools, pages, plugins, the memory."""
    turn: str = ""
    """What the memory calls the turn that begins with it; empty where it begins none."""

    @classmethod
    def of(
        cls,
        role: ChatRole,
        text: str,
        *,
        language: str = "",
        at: datetime | None = None,
        interrupted: bool = False,
        quotes: tuple[str, ...] = (),
        turn: str = "",
    ) -> Entry:
        """An entry of plain words."""
        return cls(Message.of(role, text, language=language), at, interrupted, quotes, turn)

    @property
    def is_tool_call(self) -> bool:
        return isinstance(self.message.payload, ToolCall)

    @property
    def is_tool_result(self) -> bool:
        return isinstance(self.message.payload, ToolResult)


def to_line(entry: Entry, *, keeps_raw_sound: bool = False) -> str:
    """The entry as a line of JSON, with its line end.

    keeps_raw_sound: also the sound of a microphone; words say where it is left out.
    """
    fields: dict[str, object] = {"role": entry.message.role.value}
    match entry.message.payload:
        case Contents((Text(text, language, None, ""),)):
            fields |= {"text": text, "language": language}
        case Contents(parts):
            fields["parts"] = blocks_to_json(parts, keeps_raw_sound=keeps_raw_sound)
        case ToolCall(id, FuncCall(name, arguments), signature):
            signed = {"signature": signature} if signature else {}
            fields["call"] = {"id": id, "name": name, "arguments": arguments, **signed}
        case ToolResult(id, result, is_error):
            failed = {"is_error": True} if is_error else {}
            fields["result"] = {"id": id, "text": result, **failed}
        case other:
            assert_never(other)
    if entry.message.name:
        fields["name"] = entry.message.name
    if entry.at is not None:
        fields["time"] = entry.at.isoformat()
    if entry.interrupted:
        fields["interrupted"] = True
    if entry.quotes:
        fields["quotes"] = list(entry.quotes)
    if entry.turn:
        fields["turn"] = entry.turn
    return json_text(fields) + "\n"


def from_line(line: bytes) -> Entry:
    """The entry of a line.

    Raises:
        ValueError: it is no entry.
    """
    try:
        fields = json.loads(line)
        if b"\\ud" in line.lower():
            json.dumps(fields, ensure_ascii=False).encode()  # half a character no model could be given
        role = ChatRole(fields["role"])
        time = fields.get("time")
        return Entry(
            Message(role, _payload(fields), str(fields.get("name", ""))),
            None if time is None else datetime.fromisoformat(time),
            bool(fields.get("interrupted", False)),
            _quotes(fields.get("quotes", [])),
            str(fields.get("turn", "")),
        )
    except (TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError("this line is no message") from error


def _quotes(marked: object) -> tuple[str, ...]:
    """What stands there marks the entry, though it be damaged."""
    return tuple(str(one) for one in marked) if isinstance(marked, list) else (str(marked),)


def _payload(fields: dict[str, object]) -> Contents | ToolCall | ToolResult:
    match fields:
        case {"call": {"id": str(id), "name": str(name), "arguments": str(arguments), **rest}}:
            return ToolCall(id, FuncCall(name, arguments), str(rest.get("signature", "")))
        case {"result": {"id": str(id), "text": str(text), **rest}}:
            return ToolResult(id, text, rest.get("is_error") is True)
        case {"parts": list(parts)}:
            return Contents(blocks_from_json(parts))
        case {"text": str(text), **rest}:
            return Contents((Text(text, str(rest.get("language", ""))),))
        case _:
            raise ValueError("this line holds no message")
