"""The errors of the Responses API: developers.openai.com/api/docs/guides/error-codes, and ``ResponseError``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.dialects.faults import fault_of, spoken, too_long
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


def fault(status: int, answer: JsonValue | str) -> ModelError:
    """The error of a response with a status of 400 and above."""
    kinds, words = _told(answer)
    return _fault(status or _status(kinds), kinds, words)


def fault_in_answer(error: Mapping[str, JsonValue]) -> ModelError:
    """The error that is told of in an answer; its code stands for the status that it would have had.

    One without a code that is known is the provider's own, and one about the request is not tried again.
    """
    kinds, words = _told(error)
    return _fault(_status(kinds), kinds, words or "the provider failed and does not say why")


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


def _told(answer: JsonValue | str) -> tuple[tuple[str, ...], str]:
    """What kinds of an error it is, the nearest first, and its words, wherever they stand."""
    if not isinstance(answer, Mapping):
        return (), answer if isinstance(answer, str) else ""
    error = answer.get("error") or answer
    if not isinstance(error, Mapping):
        return (), error if isinstance(error, str) else ""
    kinds = tuple(kind for name in ("code", "type") if isinstance(kind := error.get(name), str) and kind != "error")
    words = error.get("message") or error.get("detail")
    return kinds, words if isinstance(words, str) else ""
