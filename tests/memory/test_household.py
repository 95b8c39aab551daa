"""What the patterns find of what a home really says, and how little junk they store.

The patterns were written with the first half of each file in sight, and its figures show what they were made for. The
second half was not looked at: it holds mostly what is to store nothing, and what is to be forgotten. Each bound is a
little below what is reached, so that losing something shows. "others" are homes that came later. Of "strangers",
who came last, the lines at odd places are scored: nobody looked at them before they were measured.
"""

from __future__ import annotations

from functools import cache

import pytest
from memory.household.compare import Judge, Score, noon
from memory.household.read import USER, facts, others, strangers

from companion.memory.distil import read

BOUNDS_FOUND = [
    *(("en", "seen", 0.96), ("zh", "seen", 0.97), ("en", "all", 0.90), ("zh", "all", 0.91)),
    *(("en", "others", 0.80), ("zh", "others", 0.84)),
    *(("en", "strangers", 0.70), ("zh", "strangers", 0.70)),
]
BOUNDS_JUNK = [
    *(("en", "seen", 0.02), ("zh", "seen", 0.02), ("en", "all", 0.03), ("zh", "all", 0.045)),
    *(("en", "others", 0.07), ("zh", "others", 0.06)),
    *(("en", "strangers", 0.15), ("zh", "strangers", 0.08)),
]


@cache
def score(language: str, half: str) -> Score:
    said = {"others": others, "strangers": strangers}.get(half, facts)(language)
    middle = len(said) // 2
    counted, judge = Score(), Judge()
    for one in {"seen": said[:middle], "unseen": said[middle:], "strangers": said[1::2]}.get(half, said):
        judge.judge(one, read(one.text, USER, noon(one), language), counted)
    return counted


@pytest.mark.parametrize(("language", "half", "least"), BOUNDS_FOUND)
def test_most_of_what_is_to_be_known_is_found(language: str, half: str, least: float) -> None:
    counted = score(language, half)

    assert counted.share_found >= least, counted.missed


@pytest.mark.parametrize(("language", "half", "most"), BOUNDS_JUNK)
def test_little_of_what_is_stored_is_junk(language: str, half: str, most: float) -> None:
    counted = score(language, half)

    assert counted.share_junk <= most, counted.junk


@pytest.mark.parametrize("language", ["en", "zh"])
def test_days_are_right_and_what_is_over_is_ended(language: str) -> None:
    counted = score(language, "seen")

    assert counted.right_dates >= 0.9 * counted.dated
    assert counted.ended >= 0.85 * counted.ends


def test_no_card_number_and_no_password_is_stored() -> None:
    for language in ("en", "zh"):
        for one in facts(language):
            if one.kind == "secret":
                assert read(one.text, USER, noon(one), language).triples == ()
