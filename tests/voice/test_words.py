"""Word lists that decide turns."""

from __future__ import annotations

from typing import get_args

import pytest

from companion.settings.schema import WakeWord
from companion.voice.words import WAKE_PHRASES, hangs, is_backchannel, is_noise, is_own_words, says_wake, strip_wake


@pytest.mark.parametrize(
    "text", ["turn on the", "I want to go to, um", "Tell me about", "so and", "我想知道因为", "it's"]
)
def test_a_sentence_that_hangs(text: str) -> None:
    assert hangs(text)


@pytest.mark.parametrize(
    "text", ["turn the lights on", "what is that for?", "I like that", "", "现在几点", "tell me what it is", "他是谁"]
)
def test_a_sentence_that_does_not(text: str) -> None:
    assert not hangs(text)


@pytest.mark.parametrize("text", ["Mhm.", "Uh-huh!", "Hmm", "mm, mm", "嗯。", "嗯嗯"])
def test_hums(text: str) -> None:
    assert is_noise(text)
    assert is_backchannel(text)


@pytest.mark.parametrize("text", ["yes", "Okay.", "oh really", "yeah yeah", "I see", "好的", "对对"])
def test_a_backchannel_is_an_answer_where_nothing_is_being_said(text: str) -> None:
    assert not is_noise(text)
    assert is_backchannel(text)


@pytest.mark.parametrize("text", ["stop", "no", "okay what else", "yes please do tell me more", "停", "不对"])
def test_real_words(text: str) -> None:
    assert not is_backchannel(text)


@pytest.mark.parametrize(
    ("text", "wake", "left"),
    [
        ("Okay Nabu, what time is it?", "okay_nabu", "What time is it?"),
        ("OK, Nabu. Stop!", "okay_nabu", "Stop!"),
        ("O.K. nabu what time is it", "okay_nabu", "What time is it"),
        ("Nabu, what time is it?", "okay_nabu", "What time is it?"),
        ("Okay Nabu.", "okay_nabu", ""),
        ("Okay, what time is it?", "okay_nabu", "Okay, what time is it?"),
        ("Hey Jarvis, stop.", "hey_jarvis", "Stop."),
        ("Alexa stop", "alexa", "Stop"),
        ("what is alexa", "alexa", "what is alexa"),
        ("alexandria is where", "alexa", "alexandria is where"),
    ],
)
def test_the_wake_phrase_is_taken_off_the_front(text: str, wake: str, left: str) -> None:
    assert strip_wake(text, wake) == left


def test_every_wake_word_there_is_is_known_in_writing() -> None:
    assert set(WAKE_PHRASES) == set(get_args(WakeWord))
    for word in WAKE_PHRASES:
        written = word.replace("_", " ")
        assert says_wake(written, word)
        assert strip_wake(f"{written}, stop", word) == "Stop"


def test_a_text_that_says_the_wake_word() -> None:
    assert says_wake("Just say okay Nabu whenever you like.", "okay_nabu")
    assert says_wake("OK, Nabu!", "okay_nabu")
    assert not says_wake("okay, now", "okay_nabu")


def test_own_words_are_two_or_more_in_a_row() -> None:
    saying = "The tallest mountain on land is Mount Everest."
    assert is_own_words("mountain on land", saying)
    assert is_own_words("on land", saying)
    assert not is_own_words("land", saying)
    assert not is_own_words("mountain land is", saying)


def test_own_words_are_known_though_some_were_misheard() -> None:
    saying = "Then he took out his bread, gave the crumbs to the fish, and told the boat what had happened."
    assert is_own_words("took out his bread and gave the crumbs to the fish", saying)
    assert is_own_words("gave the crumbs to a fish", saying)
    assert not is_own_words("give the fish to the boat and take the bread", saying)
    assert not is_own_words("gave the crumbs stop please stop", saying)
    assert not is_own_words("his bed", saying)
