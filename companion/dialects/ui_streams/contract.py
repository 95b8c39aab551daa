"""What a writer for web interfaces is. It is a grammar like any dialect: events in, parts out; it sends nothing.

Laws:

1. What is open is closed before the end, and before an error.
2. Nothing comes behind the end, whatever is written.
3. It holds no more than the names of what is open.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from typing import ClassVar, Protocol

from companion.errors import one_line
from companion.model.events import Event
from companion.model.options import JsonValue
from companion.model.plain import json_bytes, json_text
from companion.stream import Blob, Usage

Part = Mapping[str, JsonValue]

MOST_DATA = 8 * 1024 * 1024
"""Characters of one picture, sound or datum; a longer one is left out."""
MOST_MESSAGE = 500
"""Characters of what a person is told of an error."""
CUT_OFF = "The answer ended in the middle of this call."
UNANSWERED = "The answer ended before this call was done."
ERROR = "Error: "
"""How the result of a call that failed begins."""


class UiWriter(Protocol):
    """Writes one turn."""

    headers: ClassVar[Mapping[str, str]]
    """Of the HTTP response that carries the parts."""

    def write(self, event: Event) -> list[Part]:
        """The parts of the next event, which comes in the order of ``companion.model.event_order``."""

    def stop(self) -> list[Part]:
        """The parts that end a turn which is broken off here; none where it has ended."""

    def to_bytes(self, parts: Iterable[Part]) -> bytes:
        """The parts as the body of the response has them."""


def to_sse(part: Part) -> bytes:
    """The part as a server-sent event (WHATWG HTML, section 9.2)."""
    return b"data: " + json_bytes(part) + b"\n\n"


def data_of(value: object) -> JsonValue:
    """A datum as JSON; None where it is too long, or JSON cannot carry it."""
    if isinstance(value, Blob):
        value = {"mimeType": value.mime_type, "data": base64.b64encode(value.data).decode("ascii")}
    try:
        text = json_text(value)
    except (TypeError, ValueError):
        return None
    is_short = len(text) <= MOST_DATA
    data: JsonValue = json.loads(text) if is_short else None
    return data


def counts_of(usage: Usage) -> dict[str, JsonValue]:
    """The counts, by the names that both protocols have for them."""
    return {
        "inputTokens": usage.prompt_tokens,
        "outputTokens": usage.completion_tokens,
        "totalTokens": usage.prompt_tokens + usage.completion_tokens,
        "reasoningTokens": usage.thinking_tokens,
        "cachedInputTokens": usage.cached_tokens,
    }


def message_of(error: BaseException) -> str:
    """What a person is told of an error."""
    return one_line(error)[:MOST_MESSAGE]
