"""Words as they are looked up: English by stems, Chinese by characters and pairs, both mixed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.memory.stem import stem
from companion.memory.words import LONGEST_WORD, asked_words, plain, telling_words, words_of

PAIRS = """
caresses caress, ponies poni, cats cat, agreed agre, plastered plaster, motoring motor, sing sing, conflated conflat,
hopping hop, falling fall, filing file, happy happi, sky sky, relational relat, rational ration, digitizer digit,
hopefulness hope, formative form, electrical electr, goodness good, revival reviv, adjustable adjust, adoption adopt,
communism commun, probate probat, controll control, roll roll, is is
"""


@pytest.mark.parametrize("pair", PAIRS.replace("\n", " ").strip().split(", "))
def test_stems_are_those_of_the_paper(pair: str) -> None:
    word, wanted = pair.split()

    assert stem(word) == wanted


def test_words_of_one_stem_are_one() -> None:
    assert len({stem(word) for word in ("paint", "paints", "painted", "painting")}) == 1


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", max_size=12))
def test_a_stem_is_never_longer_than_its_word_and_never_empty(word: str) -> None:
    assert len(stem(word)) <= len(word) + 1  # "hop" of "hoping" gets its "e" back
    assert bool(stem(word)) == bool(word)


def test_words_of_every_sentence_are_left_out() -> None:
    assert words_of("What did you say about the dog's name?") == ["sai", "dog", "name"]
    assert words_of("I don't, you won't") == []


def test_chinese_gives_characters_and_pairs() -> None:
    assert words_of("我的猫叫小白") == ["猫", "猫叫", "叫", "叫小", "小", "小白", "白"]


def test_a_sentence_of_both_languages_gives_words_of_both() -> None:
    assert words_of("Emma住在Lyon") == ["emma", "住", "lyon"]


def test_case_width_and_marks_do_not_count() -> None:
    assert words_of("CAFÉ ｃａｆｅ Café") == ["cafe"] * 3
    assert plain("ÄÖ 서울") == "ao 서울"


def test_asked_words_come_once() -> None:
    assert asked_words("dog dogs cat 猫猫") == ["dog", "cat", "猫", "猫猫"]


def test_telling_words_are_as_they_were_said() -> None:
    assert telling_words("When did Emma's painting sell?", {"emma"}) == ["painting", "sell"]


@given(st.text(max_size=200))
def test_any_text_has_words_that_can_be_asked_for(text: str) -> None:
    words = words_of(text)

    assert all(word and len(word) <= LONGEST_WORD and not word.isspace() for word in words)
    assert set(asked_words(text)) == set(words)
