"""What was really heard."""

from __future__ import annotations

import pytest

from companion.voice.contract import PlayedPiece
from companion.voice.heard import heard_text, position_behind, wholly_heard


def piece(text: str, played: float, seconds: float = 1.0, *, whole: bool = True) -> PlayedPiece:
    return PlayedPiece(text, seconds, played, whole)


def test_what_was_heard_whole_is_kept_as_written() -> None:
    assert heard_text([piece("Hello there. ", 1.0), piece("How are you?", 1.0)]) == "Hello there. How are you?"


def test_a_piece_is_cut_behind_the_last_word_that_was_heard_whole() -> None:
    assert heard_text([piece("one two three four five", 0.6)]) == "one two three"
    assert heard_text([piece("Hello there. ", 1.0), piece("one two three four five", 0.1)]) == "Hello there."


@pytest.mark.parametrize("played", [0.0, 0.05])
def test_nothing_heard_is_nothing(played: float) -> None:
    assert heard_text([piece("Understandable.", played)]) == ""
    assert heard_text([]) == ""


@pytest.mark.parametrize(
    ("text", "kept"),
    [("wait, no", "wait"), ("so... what", "so"), ("well — yes", "well"), ("yes; no", "yes"), ("Stop. Now", "Stop.")],
)
def test_nothing_dangles_behind_the_last_word(text: str, kept: str) -> None:
    assert heard_text([piece(text, 0.72)]) == kept


def test_words_that_are_not_set_apart_are_cut_by_the_character() -> None:
    assert heard_text([piece("今天天气很好我们出去玩", 0.5)]) == "今天天气很"


def test_the_length_of_a_piece_still_being_made_is_guessed_by_the_pace() -> None:
    pieces = [piece("ten chars.", 1.0), piece("aaaa bbbb cccc dddd ", 0.5, 0.5, whole=False)]
    assert heard_text(pieces) == "ten chars.aaaa"


def test_a_reply_goes_on_behind_the_last_piece_heard_whole() -> None:
    pieces = [piece("Hello there.", 1.0), piece(" How are you?", 0.4), piece(" Well?", 0.0)]
    assert wholly_heard(pieces) == pieces[:1]
    assert position_behind("Hello there. How are you? Well?", pieces[:1]) == len("Hello there.")


def test_what_is_in_no_caption_does_not_lead_astray() -> None:
    written = "<think>hm</think>Hello. Hello. Bye."
    assert written[position_behind(written, [piece("Hello. ", 1.0), piece("Hello. ", 1.0)]) :] == " Bye."
