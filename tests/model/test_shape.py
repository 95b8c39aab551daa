"""What a shape says in its schema and what it reads are the same, for any type and any value."""

from __future__ import annotations

import enum
import json
from dataclasses import make_dataclass
from typing import Any, Literal, Optional

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from companion.model.plain import plain, to_json
from companion.model.typed import shape_of


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


NAMES = st.sampled_from(["city", "days", "name", "on"])
SCALARS = st.sampled_from([str, int, float, bool, type(None), Colour, Literal["on", "off"], Literal[1, 2, "many"]])


def grown(types: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    fields = st.lists(st.tuples(NAMES, types), min_size=1, max_size=3, unique_by=lambda field: field[0])
    return st.one_of(
        types.map(lambda one: list[one]),
        types.map(lambda one: dict[str, one]),
        types.map(lambda one: tuple[one, ...]),
        types.map(lambda one: Optional[one]),  # noqa: UP045 - the bar does not take None twice
        fields.map(lambda some: make_dataclass("Made", some)),
    )


TYPES = st.recursive(SCALARS, grown, max_leaves=5)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.floats(allow_nan=False, allow_infinity=False), st.text())
    | st.sampled_from(["red", "on", "many", 1, 2]),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(NAMES | st.text(max_size=3), some, max_size=3),
    max_leaves=6,
)


@given(TYPES, st.data())
def test_a_value_that_is_written_is_allowed_by_the_schema_and_read_back(kind: Any, data: st.DataObject) -> None:
    shape = shape_of(kind)
    value = data.draw(st.from_type(kind))
    written = plain(value)
    if not is_finite(written):
        return

    assert Draft202012Validator(shape.schema()).is_valid(written)
    assert plain(shape.read(json.loads(to_json(value)))) == written


@given(TYPES, VALUES)
def test_the_schema_allows_just_what_is_read(kind: Any, value: object) -> None:
    shape = shape_of(kind)
    try:
        shape.read(value)
    except ValueError:
        is_read = False
    else:
        is_read = True

    assert Draft202012Validator(shape.schema()).is_valid(value) is is_read


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
