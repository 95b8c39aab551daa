"""The errors that providers tell of, by the status of HTTP: RFC 9110, section 15, and 529 for an overload.

And where in an answer they tell: under ``error``, as an object or in plain words; bare, as ``message``, ``detail`` or
``error`` with a ``code`` and a ``type``; in a list, as Google has it where a stream was asked for; on a gateway's page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple

from companion.errors import ContextTooLong, ModelError, ProviderFailed, Refused, Throttled
from companion.model.options import JsonValue
from companion.model.plain import to_json

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

_MOST_WORDS = 1 << 16
_LONGEST_PAGE = 10_000
_TITLE = re.compile(r"<(title|h1)[^>]{0,400}>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<(script|style)\b.*?</\1>|<[^>]{0,400}>", re.IGNORECASE | re.DOTALL)
_PAGE = re.compile(r"\s*(<!doctype html|<html|<head|<body|<h1|<center)", re.IGNORECASE)


class Told(NamedTuple):
    """What an answer says of its error.

    words: as they are. kinds: what kind of an error it is, the nearest first. fields: the object that tells of it.
    """

    words: str
    kinds: tuple[str, ...] = ()
    fields: Mapping[str, Any] = {}


def told_error(answer: JsonValue | str) -> Told:
    """What an answer says of its error, wherever it stands in it."""
    while isinstance(answer, Sequence) and not isinstance(answer, str) and answer:
        answer = answer[0]
    if isinstance(answer, str):
        return Told(page_words(answer) if looks_like_page(answer) else answer)
    if not isinstance(answer, Mapping):
        return Told(_as_words(answer))
    error = answer.get("error") or answer
    if isinstance(error, str):
        return Told(error)
    if not isinstance(error, Mapping):
        return Told("")
    kinds = (error.get(name) for name in ("code", "type"))
    words = error.get("message") or error.get("detail") or ""
    return Told(_as_words(words), tuple(kind for kind in kinds if isinstance(kind, str) and kind != "error"), error)


def _as_words(value: JsonValue) -> str:
    if isinstance(value, str) or value is None:
        return value or ""
    try:
        return to_json(value)
    except ValueError:
        return ""


def looks_like_page(text: str) -> bool:
    """Whether a text is a web page, as gateways send them."""
    return _PAGE.match(text) is not None


def page_words(text: str) -> str:
    """What a web page says in its title, else its first words."""
    import html

    text = text[:_LONGEST_PAGE]
    title = _TITLE.search(text)
    return " ".join(html.unescape(_TAG.sub(" ", title[2] if title else text)).split())[:200]


class Spoken(str):
    """Words that were shortened.

    whole: all of them, for those who know what else has to be hidden there.
    """

    whole: str

    def __new__(cls, text: str, whole: str) -> Spoken:
        self = super().__new__(cls, text)
        self.whole = whole
        return self


def spoken(words: str) -> Spoken:
    """A provider's words in one line, shortened, and without what looks like a key or what a terminal would obey."""
    words = " ".join(words[:_MOST_WORDS].split())
    whole = words if words.isprintable() else "".join(filter(str.isprintable, words))
    line = _SECRET.sub(_HIDDEN, whole[: 4 * LONGEST])
    return Spoken(line if len(line) <= LONGEST else f"{line[:LONGEST]}...", whole)


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
