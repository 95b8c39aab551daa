"""The errors of OpenAI's protocols, in the shapes that their many providers have for them.

Source: developers.openai.com/api/docs/guides/error-codes, and ``ResponseError``. llama-server and OpenRouter put a
status into the code, and OpenRouter the words of the provider behind it into ``metadata``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from companion.dialects.faults import Told, fault_of, spoken, told_error, too_long
from companion.errors import ModelError, Refused
from companion.model.options import JsonValue

_STATUS = {
    "server_error": 500,
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "vector_store_timeout": 504,
    "authentication_error": 401,
    "invalid_api_key": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "model_not_found": 404,
    "overloaded_error": 503,
    "server_is_overloaded": 503,
    "slow_down": 503,
    "internal_error": 500,
    "api_error": 500,
}
_TOO_LONG = "context_length_exceeded"
_SPENT = ("insufficient_quota", "billing_hard_limit_reached", "billing_not_active")
"""Comes with the status of being asked too often, but waiting does not help."""
_PAUSE = re.compile(r"try again in (?P<number>\d+(?:\.\d+)?)(?P<unit>ms|s)\b")
_WORDS = re.compile(
    r"exceeds the context window|maximum context length|exceed(?:s|ed)? (?:the )?(?:available |maximum )?context"
)
_NUMBERS = (
    re.compile(
        r"maximum context length is (?P<room>\d+) tokens.*?(?:requested|resulted in|contains at least) (?P<needed>\d+)"
    ),
    re.compile(r"request \((?P<needed>\d+) tokens\) exceeds the available context size \((?P<room>\d+) tokens\)"),
)
"""The second is llama-server's."""


_PLAIN = re.compile(
    r"\W*(?:error|bad gateway|service|gateway|upstream|internal|too many|unauthori|forbidden|<)", re.IGNORECASE
)
_GATEWAY = 502
_INPUT_TOO_LONG = re.compile(
    r"context.length.exceeded|maximum (?:context|input) length|exceeds? the (?:context|maximum)|too many tokens"
    r"|input (?:length|text) .{0,40}(?:exceed|too long|larger than)|too large to process"
    r"|longer than the .{0,20}context",
    re.IGNORECASE,
)


def fault(status: int, answer: JsonValue | str) -> ModelError:
    """The error of a response with a status of 400 and above, or of 0 within an answer.

    There its code stands for the status that it would have had. One without a code that is known is the provider's own,
    and one about the request is not tried again.
    """
    told = told_error(answer)
    code = told.fields.get("code")
    if type(code) is int and 400 <= code < 600:
        # Within an answer or behind a gateway, the code says more than the status of the line.
        status = code
    return _fault(status or _status(told.kinds), told.kinds, _words(told))


def fault_of_input(status: int, answer: JsonValue | str) -> ModelError:
    """The same of services that take texts to read and not conversations, and refuse long ones in many words."""
    told = told_error(answer)
    if status < HTTPStatus.INTERNAL_SERVER_ERROR and _INPUT_TOO_LONG.search(" ".join((*told.kinds, told.words))):
        return too_long(status, told.words)
    return fault(status, answer)


def fault_in_answer(error: Mapping[str, JsonValue]) -> ModelError:
    """The error that is told of in an answer, which may say nothing else."""
    told = told_error(error)
    return fault(0, error if told.words else {**told.fields, "message": "the provider failed and does not say why"})


def fault_in_event(fields: Mapping[str, Any]) -> ModelError | None:
    """The error that an event tells of; None where it tells of none."""
    if fields.get("error"):
        return fault(0, fields)
    is_bare = "choices" not in fields and (fields.get("object") == "error" or fields.get("type") == "error")
    return fault(0, fields) if is_bare or isinstance(fields.get("detail"), str) else None


def fault_in_words(data: str) -> ModelError | None:
    """The error that plain words in place of JSON tell of; None where they are no words of an error."""
    return fault(_GATEWAY, data) if _PLAIN.match(data) else None


def _words(told: Told) -> str:
    """What it says, with the words of the provider behind a router."""
    metadata = told.fields.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, Mapping) else None
    return f"{told.words}: {raw}" if isinstance(raw, str) and raw else told.words


def _status(kinds: tuple[str, ...]) -> int:
    for kind in kinds:
        if kind in _STATUS:
            return _STATUS[kind]
    is_about_request = any(kind.startswith(("invalid", "image_", "unsupported")) or kind in _OURS for kind in kinds)
    return 400 if is_about_request else 0


_OURS = (
    _TOO_LONG,
    "bio_policy",
    "misalignment_policy_violation",
    "data_residency_mismatch",
    "empty_image_file",
    "failed_to_download_image",
    "exceed_context_size_error",
)


def _fault(status: int, kinds: tuple[str, ...], words: str) -> ModelError:
    is_long = _TOO_LONG in kinds or "exceed_context_size_error" in kinds or _WORDS.search(words) is not None
    if is_long and status in (0, 400, 413):
        found = next((match for pattern in _NUMBERS if (match := pattern.search(words)) is not None), None)
        numbers = {name: int(number) for name, number in found.groupdict().items()} if found is not None else {}
        return too_long(status or 400, words, needed=numbers.get("needed", 0), room=numbers.get("room", 0))
    if any(kind in _SPENT for kind in kinds):
        return Refused(spoken(words), status=status or 402, mend="add credit to your account with this provider")
    return fault_of(status, words or next(iter(kinds), ""), after=_pause(words))


def _pause(words: str) -> float | None:
    """Seconds that the words ask for."""
    found = _PAUSE.search(words)
    if found is None:
        return None
    return float(found["number"]) / (1000 if found["unit"] == "ms" else 1)
