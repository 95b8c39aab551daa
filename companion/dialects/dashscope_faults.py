"""What DashScope says where it fails: a code in words, which counts for more than the status beside it.

Source: Alibaba Cloud Model Studio, "Error messages".
"""

from __future__ import annotations

import json
import re

from companion.dialects.faults import fault_of, told_error, too_long
from companion.errors import ModelError, Refused
from companion.model.options import JsonValue

_STATUSES = (
    ("throttling", 429),
    ("limitrequests", 429),
    ("limit_requests", 429),
    ("ratequota", 429),
    ("invalidapikey", 401),
    ("invalid_api_key", 401),
    ("notauthorized", 401),
    ("accessdenied", 403),
    ("access_denied", 403),
    ("model.accessdenied", 403),
    ("workspace.accessdenied", 403),
    ("allocationquota", 403),
    ("modelnotfound", 404),
    ("model_not_found", 404),
    ("requesttimeout", 408),
    ("internalerror", 500),
    ("internal_error", 500),
    ("systemerror", 500),
    ("modelservicefailed", 500),
    ("serviceunavailable", 503),
    ("modelunavailable", 503),
    ("modelservingerror", 503),
    ("responsetimeout", 504),
)
"""The status of HTTP behind a code, by how the code begins."""
_TOO_MANY, _BAD = 429, 400
_BLOCKED = re.compile(r"data_?inspection_?failed", re.IGNORECASE)
_INPUT_LENGTH = re.compile(r"[Rr]ange of input length should be \[\d+, ?(\d{1,12})\]|[Ii]nput length exceeds")
_MENDS = {
    "arrearage": "settle the account of this provider",
    "allocationquota.freetieronly": "the free quota is used up; allow paid use at this provider",
}


def is_refusal(code: str) -> bool:
    """Whether what was asked or answered did not pass the inspection of the provider."""
    return _BLOCKED.fullmatch(code) is not None


def dashscope_fault(status: int, answer: JsonValue | str) -> ModelError:
    """The error of a response, or of an event of errors.

    status: of HTTP; 0 in the middle of an answer, where the code says it.
    """
    told = told_error(_data_of(answer) if isinstance(answer, str) else answer)
    code, words = next(iter(told.kinds), ""), told.words
    coded = _status_of(code)
    status = coded if coded == _TOO_MANY or not status else status
    if (length := _INPUT_LENGTH.search(words)) is not None:
        return too_long(status or _BAD, words, room=int(length[1] or 0))
    fault = fault_of(status, words or code)
    if isinstance(fault, Refused) and (mend := _MENDS.get(code.lower())):
        fault.mend = mend
    return fault


def _status_of(code: str) -> int:
    """0 where there is no code."""
    lowered = code.lower()
    found = next((status for begin, status in _STATUSES if lowered.startswith(begin)), 0)
    return found or (_BAD if code else 0)


def _data_of(body: str) -> JsonValue:
    """What was said where a stream was asked for: it may stand in the data of an event."""
    for line in body.splitlines():
        if line.startswith("data:"):
            try:
                value: JsonValue = json.loads(line[5:])
            except (ValueError, RecursionError):
                break
            return value
    return body
