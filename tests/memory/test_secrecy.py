"""Secrets are not stored, however they are told; ordinary sentences with numbers are.

The patterns were made with the half called "seen"; the other half was not looked at. Each bound is a little below what
is reached, so that losing something shows.
"""

from __future__ import annotations

import time

import pytest
from memory.household.read import read_toml

from companion.memory.secrecy import in_digits, why_secret, why_secret_text

MOST_MISSED = {"seen": 0, "unseen": 3}
MOST_FALSE_ALARMS = 2


@pytest.mark.parametrize("half", ["seen", "unseen"])
def test_secrets_are_known_however_they_are_told(half: str) -> None:
    missed = [text for text in read_toml("secrets.toml")["secret"][half] if not why_secret_text(text)]

    assert len(missed) <= MOST_MISSED[half], missed


def test_ordinary_sentences_with_numbers_are_no_secrets() -> None:
    alarms = [text for text in read_toml("secrets.toml")["ordinary"]["said"] if why_secret_text(text)]

    assert len(alarms) <= MOST_FALSE_ALARMS, alarms


@pytest.mark.parametrize(
    ("spoken", "written"),
    [
        ("four seven one one", "4711"),
        ("double four oh nine", "4409"),
        ("it is one", "it is one"),
        ("一二三四", "1234"),
        ("二三", "二三"),
    ],
)
def test_digits_that_are_spoken_one_by_one_are_written_as_such(spoken: str, written: str) -> None:
    assert in_digits(spoken).strip() == written


@pytest.mark.parametrize(
    "fact",
    [
        ("user", "password", "tulip"),
        ("user", "has_pin", "4711"),
        ("front door", "door_code", "4711"),
        ("front door", "opens_with", "4711"),
        ("user", "pays_with", "4111 1111 1111 1111"),
        ("user", "asked_to_remember", "the gate is 1984"),
        ("我", "密码", "郁金香"),
    ],
)
def test_facts_that_are_secrets_are_known(fact: tuple[str, str, str]) -> None:
    assert why_secret(*fact)


@pytest.mark.parametrize("text", ["1 " * 1000, "password " * 250, "a1" * 1000, "one two " * 250, "code 12 " * 250])
def test_any_text_is_judged_at_once(text: str) -> None:
    began = time.perf_counter()
    why_secret_text(text)

    assert time.perf_counter() - began < 0.5
