"""The errors of the Messages API: platform.claude.com/docs/en/api/errors, "HTTP errors" and "Error shapes"."""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.dialects.faults import fault_of, told_error, too_long
from companion.errors import ModelError
from companion.model.options import JsonValue

_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "conflict_error": 409,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_TOO_LONG = (
    re.compile(r"prompt is too long(?:: (?P<needed>\d+) tokens > (?P<room>\d+))?"),
    re.compile(r"input length and `?max_tokens`? exceed context limit: (?P<needed>\d+) \+ \d+ > (?P<room>\d+)"),
    re.compile(r"request \((?P<needed>\d+) tokens\) exceeds the available context size \((?P<room>\d+) tokens\)"),
    re.compile(r"exceed(?:s|ed)? (?:the )?(?:available |maximum )?context"),
)
"""The third is llama-server's."""
_SPENT = re.compile(r"credit balance is too low")


def fault(status: int, answer: JsonValue | str) -> ModelError:
    """The error of a response with a status of 400 and above."""
    told = told_error(answer)
    kind = next(iter(told.kinds), "")
    return _fault(status or _STATUS.get(kind, 0), told.words or kind)


def fault_in_answer(error: Mapping[str, JsonValue]) -> ModelError:
    """The error that is told of in the middle of an answer; its type stands for the status that it would have had."""
    told = told_error(error)
    kind = next(iter(told.kinds), "")
    return _fault(_STATUS.get(kind, 0), told.words or kind or "the provider failed and does not say why")


def _fault(status: int, words: str) -> ModelError:
    for pattern in _TOO_LONG if status in (0, 400, 413) else ():
        if (found := pattern.search(words)) is not None:
            numbers = {name: int(number) for name, number in found.groupdict().items() if number}
            return too_long(status, words, needed=numbers.get("needed", 0), room=numbers.get("room", 0))
    fault = fault_of(status, words)
    if status == _STATUS["billing_error"] or _SPENT.search(words):
        fault.mend = "add credit to your account with Anthropic"
    return fault
