"""What a provider says when it does not answer: its words, shortened and without the key, as an error of ours."""

from __future__ import annotations

import email.utils
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol, cast

from companion.dialects.faults import looks_like_page, page_words
from companion.errors import ModelError, Refused, Throttled, Unreachable, Unsupported
from companion.model import JsonValue
from companion.providers.remote.exchange import HttpHead
from companion.providers.remote.teller import Teller

MOST = 1 << 16
"""Bytes that are read of the words that come with an error."""
ERROR_SECONDS = 1.0
"""For those words to come; what went wrong is told without them then."""
LONGEST_PAUSE = 24 * 3600.0
"""Seconds; whoever asks for more gets this."""
_FORMS = re.compile(
    r"response_?format|json_?schema|response_?schema|text\.format|output_(?:config|format)|structured.?output"
    r"|\bschema\b|\bgrammar\b|\bformat\b",
    re.IGNORECASE,
)
_TOOLS = re.compile(r"\btool|\bfunction", re.IGNORECASE)
_FORM_FIELDS = re.compile(
    r"\b(?:response_?format|json_?schema|response_?(?:json_?)?schema|text\.format|output_(?:config|format))\b"
    r"|['\"`]format['\"`]",
    re.IGNORECASE,
)
_TOOL_FIELDS = re.compile(r"\b(?:tools|tool_choice|tool_?config|function_?declarations)\b", re.IGNORECASE)
_UNSERVED = re.compile(
    r"\bnot (?:\w+ )?(?:support|allow|permit|available|recogni|implement)|n't support|unsupported|unavailable"
    r"|\bunknown\b|unrecogni[sz]ed|unexpected|\bextra\b",
    re.IGNORECASE,
)
_OF_THIS_SCHEMA = re.compile(r"invalid schema|in context=", re.IGNORECASE)
_FIELD_REFUSED = (400, 422)
_MALFORMED = (400, 404, 422, 500, 501)
"""The statuses with which a request that asks for too much is refused; llama-server takes 500 for a bad grammar."""


class Tells(Protocol):
    """What a dialect of any trade can say of a failure."""

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        """The error that a response with a status of 400 and above tells of."""


def fault_of(
    head: HttpHead,
    body: bytes,
    dialect: Tells,
    *,
    teller: Teller,
    now: Callable[[], datetime] | None = None,
) -> ModelError:
    """The error of a response with a status of 400 and above.

    body: as far as it was read. teller: of the provider.
    now: the clock, for a date in ``Retry-After`` where the response says no date of its own.
    """
    text = body.decode("utf-8", "replace")
    answer = page_words(teller.words(text)) if is_page(head, text) else _json_or(text)
    fault = teller.told(dialect.fault(head.status, answer))
    if isinstance(fault, Throttled) and fault.after is None:
        fault.after = pause_asked(head, now)
    return fault


def moved(head: HttpHead, title: str) -> Refused:
    """The error of a redirect: a key and words go only where the settings say."""
    return Refused(
        f"{title} sends us to another address, and we do not follow (status {head.status})",
        status=head.status,
        mend="Check the address of the provider in the settings.",
    )


def stranger(teller: Teller, text: str) -> Unreachable:
    """The error of a web page in place of an answer: a gateway, or the login page of a network."""
    return Unreachable(
        f"a web page came in place of {teller.title}'s answer: {teller.words(page_words(teller.words(text)))}",
        mend="Check whether this network asks for a login, and the address of the provider.",
    )


def is_page(head: HttpHead, text: str) -> bool:
    """Whether a body is a web page."""
    return head.content_type in ("text/html", "application/xhtml+xml") or looks_like_page(text)


def pause_asked(head: HttpHead, now: Callable[[], datetime] | None = None) -> float | None:
    """Seconds until the provider wants to be asked again; None where it does not say.

    ``Retry-After`` is seconds or a date (RFC 9110, section 10.2.3); a date counts from the response's own.
    """
    if (milliseconds := _number(head.headers.get("retry-after-ms", ""))) is not None:
        return min(milliseconds / 1000, LONGEST_PAUSE)
    asked = head.headers.get("retry-after", "").strip()
    if (seconds := _number(asked)) is not None:
        return min(seconds, LONGEST_PAUSE)
    if (until := _date(asked)) is None:
        return None
    since = _date(head.headers.get("date", "")) or (now or _clock)()
    return min(max((until - since).total_seconds(), 0.0), LONGEST_PAUSE)


def without_form(error: ModelError) -> ModelError:
    """``error``, or Unsupported where it says that an answer cannot be held to a schema in this way."""
    return _unsupported(error, _FORMS, "no answer is held to a schema there")


def without_tools(error: ModelError) -> ModelError:
    """``error``, or Unsupported where it says that no tools are taken."""
    return _unsupported(error, _TOOLS, "no tools are taken there")


def serves_no_form(error: BaseException | None) -> bool:
    """Whether the provider says of the fields that hold an answer to a schema, whichever it is, that it has none."""
    return _serves_none(error, _FORM_FIELDS)


def serves_no_tools(error: BaseException | None) -> bool:
    """Whether the provider says of the fields of tools that it has none."""
    return _serves_none(error, _TOOL_FIELDS)


def _serves_none(error: BaseException | None, fields: re.Pattern[str]) -> bool:
    words = str(error)
    is_told = getattr(error, "status", 0) in _FIELD_REFUSED and fields.search(words) and _UNSERVED.search(words)
    return bool(is_told) and _OF_THIS_SCHEMA.search(words) is None


def _unsupported(error: ModelError, words: re.Pattern[str], why: str) -> ModelError:
    if getattr(error, "status", 0) not in _MALFORMED or not words.search(str(error)):
        return error
    refused = Unsupported(f"{why}: {error}", mend=error.mend)
    refused.__cause__ = error
    return refused


def _json_or(text: str) -> JsonValue:
    try:
        return cast(JsonValue, json.loads(text))
    except (ValueError, RecursionError):
        return text


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


def _date(text: str) -> datetime | None:
    try:
        date = email.utils.parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    return date if date.tzinfo is not None else date.replace(tzinfo=UTC)


def _clock() -> datetime:
    return datetime.now(UTC)
