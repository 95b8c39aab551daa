"""TF-IDF over characters and pairs of them, as documented."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.memory.tfidf import TfIdf, character_pairs, cosine


def test_features_are_characters_and_pairs_without_spaces() -> None:
    assert list(character_pairs("Ab  c")) == ["a", "ab", "b", "c"]


def test_with_few_texts_only_how_often_counts() -> None:
    index = TfIdf(str.split)
    index.add("one", "tea")

    assert index.weights({"tea": 2, "unknown": 4}) == {"tea": 0.5}


def test_a_weight_is_tf_by_the_most_times_the_logarithm() -> None:
    index = TfIdf(str.split)
    for key, text in {"one": "tea milk", "two": "tea", "three": "bread", "four": "jam"}.items():
        index.add(key, text)

    assert index.weights({"tea": 1, "milk": 2}) == pytest.approx(
        {"tea": 0.5 * math.log(5 / 3), "milk": math.log(5 / 2)}
    )


def test_what_nearly_every_text_has_is_left_out() -> None:
    index = TfIdf(str.split)
    for key in "abcd":
        index.add(key, f"tea {key}")

    assert "tea" not in index.weights({"tea": 1, "a": 1})


def test_the_nearest_come_first_and_the_others_not_at_all() -> None:
    index = TfIdf()
    for key, text in {
        "cat": "我的猫叫小白",
        "dog": "狗喜欢散步",
        "tea": "green tea",
        "lamp": "turn on the lamp",
    }.items():
        index.add(key, text)

    assert [key for key, _ in index.search("猫叫什么", 5)] == ["cat"]
    assert index.search("zzz", 5) == []
    assert index.search("tea", 5, above=1.0) == []


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.text(max_size=12)), max_size=12), st.text(max_size=8))
def test_an_index_is_as_one_built_anew(steps: list[tuple[str, str]], query: str) -> None:
    """Empty texts stand for taking one away."""
    index, held = TfIdf(), {}
    for key, text in steps:
        if text:
            index.add(key, text)
            held[key] = text
        else:
            index.remove(key)
            held.pop(key, None)
    fresh = TfIdf()
    for key in held:
        fresh.add(key, held[key])

    assert dict(index.search(query, 10)) == pytest.approx(dict(fresh.search(query, 10)))
    assert len(index) == len(held)


@given(
    st.dictionaries(st.sampled_from("abcd"), st.floats(0.1, 5)),
    st.dictionaries(st.sampled_from("abcd"), st.floats(0.1, 5)),
)
def test_a_cosine_is_between_nothing_and_one_both_ways(one: dict[str, float], other: dict[str, float]) -> None:
    assert 0 <= cosine(one, other) <= 1 + 1e-9
    assert cosine(one, other) == pytest.approx(cosine(other, one))
