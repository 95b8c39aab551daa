"""What a realtime session knows of its conversation, so that a new session can be told after a cut.

The server keeps a conversation as long as its line lasts. Words go back as words; what the user said and nobody has
written down goes back as sound. Both are bounded: the oldest is forgotten first.
"""

from __future__ import annotations

import base64
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from companion.dialects.openai_realtime.orders import NAMES, RATE
from companion.dialects.wire_names import mapping_of
from companion.model import JsonValue

MOST_ITEMS = 64
MOST_SOUND = 2 * RATE * 120
"""Bytes: two minutes of what the user said."""


@dataclass(slots=True)
class _Held:
    """One message. sound: of the user's, until its words are known."""

    kind: str
    text: str = ""
    sound: bytes = b""
    call: str = ""
    name: str = ""
    sounded_ms: float = 0.0


class Recall:
    """The conversation as far as it has come."""

    def __init__(self) -> None:
        self._items: OrderedDict[str, _Held] = OrderedDict()
        self._unnamed = 0

    def user_said(self, text: str) -> None:
        """The user has typed a message."""
        self._add("user", _Held("user", text))

    def user_sounded(self, sound: bytes, item: str = "") -> None:
        """The user has said something; the server's name for it may come later."""
        self._add(item or "sound", _Held("user", sound=sound), is_named=bool(item))
        spare = MOST_SOUND
        for held in reversed(self._items.values()):
            spare -= len(held.sound)
            if spare < 0:
                held.sound = b""

    def named(self, item: str) -> None:
        """The oldest sound without a name is ``item``."""
        if item in self._items:
            return
        unnamed = next((key for key, held in self._items.items() if key.startswith("sound?")), None)
        if unnamed is not None:
            self._items = OrderedDict((item if key == unnamed else key, held) for key, held in self._items.items())

    def heard(self, item: str, text: str) -> None:
        """What the user said in ``item``."""
        held = self._items.get(item)
        if held is not None:
            held.text, held.sound = text, b"" if text else held.sound

    def said(self, item: str, text: str) -> None:
        """The model has said more."""
        self._answer(item).text += text

    def sounded(self, item: str, size: int) -> None:
        """So many more bytes of an answer's sound have come."""
        self._answer(item).sounded_ms += size * 500 / RATE

    def cut(self, item: str, heard_ms: float) -> None:
        """Of what the model said in ``item`` no more than this was heard; its words are kept to about there."""
        held = self._items.get(item)
        if held is None or held.kind != "assistant" or not held.sounded_ms:
            return
        kept = held.text[: int(len(held.text) * min(heard_ms / held.sounded_ms, 1.0))]
        if len(kept) < len(held.text):
            kept = kept.rpartition(" ")[0]
        held.text, held.sounded_ms = kept, heard_ms

    def called(self, item: str, call: str, name: str, arguments: str) -> None:
        """The model has called a tool."""
        self._add(item, _Held("call", arguments, call=call, name=name), is_named=True)

    def returned(self, call: str, output: str) -> None:
        """A tool has returned."""
        self._add("output", _Held("output", output, call=call))

    def items(self) -> list[dict[str, JsonValue]]:
        """The messages as a new session is to be told of them. A call without its result is left out, and so is a
        result without its call.
        """
        calls = {held.call for held in self._items.values() if held.kind == "call"}
        outputs = {held.call for held in self._items.values() if held.kind == "output"}
        names = self._names()
        told = [_told(held, names) for held in self._items.values() if not held.call or held.call in calls & outputs]
        return [one for one in told if one is not None]

    def call(self, call: str) -> dict[str, JsonValue] | None:
        """The call of that id as a new session is to be told of it."""
        calls = (held for held in self._items.values() if held.kind == "call" and held.call == call)
        return next((_told(held, self._names()) for held in calls), None)

    def _names(self) -> dict[str, str]:
        """In place of those that the model has made up and the server refuses to be told."""
        return mapping_of((held.name for held in self._items.values() if held.kind == "call"), NAMES)

    def _answer(self, item: str) -> _Held:
        if item not in self._items:
            self._add(item, _Held("assistant"), is_named=True)
        return self._items[item]

    def _add(self, key: str, held: _Held, *, is_named: bool = False) -> None:
        self._unnamed += 1
        self._items[key if is_named else f"{key}?{self._unnamed}"] = held
        while len(self._items) > MOST_ITEMS:
            self._items.popitem(last=False)


def _told(held: _Held, names: Mapping[str, str]) -> dict[str, JsonValue] | None:
    match held.kind:
        case "call":
            name = names.get(held.name, held.name)
            return {"type": "function_call", "call_id": held.call, "name": name, "arguments": held.text}
        case "output":
            return {"type": "function_call_output", "call_id": held.call, "output": held.text}
        case "user" if held.sound:
            sound = base64.b64encode(held.sound).decode("ascii")
            return _message("user", {"type": "input_audio", "audio": sound})
        case "user" if held.text:
            return _message("user", {"type": "input_text", "text": held.text})
        case "assistant" if held.text.strip():
            return _message("assistant", {"type": "output_text", "text": held.text.strip()})
    return None


def _message(role: str, content: JsonValue) -> dict[str, JsonValue]:
    return {"type": "message", "role": role, "content": [content]}
