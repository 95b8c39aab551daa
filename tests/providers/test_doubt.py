"""Doubt: circles are seen, speech that repeats itself for good reason is not; invented phrases are known."""

from __future__ import annotations

import pytest

from companion.providers.local.doubt import is_phantom, runs_in_circles


@pytest.mark.parametrize(
    "text",
    [
        "Stop stop stop",
        "Alexa. Alexa.",
        "View glass, view glass",
        "What time is it? What time is it? What time is it?",
        "Please set a timer for for for ten minutes",
        "停停停",
        "现在几点现在几点",
        " ".join(f"and then the number {number} came" for number in range(40)),
    ],
)
def test_circles_are_seen(text: str) -> None:
    assert runs_in_circles(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Stop",
        "Stop, stop it now",
        "A large mocha with a little bit of milk and a little bit of sugar.",
        "No, no, I meant the other one.",
        "Bye bye now",
        "现在几点",
        "The quick brown fox jumps over the lazy dog, and the dog does not mind at all because it is asleep.",
    ],
)
def test_speech_is_no_circle(text: str) -> None:
    assert not runs_in_circles(text)


@pytest.mark.parametrize("text", ["Thank you.", "you", "Thanks for watching!", "谢谢观看。", "Merci.", "BYE-BYE!"])
def test_invented_phrases_are_known_whatever_their_marks(text: str) -> None:
    assert is_phantom(text)


@pytest.mark.parametrize("text", ["Thank you for the tea", "yes", "", "stop"])
def test_other_words_are_no_phantoms(text: str) -> None:
    assert not is_phantom(text)
