"""The errors of chat completions, in the shapes that their many providers have for them.

OpenAI's ``{"error": {"message", "type", "code"}}``; llama-server's and OpenRouter's with a status as the code; plain
words under ``error``; bare ``{"message", "type", "code"}`` of Mistral and vLLM; ``{"detail"}`` of FastAPI; a page of a
gateway.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from companion.dialects.openai_responses.faults import fault as fault_as_openai
from companion.errors import ModelError
from companion.model.options import JsonValue
from companion.model.plain import to_json

_PLAIN = re.compile(
    r"\W*(?:error|bad gateway|service|gateway|upstream|internal|too many|unauthori|forbidden|<)", re.IGNORECASE
)
_TAG = re.compile(r"<(?:script|style)\b.*?</(?:script|style)>|<[^>]{0,400}>", re.DOTALL | re.IGNORECASE)
_LONGEST_PAGE = 10_000
_GATEWAY = 502


def fault(status: int, answer: JsonValue | str) -> ModelError:
    """The error of a response with a status of 400 and above, or of 0 within an answer."""
    if isinstance(answer, str):
        return fault_as_openai(status, _TAG.sub(" ", answer[:_LONGEST_PAGE]))
    error = _error(answer)
    code = error.get("code")
    if type(code) is int and 400 <= code < 600:
        # Within an answer or behind a gateway, the code says more than the status of the line.
        status = code
    return fault_as_openai(status, {**error, "message": _words(error)})


def fault_in_event(fields: Mapping[str, Any]) -> ModelError | None:
    """The error that an event tells of; None where it tells of none."""
    if fields.get("error"):
        return fault(0, fields)
    is_bare = "choices" not in fields and (fields.get("object") == "error" or fields.get("type") == "error")
    return fault(0, fields) if is_bare or isinstance(fields.get("detail"), str) else None


def fault_in_words(data: str) -> ModelError | None:
    """The error that plain words in place of JSON tell of; None where they are no words of an error."""
    return fault(_GATEWAY, data) if _PLAIN.match(data) else None


def _error(answer: JsonValue) -> dict[str, Any]:
    """The object that tells of the error, wherever it stands."""
    if isinstance(answer, list | tuple) and answer:
        # Google wraps it into a list.
        return _error(answer[0])
    if not isinstance(answer, Mapping):
        return {"message": to_json(answer)}
    error = answer.get("error")
    if isinstance(error, Mapping):
        return dict(error)
    return {"message": error} if isinstance(error, str) and error else dict(answer)


def _words(error: Mapping[str, Any]) -> str:
    """What it says, with the words of the provider behind a router."""
    words = error.get("message") or error.get("detail") or ""
    words = words if isinstance(words, str) else to_json(words)
    metadata = error.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, Mapping) else None
    return f"{words}: {raw}" if isinstance(raw, str) and raw else words
