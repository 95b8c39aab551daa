"""What Google's services say where they fail: google.rpc.Status, as JSON.

Source: Google Cloud API design guide, "Errors"; Gemini API, "Troubleshooting guide".
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from companion.dialects.faults import fault_of, told_error, too_long
from companion.errors import ModelError, ProviderFailed, Refused
from companion.model.options import JsonValue

_STATUSES = {
    "INVALID_ARGUMENT": 400,
    "FAILED_PRECONDITION": 400,
    "OUT_OF_RANGE": 400,
    "UNAUTHENTICATED": 401,
    "PERMISSION_DENIED": 403,
    "NOT_FOUND": 404,
    "ABORTED": 409,
    "ALREADY_EXISTS": 409,
    "RESOURCE_EXHAUSTED": 429,
    "CANCELLED": 499,
    "DATA_LOSS": 500,
    "UNKNOWN": 500,
    "INTERNAL": 500,
    "UNIMPLEMENTED": 501,
    "UNAVAILABLE": 503,
    "DEADLINE_EXCEEDED": 504,
}
"""The status of HTTP that a code of google.rpc.Code is given."""
_NUMBERS = (
    *("", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS"),
    *("PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED"),
    *("INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"),
)
"""The codes of google.rpc.Code, by their number."""
_TOO_MANY_TOKENS = re.compile(r"token count \(?(\d+)\)? exceeds the maximum number of tokens allowed \(?(\d+)\)?")
_CLOSED = 499
"""Cancelled; by no status of HTTP, but sent as one."""
_LONGEST_WAIT = 3600.0 * 24


def google_fault(status: int, answer: JsonValue | str) -> ModelError:
    """The error of a response, or of an error that stands in the middle of an answer.

    status: of HTTP; 0 where the error itself says it.
    """
    said = told_error(answer)
    told = said.fields
    words = said.words or _text(told, "status")
    status = status or http_status(told.get("code")) or http_status(told.get("status"))
    if (tokens := _TOO_MANY_TOKENS.search(words)) is not None:
        return too_long(status, words, needed=int(tokens[1][:18]), room=int(tokens[2][:18]))
    if status == _CLOSED:
        return ProviderFailed(words, status=status)
    fault = fault_of(status, words, after=_wait(told))
    if isinstance(fault, Refused) and "API_KEY_INVALID" in _reasons(told):
        fault.mend = "check the key of this provider"
    return fault


def http_status(code: object) -> int:
    """The status of HTTP behind a code: itself, the number or the name of a google.rpc.Code; 0 where it is none."""
    if isinstance(code, str):
        name = code.rpartition("/")[2].strip().upper()
        return _STATUSES.get(name, 0) or (http_status(int(name)) if name.isdecimal() and len(name) < 4 else 0)
    if not isinstance(code, int) or isinstance(code, bool):
        return 0
    if 0 < code < len(_NUMBERS):
        return _STATUSES[_NUMBERS[code]]
    return code if 400 <= code < 600 else 0


def _text(told: Mapping[str, JsonValue], name: str) -> str:
    value = told.get(name)
    return value if isinstance(value, str) else ""


def _details(told: Mapping[str, JsonValue]) -> list[Mapping[str, JsonValue]]:
    details = told.get("details")
    if not isinstance(details, Sequence) or isinstance(details, str):
        return []
    return [detail for detail in details if isinstance(detail, Mapping)]


def _reasons(told: Mapping[str, JsonValue]) -> list[str]:
    return [_text(detail, "reason") for detail in _details(told)]


def _wait(told: Mapping[str, JsonValue]) -> float | None:
    """Seconds of google.rpc.RetryInfo ("34.07s"); None where it does not say."""
    for detail in _details(told):
        try:
            seconds = float(_text(detail, "retryDelay").removesuffix("s"))
        except ValueError:
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return min(seconds, _LONGEST_WAIT)
    return None
