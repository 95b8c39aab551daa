"""Which questions look back."""

from __future__ import annotations

import pytest

from companion.memory.looking_back import looks_back


@pytest.mark.parametrize(
    "question",
    [
        "what did I say about the boxes",
        "Do you remember the name of the hotel?",
        "what have we talked about yesterday",
        "who told me that",
        "Which film was it last week?",
        "我上次说了什么",
        "你还记得那家酒店吗",
    ],
)
def test_a_question_about_what_has_been_looks_back(question: str) -> None:
    assert looks_back(question)


@pytest.mark.parametrize(
    "question",
    [
        "Why is the sky blue?",
        "My sister is coming to visit, what could we cook together?",
        "How far away is the moon?",
        "tell me a story",
        "天空为什么是蓝色的",
    ],
)
def test_a_question_about_the_world_or_what_is_to_come_does_not(question: str) -> None:
    assert not looks_back(question)
