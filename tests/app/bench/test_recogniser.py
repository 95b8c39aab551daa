"""How transcripts are judged."""

from __future__ import annotations

import pytest

from companion.app.bench.recogniser import is_loop


@pytest.mark.parametrize("text", ["stop stop stop", "Thank you. Thank you! thank you", "a b c d a b c d a b c d"])
def test_the_same_words_three_times_in_a_row_are_a_loop(text: str) -> None:
    assert is_loop(text)


@pytest.mark.parametrize("text", ["", "stop stop", "one two three one two", "a b a c a b a c"])
def test_less_is_none(text: str) -> None:
    assert not is_loop(text)
