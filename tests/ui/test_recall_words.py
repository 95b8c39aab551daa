"""What was recalled for a turn is shown without what only a model needs, and why in words for people."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from companion.agent.stages import Recalled
from companion.memory.recalled import Recalled as FromMemory
from companion.ui.recall_words import text_of, why
from companion.ui.translations import CHINESE, ENGLISH, speak


def test_the_line_for_the_model_is_taken_apart(qapp: QApplication) -> None:
    line = FromMemory('Emma says "hi"', "fact, said by user", 0.9, "").line().removeprefix("- ")

    assert text_of(Recalled(line, "fact, said by user")) == 'Emma says "hi"'
    assert text_of(Recalled("The boiler was serviced.", "boiler, line 1")) == "The boiler was serviced."
    assert text_of(Recalled('(odd) "torn\\"', "turn")) == '(odd) "torn\\"'


@pytest.mark.parametrize(
    ("one", "told"),
    [
        (
            Recalled('(2025-03-03, fact, said by user) "x"', "fact, said by user", 1, "asked for birthday of Emma"),
            "You told me on 3 March 2025. You asked for it.",
        ),
        (Recalled("x", "fact, said by user", 1, "about user"), "You told me. It is about you."),
        (Recalled("x", "fact, said by user", 1, "about Emma"), "You told me. It is about “Emma”."),
        (
            Recalled("x", "turn, said by companion", 1, "near the words tea, rain; from the days asked about"),
            "I said it. It has words of your question: tea, rain. It is from the days you asked about.",
        ),
        (Recalled("x", "boiler, line 1", 1, "words in common"), "From: boiler, line 1. It has words of your question."),
        (Recalled("x", "document", 1, "odd"), "From: document. odd"),
    ],
)
def test_where_it_is_from_and_why_it_was_chosen(qapp: QApplication, one: Recalled, told: str) -> None:
    assert why(one) == told


def test_it_is_told_in_the_language_of_the_window(qapp: QApplication) -> None:
    speak(CHINESE)
    try:
        assert why(Recalled("x", "fact, said by user", 1, "about Emma")) == "是您告诉我的。这与“Emma”有关。"
    finally:
        speak(ENGLISH)
