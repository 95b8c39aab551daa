"""The words of providers are repeated short and without keys, and their status says what to do."""

from __future__ import annotations

import pytest

from companion.dialects.faults import LONGEST, fault_of, spoken, told_error, too_long
from companion.errors import ModelError, ProviderFailed, Refused, Throttled


@pytest.mark.parametrize(
    "words",
    [
        "Incorrect API key provided: sk-proj-not4realkey. You can find yours at https://h.test.",
        "Incorrect API key provided: sk-n*******ey99.",
        "API key AIzaNotARealKey0123456789 is not valid",
        "https://h.test/v1?key=n0treal&alt=sse",
        "Bearer notreal is expired",
        "invalid x-api-key: n0treal-n0treal",
        "token 0123456789abcdef0123456789abcdef is unknown",
    ],
)
def test_no_key_is_repeated(words: str) -> None:
    said = spoken(words)

    assert "***" in said
    assert not any(key in said for key in ("not4", "ey99", "NotA", "n0treal", "notreal", "0123"))


@pytest.mark.parametrize(
    "words",
    [
        "models/gemini-2.5-flash-preview-native-audio-dialog is not found for API version v1beta",
        "key_not_found_error: skip_thought_signature_validator",
        "API key: please pass a valid one",
        "Range of input length should be [1, 129024]",
    ],
)
def test_everything_else_is(words: str) -> None:
    assert spoken(words) == words


def test_words_come_in_one_short_line() -> None:
    assert spoken("It\n  says\tno.") == "It says no."
    assert len(spoken("no " * 10_000)) == LONGEST + 3


def test_words_hold_nothing_that_a_terminal_would_obey() -> None:
    assert spoken("It \x1b[2Jsays\x00 no\x9b31m\u202e.") == "It [2Jsays no31m."
    assert spoken("Wörter, 港口 🙂") == "Wörter, 港口 🙂"


@pytest.mark.parametrize(
    ("status", "kind", "retryable"),
    [
        (0, ProviderFailed, True),
        (400, Refused, False),
        (401, Refused, False),
        (408, ProviderFailed, True),
        (409, ProviderFailed, True),
        (418, Refused, False),
        (429, Throttled, True),
        (499, Refused, False),
        (500, ProviderFailed, True),
        (529, ProviderFailed, True),
    ],
)
def test_a_status_says_whether_to_ask_again(status: int, kind: type[ModelError], retryable: bool) -> None:
    fault = fault_of(status, "")

    assert type(fault) is kind
    assert fault.retryable is retryable
    assert str(fault)


def test_a_question_that_is_too_long_keeps_its_numbers() -> None:
    fault = too_long(400, "Too long.", needed=9, room=8)

    assert (fault.needed, fault.room, fault.status, fault.retryable) == (9, 8, 400, False)


@pytest.mark.parametrize(
    ("answer", "words", "kinds"),
    [
        ({"error": {"message": "no", "code": "c", "type": "t"}}, "no", ("c", "t")),
        ({"message": "no", "type": "error", "code": 400}, "no", ()),
        ([[{"error": {"message": "no"}}]], "no", ()),
        ({"error": "no"}, "no", ()),
        ({"detail": [{"msg": "no"}]}, '[{"msg": "no"}]', ()),
        ("no", "no", ()),
        ("<html><head><style>p {}</style><title>502 Bad&nbsp;Gateway</title></head></html>", "502 Bad Gateway", ()),
        ("<html><body><script>x</script><p>All<br>gone</p>", "All gone", ()),
        (None, "", ()),
        (float("nan"), "", ()),
        ([], "[]", ()),
        ({"error": 7}, "", ()),
    ],
)
def test_what_a_provider_says_is_found_wherever_it_stands(answer, words, kinds) -> None:
    told = told_error(answer)

    assert (told.words, told.kinds) == (words, kinds)
