"""What a provider says where it does not serve a request that is no chat: errors in the shapes that are about.

- OpenAI and those that follow it: ``{"error": {"message", "code", "type"}}``; Ollama: ``{"error": "..."}``.
- DashScope and Cohere: ``{"message": "...", "code": "..."}``; Jina and FastAPI servers: ``{"detail": "..."}``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.dialects.faults import fault_of, too_long
from companion.errors import ModelError
from companion.model.options import JsonValue

_TOO_LONG = re.compile(
    r"context.length.exceeded|maximum (?:context|input) length|exceeds? the (?:context|maximum)|too many tokens"
    r"|input (?:length|text) .{0,40}(?:exceed|too long|larger than)|too large to process"
    r"|longer than the .{0,20}context",
    re.IGNORECASE,
)
_BUSY = re.compile(r"throttl|rate.?limit|too.?many.?requests", re.IGNORECASE)
_ITS_OWN = re.compile(r"internal|unavailable|timeout|server.?error|overload", re.IGNORECASE)
_TOO_MANY, _BAD = 429, 400


def fault_in(status: int, answer: JsonValue | str) -> ModelError:
    """The error of a response with a status of 400 and above.

    answer: its body, as JSON where it is some.
    """
    words, code = _words(answer)
    if status < 500 and _TOO_LONG.search(f"{code} {words}"):
        return too_long(status, words)
    return fault_of(status, words or code)


def failure(code: str, words: str) -> ModelError:
    """The error that a provider tells of within an answer, which has no status; its ``code`` says whose fault it is."""
    if _BUSY.search(code):
        return fault_of(_TOO_MANY, words or code)
    if not code or _ITS_OWN.search(code):
        return fault_of(0, words or code)
    return fault_of(_BAD, words or code)


def _words(answer: JsonValue | str) -> tuple[str, str]:
    """A provider's words and its code for them."""
    if isinstance(answer, str):
        return answer, ""
    if not isinstance(answer, Mapping):
        return "", ""
    told = answer.get("error", answer)
    if isinstance(told, str):
        return told, ""
    if not isinstance(told, Mapping):
        return "", ""
    words = next((told[name] for name in ("message", "detail", "error") if isinstance(told.get(name), str)), "")
    code = next((told[name] for name in ("code", "type") if isinstance(told.get(name), str)), "")
    return str(words), str(code)
