"""What a shape says in its schema and what it reads are the same, for any type and any value."""

from __future__ import annotations

import enum
import json
from dataclasses import make_dataclass
from typing import Any, Literal, Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from companion.model.plain import plain, to_json
from companion.model.typed import shape_of


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


NAMES = st.sampled_from(["city", "days", "name", "on"])
SCALARS = [str, int, float, bool, type(None), Colour, Literal["on", "off"], Literal[1, 2, "many"], Literal[True]]


def grown(types: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    fields = st.lists(st.tuples(NAMES, types), min_size=1, max_size=3, unique_by=lambda field: field[0])
    return st.one_of(
        types.map(lambda one: list[one]),
        types.map(lambda one: dict[str, one]),
        types.map(lambda one: tuple[one, ...]),
        types.map(lambda one: Optional[one]),  # noqa: UP045 - the bar does not take None twice
        fields.map(lambda some: make_dataclass("Made", some)),
    )


TYPES = st.recursive(st.sampled_from([*SCALARS, set[str], frozenset[int]]), grown, max_leaves=4)
ODD = [None, True, False, 1, 2, 1.0, 1.5, "red", "on", "many", "", [], [1], {}, {"city": 1}]


def bent(value: object, data: st.DataObject) -> object:
    """The value, wrong or not in one place."""
    if not isinstance(value, list | dict) or not value or data.draw(st.booleans()):
        return data.draw(st.sampled_from(ODD))
    if isinstance(value, list):
        place = data.draw(st.integers(0, len(value) - 1))
        return [*value[:place], bent(value[place], data), *value[place + 1 :]]
    name = data.draw(st.sampled_from(list(value)))
    match data.draw(st.sampled_from(["bend", "drop", "add"])):
        case "bend":
            return {**value, name: bent(value[name], data)}
        case "drop":
            return {key: one for key, one in value.items() if key != name}
        case _:
            return {**value, "more": 1}


@given(TYPES, st.data())
def test_a_value_that_is_written_is_allowed_by_the_schema_and_read_back(kind: Any, data: st.DataObject) -> None:
    shape = shape_of(kind)
    value = data.draw(st.from_type(kind))
    written = plain(value)
    if not is_finite(written):
        return

    assert Draft202012Validator(shape.schema()).is_valid(written)
    assert plain(shape.read(json.loads(to_json(value)))) == written


def is_allowed_and_read(kind: Any, value: object) -> tuple[bool, bool]:
    shape = shape_of(kind)
    try:
        shape.read(value)
    except ValueError:
        is_read = False
    else:
        is_read = True
    return Draft202012Validator(shape.schema()).is_valid(value), is_read


@pytest.mark.parametrize("kind", SCALARS)
@pytest.mark.parametrize("value", ODD)
def test_a_scalar_reads_just_what_its_schema_allows(kind: Any, value: object) -> None:
    is_allowed, is_read = is_allowed_and_read(kind, value)

    assert is_allowed is is_read


@given(TYPES, st.data())
def test_the_schema_allows_just_what_is_read(kind: Any, data: st.DataObject) -> None:
    value = bent(plain(data.draw(st.from_type(kind))), data)
    if is_finite(value):
        is_allowed, is_read = is_allowed_and_read(kind, value)
        assert is_allowed is is_read


@given(TYPES)
def test_every_schema_is_a_schema_and_always_the_same(kind: Any) -> None:
    schema = shape_of(kind).schema()

    Draft202012Validator.check_schema(schema)
    assert to_json(schema) == to_json(shape_of(kind).schema())


def is_finite(value: object) -> bool:
    try:
        to_json(value)
    except ValueError:
        return False
    return True
