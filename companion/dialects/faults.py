"""The errors that providers tell of, by the status of HTTP: RFC 9110, section 15, and 529 for an overload."""

from __future__ import annotations

import re
from http import HTTPStatus

from companion.errors import ContextTooLong, ModelError, ProviderFailed, Refused, Throttled

LONGEST = 300
"""Characters of a provider's words that are repeated."""
_HIDDEN = "***"
_SECRET = re.compile(
    r"""
    (?<![\w-])(?:(?:sk|pk|rk|xai)-|ya29\.|AQ\.|AIza)[\w.*-]{8,}  # known forms
    |(?<![\w-])(?:sk|pk|rk|key|gsk|ghp|hf)[-_](?=[\w.*-]*[\d*])[\w.*-]{8,}
    |(?<=bearer\s)[^\s,;"']+
    |(?<=key=)[^\s&,;"']+
    |(?<=key:\s)(?=\S*\d)[^\s&,;"']{6,}
    |\b(?=\w*\d)(?=\w*[A-Za-z])[\w-]{32,}  # anything long that looks like one
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Keys, masked ones too; a word that only begins like one has no digit."""
_AGAIN = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT)
_KEY = "check the key of this provider"
_MENDS = {
    HTTPStatus.UNAUTHORIZED: _KEY,
    HTTPStatus.FORBIDDEN: f"{_KEY}, and whether it may use this model",
    HTTPStatus.NOT_FOUND: "check the model's name and the address of the provider",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "send less",
}


def spoken(words: str) -> str:
    """A provider's words in one line, shortened and without what looks like a key."""
    line = _SECRET.sub(_HIDDEN, " ".join(words[: 4 * LONGEST].split()))
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."


def fault_of(status: int, words: str, *, after: float | None = None) -> ModelError:
    """The error of a response.

    status: of HTTP; 0 where it came in the middle of an answer.
    words: the provider's own, as they are.
    after: seconds it wants to be left alone.
    """
    said = spoken(words) or _phrase(status)
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return Throttled(said, after=after)
    if status == 0 or status in _AGAIN or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return ProviderFailed(said, status=status)
    return Refused(said, status=status, mend=_MENDS.get(HTTPStatus(status), "") if _is_known(status) else "")


def too_long(status: int, words: str, *, needed: int = 0, room: int = 0) -> ContextTooLong:
    """The error of a question that needs more tokens than the model reads; both 0 where it does not say."""
    return ContextTooLong(spoken(words), needed=needed, room=room, status=status, mend="shorten the conversation")


def _is_known(status: int) -> bool:
    return status in HTTPStatus._value2member_map_


def _phrase(status: int) -> str:
    return f"{status} {HTTPStatus(status).phrase}" if _is_known(status) else f"the provider failed with {status}"
