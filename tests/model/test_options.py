"""Parameters: unset is None, zero is a value, and what is set later wins."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.model import ModelParams, Thinking

NUMBERS = [field.name for field in fields(ModelParams) if field.name not in {"thinking", "extra_fields"}]
THINKING = st.none() | st.builds(Thinking, st.none() | st.booleans(), st.none() | st.sampled_from(["low", "high"]))
PARAMS = st.builds(
    ModelParams,
    **{name: st.none() | st.integers(0, 2) for name in NUMBERS},
    thinking=THINKING,
    extra_fields=st.dictionaries(st.sampled_from("abc"), st.integers(0, 2)),
)


def test_every_parameter_is_unset_until_it_is_set() -> None:
    params = ModelParams()

    assert all(getattr(params, name) is None for name in [*NUMBERS, "thinking"])
    assert params.extra_fields == {}
    assert not params.is_set


@pytest.mark.parametrize("name", NUMBERS)
def test_zero_is_a_value_and_wins_over_another(name: str) -> None:
    zero = replace(ModelParams(), **{name: 0})

    assert zero.is_set
    assert getattr(replace(ModelParams(), **{name: 1}).merged(zero), name) == 0


def test_what_is_unset_leaves_what_is_set() -> None:
    params = ModelParams(max_tokens=5, temperature=0.0, thinking=Thinking(enabled=False))

    assert params.merged(ModelParams(top_p=0.0)) == replace(params, top_p=0.0)


def test_thinking_is_merged_by_its_own_fields() -> None:
    params = ModelParams(thinking=Thinking(enabled=True, level="low"))

    assert params.merged(ModelParams(thinking=Thinking(enabled=False))).thinking == Thinking(False, "low")


def test_extra_fields_are_merged_at_their_top() -> None:
    params = ModelParams(extra_fields={"a": {"x": 1}, "b": 2})

    assert params.merged(ModelParams(extra_fields={"a": {"y": 0}})).extra_fields == {"a": {"y": 0}, "b": 2}


@given(PARAMS, PARAMS, PARAMS)
def test_merging_three_is_the_same_from_either_end(one: ModelParams, two: ModelParams, three: ModelParams) -> None:
    assert one.merged(two).merged(three) == one.merged(two.merged(three))


@given(PARAMS)
def test_nothing_is_changed_by_what_sets_nothing(params: ModelParams) -> None:
    assert params.merged(ModelParams()) == params
    assert ModelParams().merged(params) == params
