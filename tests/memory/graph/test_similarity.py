"""Which names are worth asking about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.memory.graph import Alike
from companion.memory.graph.names import key_of
from companion.memory.graph.similarity import THRESHOLD, jaccard, untitled, why_alike

WORDS = st.text("abcd张三 ", max_size=8)


def test_a_half_is_not_more_than_a_half() -> None:
    """Case 39."""
    assert jaccard("张三", "张三四") == 0.5
    assert not jaccard("张三", "张三四") > THRESHOLD
    assert why_alike("张三", "张三四") is None
    assert jaccard("张三", "张先生") == 0.0


def test_mister_zhang_is_asked_about_although_no_letters_pair_up() -> None:
    """Decision 8."""
    assert why_alike("张三", "张先生") is Alike.TITLE
    assert why_alike("李四", "张先生") is None


@given(WORDS, WORDS)
def test_nearness_is_even_handed_and_whole_only_for_the_same_pairs(one: str, other: str) -> None:
    near = jaccard(one, other)

    assert near == jaccard(other, one)
    assert 0 <= near <= 1
    assert jaccard(one, one) == 1
    if one != other and min(len(one), len(other)) < 2:
        assert near == 0


@given(WORDS, WORDS)
def test_why_does_not_depend_on_the_order(one: str, other: str) -> None:
    first, second = key_of(one), key_of(other)

    assert why_alike(first, second) == why_alike(second, first)


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("katherine", "catherine", Alike.LETTERS),
        ("jon smith", "john smith", Alike.LETTERS),
        ("anna", "anna meier", Alike.CONTAINED),
        ("meier", "anna meier", Alike.CONTAINED),
        ("mr smith", "john smith", Alike.CONTAINED),
        ("dr meier", "mrs meier", Alike.TITLE),
        ("小明", "王小明", Alike.CONTAINED),
        ("王老师", "王伟", Alike.TITLE),
        ("北京市", "北京", Alike.TITLE),
        ("emma", "tom", None),
        ("an", "anna", None),
        ("ann", "annual report", None),
        ("王伟", "王芳", None),
        ("tea", "green tea", Alike.CONTAINED),
        ("room 1", "room 2", Alike.LETTERS),
    ],
)
def test_names_that_may_be_one(one: str, other: str, why: Alike | None) -> None:
    assert why_alike(one, other) is why


@given(WORDS)
def test_something_is_left_without_titles(name: str) -> None:
    assert untitled(key_of(name)) or not key_of(name)
