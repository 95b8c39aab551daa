"""Where a text is cut: never inside a number, an abbreviation or a name; early for the first piece."""

from __future__ import annotations

import pytest

from companion.voice.say.cut import cut_at


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
    text = "One is here. Two is here. " + "Three is a much longer sentence than the others are, so it waits. "
    assert text[: cut_at(text, is_first=True)] == "One is here. Two is here."
    assert text[: cut_at(text, is_first=False)] == text.rstrip()


def test_over_long_text_breaks_at_a_comma_then_between_words_then_anywhere() -> None:
    words = "word " * 60
    assert cut_at("Once, " + words, is_first=False) == len("Once,")
    assert cut_at(words, is_first=False) == 200
    assert cut_at("a" * 201, is_first=False) == 200
    assert cut_at("a" * 200, is_first=False) == 0
    assert cut_at("好" * 81, is_first=False) == 80
    assert cut_at("好" * 80, is_first=False) == 0
