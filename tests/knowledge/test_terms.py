"""The words a text is found by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.knowledge.terms import MOST_TERMS, asked_for, index_text, match_any


def test_chinese_is_indexed_by_pairs_and_its_last_character() -> None:
    assert index_text("我住在巴黎。").split() == ["我住", "住在", "在巴", "巴黎", "黎", "。"]


def test_chinese_within_english_stands_apart() -> None:
    assert index_text("the锅炉is").split() == ["the", "锅炉", "炉", "is"]


def test_a_word_broken_at_the_end_of_a_line_is_one_word() -> None:
    assert index_text("the pres-\nsure") == "the pressure"
    assert index_text("1-\n2") == "1-\n2"


def test_full_width_letters_are_letters() -> None:
    assert index_text("ＷｉＦｉ") == "WiFi"


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("When do I check the boiler pressure?", ("check", "boiler", "pressure")),
        ("who are you", ("who", "are", "you")),
        ("锅炉的压力", ("锅炉", "炉的", "的压", "压力")),
        ("我的 WiFi 密码是什么", ("wifi", "密码", "码是")),
        ('"NEAR" OR (boiler)', ("near", "boiler")),
        ("", ()),
        ("?!", ()),
    ],
)
def test_a_question_asks_for_the_words_that_tell(question: str, words: tuple[str, ...]) -> None:
    assert asked_for(question).words == words


def test_characters_that_tell_are_kept_for_when_pairs_find_nothing() -> None:
    assert asked_for("我的猫几岁").single == ("猫", "岁")


@given(st.text())
def test_any_question_is_bounded_and_quoted(question: str) -> None:
    asked = asked_for(question)

    assert len(asked.words) <= MOST_TERMS
    assert len(asked.single) <= MOST_TERMS
    assert match_any(asked.words).count('"') == 2 * len(asked.words)
