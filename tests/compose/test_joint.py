"""Where one goes on with the answer of another, what it repeats is cut."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.compose.joint import Joint

SAID = "The sun rises in the east, and in the evening it sets in the we"


def joined(said: str, *pieces: str) -> str:
    joint = Joint(said)
    return said + "".join(map(joint.feed, pieces)) + joint.end()


@pytest.mark.parametrize(
    ("said", "more", "whole"),
    [
        ("The sun rises", " in the east.", "The sun rises in the east."),
        ("The sun ri", "ses in the east.", "The sun rises in the east."),
        ("The sun ri", "rises in the east.", "The sun rises in the east."),
        ("The sun rise", "rises in the east.", "The sun rises in the east."),
        ("The sun rises in", "sun rises in the east.", "The sun rises in the east."),
        ("The sun rises in", " sun rises in the east.", "The sun rises in the east."),
        ("The sun rises in ", "sun rises in the east.", "The sun rises in the east."),
        ("The sun rises in\n", "sun  rises in the east.", "The sun rises in\nthe east."),
        ("The sun rises", "The sun rises in the east.", "The sun rises in the east."),
        ("The sun rises ", "The sun rises in the east.", "The sun rises in the east."),
        ("Yes", "Yes, it does.", "Yes, it does."),
        ("The sun rises in the east.", "The sun rises in the east.", "The sun rises in the east."),
        ("The sun rises in the east.", "The sun rises", "The sun rises in the east."),
        ("The sun rises in the east.", "The", "The sun rises in the east."),
        ("It was in a", "apple tree.", "It was in aapple tree."),
        ("It was an a", "pple.", "It was an apple."),
        ("太阳从东方升起，晚上从西", "从西方落下。", "太阳从东方升起，晚上从西方落下。"),
        ("太阳从东方升起，晚上从西方", "从西方落下。", "太阳从东方升起，晚上从西方落下。"),
        ("太阳从东方", "太阳从东方升起。", "太阳从东方升起。"),
        ("太阳从东方升起，晚", "晚上落下。", "太阳从东方升起，晚上落下。"),
        ("The sun rises in the", "the sun RISES in the east.", "The sun rises in the east."),
        ("He said “hello” and it", 'He said "hello" and it was so.', "He said “hello” and it was so."),
        ("The sun rises in the", "...rises in the east.", "The sun rises in the east."),
        ("The sun rises in the", '"rises in the east."', 'The sun rises in the east."'),
        ("The sun rises in the", "Sure, here is the rest: rises in the east.", "The sun rises in the east."),
        ("The sun rises in the", "Of course!\n\nThe sun rises in the east.", "The sun rises in the east."),
        ("太阳从东方升起，晚上从西方", "好的，继续：晚上从西方落下。", "太阳从东方升起，晚上从西方落下。"),
        ("The sun rises in the", "Note: it sets too.", "The sun rises in the Note: it sets too."),
        ("Caf\u00e9 is", "Cafe\u0301 is good", "Caf\u00e9 is good"),
        ("It is in the cafe\u0301", "the caf\u00e9 there", "It is in the cafe\u0301 there"),
        ("Cafe\u0301s are", "are good", "Cafe\u0301s are good"),
        ("ｔｈｅ ｓｕｎ ｒｉｓｅｓ", "the sun rises now", "ｔｈｅ ｓｕｎ ｒｉｓｅｓ now"),
        ("The sun rises, ", "rises, and sets", "The sun rises, and sets"),
        ("The sun rises,", "rises, and sets", "The sun rises, and sets"),
        ("The sun rises,", "rises and sets", "The sun rises, and sets"),
        ("He said “yes”", 'said "yes" and went', "He said “yes” and went"),
        ("It costs 1", "10 euros", "It costs 10 euros"),
        ("It costs 1", "0 euros", "It costs 10 euros"),
        ("The sun rises.", "It sets.", "The sun rises. It sets."),
        ("The sun rises,", "and it sets.", "The sun rises, and it sets."),
        ("The sun is", "Bright.", "The sun is Bright."),
        ("It is 3.", "14", "It is 3.14"),
        ("", "The sun rises.", "The sun rises."),
        ("  ", "The sun rises.", "  The sun rises."),
        ("The sun rises.", "", "The sun rises."),
    ],
)
def test_what_repeats_is_cut(said: str, more: str, whole: str) -> None:
    assert joined(said, more) == whole
    assert joined(said, *more) == whole


def test_an_answer_that_begins_anew_in_other_words_loses_what_was_said_already() -> None:
    said = "The sun rises in the east, and today it is warm"

    assert joined(said, "The sun rises in the east, and tomorrow it is cold") == said + " tomorrow it is cold"


def test_words_are_held_back_only_while_they_may_repeat() -> None:
    joint = Joint(SAID)

    assert joint.feed(" in the ") == ""
    assert joint.feed("we") == ""
    assert joint.feed("st.") == "st."
    assert joint.feed(" in the west.") == " in the west."


def test_words_that_repeat_nothing_are_not_held_back() -> None:
    assert Joint(SAID).feed("st. But") == "st. But"


@given(st.integers(0, 10_000))
def test_however_much_is_repeated_nothing_is_said_twice_and_nothing_is_lost(seed: int) -> None:
    chance = random.Random(seed)
    words = [f"{chance.choice('bcdfghjk')}{number}{chance.choice('aeiou')}" for number in range(40)]
    whole = " ".join(words)
    cut = chance.randrange(1, len(whole))
    # From where the other goes on: from a word before the cut, from the very place, or from the beginning.
    begin = chance.choice([0, cut, whole.rfind(" ", 0, max(cut - 12, 1)) + 1])
    rest = whole[begin:]
    pieces = []
    while rest:
        size = chance.randrange(1, 9)
        pieces.append(rest[:size])
        rest = rest[size:]

    assert joined(whole[:cut], *pieces) == whole


@given(st.text(max_size=60), st.lists(st.text(max_size=20), max_size=6))
def test_what_comes_is_said_from_some_place_on(said: str, pieces: list[str]) -> None:
    more = joined(said, *pieces)[len(said) :]

    assert "".join(pieces).endswith(more.removeprefix(" "))


def test_spaces_without_end_are_not_held_back_for_ever() -> None:
    joint = Joint(SAID)
    said = [joint.feed(" " * 1000) for _ in range(10)]
    assert "".join(said) == " " * 10_000


def test_an_opening_is_held_back_only_while_it_may_be_one() -> None:
    joint, words = Joint(SAID), "Nobody has ever said where it goes at night. " * 4
    assert joint.feed(words[:60]) == ""
    assert joint.feed(words[60:100]) == " " + words[:100]
