"""What a provider says when it does not answer, and what becomes of it."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from doubles.plain_dialect import PlainDialect

from companion.dialects.faults import page_words
from companion.errors import ModelError, ProviderFailed, Refused, Throttled, Unsupported
from companion.providers.remote.exchange import HttpHead
from companion.providers.remote.faults import (
    fault_of,
    pause_asked,
    serves_no_form,
    serves_no_tools,
    stranger,
    without_form,
    without_tools,
)
from companion.providers.remote.teller import Teller

PAGE = """<!DOCTYPE html><html><head><title>502 Bad
 Gateway</title><style>p {color: red}</style></head><body><h1>Bad gateway</h1><script>alert(1)</script></body></html>"""
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def fault(status: int, body: str, *, key: str = "", **headers: str) -> ModelError:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return fault_of(
        HttpHead(status, named), body.encode(), PlainDialect(), teller=Teller("Plain", key), now=lambda: NOON
    )


@pytest.mark.parametrize(
    ("status", "kind", "retryable"),
    [
        (400, Refused, False),
        (401, Refused, False),
        (404, Refused, False),
        (408, ProviderFailed, True),
        (409, ProviderFailed, True),
        (429, Throttled, True),
        (500, ProviderFailed, True),
        (503, ProviderFailed, True),
        (529, ProviderFailed, True),
    ],
)
def test_the_status_says_which_error_it_is(status: int, kind: type[ModelError], retryable: bool) -> None:
    error = fault(status, json.dumps({"why": "no such model"}))

    assert type(error) is kind
    assert error.retryable is retryable
    assert str(error) == "Plain: no such model"


def test_the_page_of_a_gateway_is_told_by_its_title() -> None:
    error = fault(502, PAGE, content_type="text/html")

    assert str(error) == "Plain: 502 Bad Gateway"
    assert "502 Bad Gateway" in str(fault(502, PAGE))
    assert page_words("<html><body><p>Go &amp; see</p></body></html>") == "Go & see"
    assert str(stranger(Teller("Plain"), PAGE)) == "a web page came in place of Plain's answer: 502 Bad Gateway"


@pytest.mark.parametrize("body", ["", "upstream error", "\xff\xfe", "[" * 100_000])
def test_a_body_of_any_kind_is_an_error(body: str) -> None:
    error = fault(500, body)

    assert isinstance(error, ProviderFailed)
    assert len(str(error)) < 400


def test_a_key_that_comes_back_is_not_repeated() -> None:
    key = "not-a-real-key"
    error = fault(401, json.dumps({"why": f"the key {key} is wrong"}), key=key)

    assert str(error) == "Plain: the key *** is wrong"


@pytest.mark.parametrize(
    ("headers", "after"),
    [
        ({}, None),
        ({"retry_after": "7"}, 7.0),
        ({"retry_after": "0.5"}, 0.5),
        ({"retry_after": "soon"}, None),
        ({"retry_after": "-3"}, None),
        ({"retry_after": "inf"}, None),
        ({"retry_after": "99999999"}, 86_400.0),
        ({"retry_after_ms": "250", "retry_after": "1"}, 0.25),
        ({"retry_after": "Mon, 30 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry_after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0.0),
        # The clock of the provider counts where it is told, not ours.
        ({"retry_after": "Mon, 30 Nov 2026 09:00:05 GMT", "date": "Mon, 30 Nov 2026 09:00:00 GMT"}, 5.0),
    ],
)
def test_a_provider_says_when_to_ask_again(headers: dict[str, str], after: float | None) -> None:
    error = fault(429, json.dumps({"why": "slow down"}), **headers)

    assert isinstance(error, Throttled)
    assert error.after == after
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    assert pause_asked(HttpHead(429, named), lambda: NOON) == after


@pytest.mark.parametrize(
    "words",
    [
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported",
        "unknown field: json_schema",
        "This response_format type is unavailable now",
        "text.format: not supported",
    ],
)
def test_words_about_the_form_say_that_it_is_not_served(words: str) -> None:
    error = without_form(Refused(words, status=400))

    assert isinstance(error, Unsupported)
    assert words in str(error)
    assert isinstance(error.__cause__, Refused)


def test_other_words_stay_what_they_are() -> None:
    for refused in (Refused("no such model", status=404), Refused("schema", status=401), Throttled("format")):
        assert without_form(refused) is refused
        assert without_tools(refused) is refused


def test_words_about_tools_say_that_they_are_not_served() -> None:
    assert isinstance(without_tools(Refused("this model does not support tools", status=400)), Unsupported)


@pytest.mark.parametrize(
    ("status", "words", "is_learnt"),
    [
        (400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model", True),
        (422, "Extra inputs are not permitted: response_format", True),
        (400, "Unknown name 'responseJsonSchema'", True),
        (400, "This response_format type is unavailable now", True),
        (500, "response_format is not supported", False),
        (404, "no such model: json_schema-7b is unknown", False),
        (400, "the schema is not supported", False),
        (400, "Invalid schema for response_format 'note': 'oneOf' is not permitted", False),
        (400, "response_format: temperature is too high", False),
        (400, "the format of this picture is not supported", False),
    ],
)
def test_only_words_about_the_field_that_was_sent_teach_anything(status: int, words: str, is_learnt: bool) -> None:
    assert serves_no_form(Refused(words, status=status)) is is_learnt


@pytest.mark.parametrize(
    ("status", "words", "is_learnt"),
    [
        (400, "some-model does not support tools", True),
        (400, "unexpected field: tool_choice", True),
        (501, "tools are not supported", False),
        (400, "a tool of this name is unknown", False),
        (400, "the function call has an unknown id", False),
        (400, "tools[0].name is too long", False),
    ],
)
def test_only_words_about_the_fields_of_tools_teach_that_there_are_none(
    status: int, words: str, is_learnt: bool
) -> None:
    assert serves_no_tools(Refused(words, status=status)) is is_learnt
