"""Where a text is cut: never inside a number, an abbreviation or a name; early for the first piece."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.voice.say.cut import FIRST_LEAST, FIRST_LEAST_STRONG, LONGEST, cut_at


def _pieces(text: str) -> list[str]:
    """The pieces of a text that arrives character by character, and what is left."""
    pieces: list[str] = []
    held = ""
    for sign in text:
        held += sign
        while at := cut_at(held, is_first=not pieces):
            pieces.append(held[:at])
            held = held[at:]
    return [*pieces, held] if held else pieces


def test_the_first_piece_is_a_clause_and_later_ones_are_sentences() -> None:
    assert _pieces("Well, of course, I can do that, yes. And then, if you like, more. ") == [
        "Well, of course,",
        " I can do that, yes.",
        " And then, if you like, more.",
        " ",
    ]


def test_a_long_first_clause_is_spoken_up_to_a_breath() -> None:
    long = "The tower of the old church stands on a hill that overlooks the whole valley and its river."

    assert _pieces(long) == [
        "The tower of the old church stands",
        " on a hill that overlooks the whole valley and its river.",
    ]


@pytest.mark.parametrize("text", ["Yes!", "Sure?", "好的呀。", "真的吗？", "Sure…", "Okay\n"])
def test_a_strong_end_is_taken_at_once(text: str) -> None:
    assert cut_at(text, is_first=True) == len(text)


@pytest.mark.parametrize(
    "text", ["Hi!", "好的，", "Ok, yes", "Well,", "No.", "", "  ", "\n\n", "!!!!!!!!!", "😀😀😀😀😀😀😀😀!"]
)
def test_too_little_is_not_a_first_piece(text: str) -> None:
    assert cut_at(text, is_first=True) == 0


@pytest.mark.parametrize(
    "text",
    [
        "It is Dr. Smith",
        "We met Mr. and Mrs. Jones",
        "Fruit, e.g. apples",
        "Fruit, i.e. Apples",
        "It was J. R. R. Tolkien",
        "It is 3.14 wide",
        "It is at 10:15 today",
        "Worth 1,000,000 now",
        "At 5 p.m. tomorrow",
        "Tea, etc. and more",
        "On Nov. 30 at home",
        "The U.S. army",
        "see example.com now",
        "see file.txt now",
        "1. Milk",
        "Python 3.",
        "This is all.",
        "a!=b is code",
    ],
)
def test_no_sentence_ends_inside_this(text: str) -> None:
    assert cut_at(text, is_first=False) == 0


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("It costs 3. Then", "It costs 3."),
        ('He said "no." Then', 'He said "no."'),
        ("**Stop!** Then", "**Stop!**"),
        ("Tea, etc. Then", "Tea, etc."),
        ("At 5 p.m. Then", "At 5 p.m."),
        ("It was I. Then", "It was I."),
        ("Really?! Then", "Really?!"),
        ("Well... Then", "Well..."),
        ("OK.好", "OK."),
        ("A line\nand more", "A line\n"),
    ],
)
def test_a_sentence_ends_here(text: str, piece: str) -> None:
    assert text[: cut_at(text, is_first=False)] == piece


@pytest.mark.parametrize(
    ("text", "piece"), [("It is 10, maybe", "It is 10,"), ("It is 10,", ""), ("Note this: 5", "Note this:")]
)
def test_a_weak_end_after_a_digit_waits_for_what_follows(text: str, piece: str) -> None:
    assert text[: cut_at(text, is_first=True)] == piece


def test_what_is_there_at_once_goes_in_the_longest_piece_that_fits() -> None:
    text = "One is here. Two is here. " + "Three is longer than the others, so it waits. " + "Four is too much. "
    assert text[: cut_at(text, is_first=True)] == "One is here. Two is here."
    assert text[: cut_at(text, is_first=False)] == text.rstrip().removesuffix(" Four is too much.")


def test_over_long_text_breaks_at_a_comma_then_at_a_breath_then_between_words_then_anywhere() -> None:
    words = "word " * 60
    assert cut_at("Once, " + words, is_first=False) == len("Once,")
    assert cut_at("word " * 10 + "and " + words, is_first=False) == len("word " * 10) - 1
    assert cut_at(words, is_first=False) == LONGEST
    assert cut_at("a" * 81, is_first=False) == LONGEST
    assert cut_at("a" * 80, is_first=False) == 0
    assert cut_at("好" * 81, is_first=False) == LONGEST
    assert cut_at("好" * 80, is_first=False) == 0


def test_an_over_long_first_piece_is_not_broken_behind_too_little() -> None:
    assert cut_at("Once, " + "a" * 90, is_first=True) == LONGEST
    assert cut_at("Once more " + "a" * 90, is_first=True) == len("Once more ")


def test_a_text_is_cut_at_a_comma_and_not_inside_a_number_or_a_time() -> None:
    text = "你好，我的朋友。3.14 是一个小数，10:15 是时间"
    first = cut_at(text, is_first=True)
    assert text[:first] == "你好，我的朋友。3.14 是一个小数，"
    assert cut_at(text[first:], is_first=False) == 0


@pytest.mark.parametrize("text", ["Well then 好的~我来", "Well then 好的呀～ 我", "Sure thing~ I do"])
def test_a_tilde_between_words_is_a_weak_boundary(text: str) -> None:
    assert text[: cut_at(text, is_first=True)][-1] in "~～"


_UNITS = st.sampled_from(
    [
        "Hello ", "world ", "word, ", "end. ", "really? ", "yes! ", "and ", "so: ", "Dr. ", "3.14 ", "10:15 ", "1,000 ",
        "好", "的，", "吗？", "了。", "\n", "~ ", "～", " — ", "(so) ", '"no." ', "incomprehensibilities", " ", "x",
        "…", "12", "extraordinarily ", "a!=b ", "example.com ",
    ]
)  # fmt: skip


def _segments(pieces: list[str]) -> tuple[list[str], str]:
    """What is cut off while the pieces of a text come in, and what is left at its end."""
    cut: list[str] = []
    held = ""
    for piece in pieces:
        held += piece
        while at := cut_at(held, is_first=not any(map(_is_readable, cut))):
            cut.append(held[:at])
            held = held[at:]
    return cut, held


def _is_readable(text: str) -> bool:
    return any(map(str.isalnum, text))


@given(st.lists(_UNITS, max_size=60), st.randoms(use_true_random=False))
def test_however_a_text_comes_in_its_pieces_are_the_text_and_none_is_too_long(units: list[str], chance: Random) -> None:
    text = "".join(units)
    places = sorted(chance.randrange(len(text) + 1) for _ in range(chance.randrange(20)))
    torn = [text[start:end] for start, end in pairwise([0, *places, len(text)])]
    for pieces in (units, list(text), [text], torn):
        cut, left = _segments(pieces)
        assert "".join(cut) + left == text
        assert all(0 < len(piece) <= LONGEST for piece in [*cut, left or "x"])


@given(st.lists(_UNITS, max_size=60))
def test_a_first_piece_is_never_too_short(units: list[str]) -> None:
    for pieces in (units, ["".join(units)]):
        cut, _ = _segments(pieces)
        first = next(filter(_is_readable, cut), "long enough")
        is_strong = first.rstrip("\"') ~")[-1] in "。？！…?!.\n"
        assert len(first.strip()) >= (FIRST_LEAST_STRONG if is_strong else FIRST_LEAST)


@given(st.lists(_UNITS, max_size=60))
def test_no_number_is_torn_apart(units: list[str]) -> None:
    for pieces in (units, list("".join(units))):
        cut, left = _segments(pieces)
        for before, after in pairwise([*cut, left]):
            ends_inside = before[-2:-1].isdigit() and before[-1] in ".,:" and after[:1].isdigit()
            assert not ends_inside, (before, after)


# Whether "no." ends a sentence is seen from the word behind it, so that one may not be torn.
@given(st.lists(_UNITS.filter(lambda unit: "no." not in unit), max_size=60), st.randoms(use_true_random=False))
def test_where_inside_a_word_a_text_is_torn_changes_nothing(units: list[str], chance: Random) -> None:
    torn: list[str] = []
    for unit in units:
        letters = re.match(r"[A-Za-z]{2,}", unit)
        at = chance.randrange(1, letters.end()) if letters else 0
        torn += [unit[:at], unit[at:]]
    assert _segments(torn) == _segments(units)
