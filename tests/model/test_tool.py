"""A tool of a typed function: its schema says what the function says, and its function is called with its own types."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NewType, NotRequired, TypedDict

import pydantic
import pytest

from companion.errors import BadArguments, BadTool
from companion.model import ArgumentReader, FuncTool, SearchWebTool


class Unit(enum.Enum):
    CELSIUS = "celsius"
    FAHRENHEIT = "fahrenheit"


@dataclass(frozen=True)
class Stop:
    city: str
    nights: int = 1
    wishes: list[str] = field(default_factory=list)


class Traveller(TypedDict):
    name: str
    age: NotRequired[int]


class Ticket(pydantic.BaseModel):
    price: int = pydantic.Field(ge=0)


@dataclass
class Tree:
    branches: list[Tree]


class Shrub(pydantic.BaseModel):
    branches: list[Shrub]


@dataclass
class Lost:
    where: Elsewhere  # type: ignore[name-defined]  # noqa: F821


Floor = NewType("Floor", int)


def weather(city: str, days: int = 3, unit: Unit = Unit.CELSIUS, exact: bool = False) -> str:
    """What the weather will be.

    Rain counts from a tenth of a millimetre.

    Args:
        city: where, as people call it,
            with its country if there are several
        days (int): how far ahead

    Returns:
        city: no parameter, but a word of the answer
    """
    return f"{city} {days} {unit} {exact}"


def test_a_function_becomes_a_tool_by_its_annotations_and_docstring() -> None:
    tool = FuncTool.of(weather)

    assert tool.name == "weather"
    assert tool.description == "What the weather will be.\n\nRain counts from a tenth of a millimetre."
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "city": {
                "type": "string",
                "description": "where, as people call it, with its country if there are several",
            },
            "days": {"type": "integer", "description": "how far ahead", "default": 3},
            "unit": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
            "exact": {"type": "boolean", "default": False},
        },
        "required": ["city"],
        "additionalProperties": False,
    }


def test_parameters_stand_in_the_order_of_the_function() -> None:
    properties = FuncTool.of(weather).parameters["properties"]

    assert isinstance(properties, Mapping)
    assert list(properties) == ["city", "days", "unit", "exact"]


def test_name_and_description_can_be_given() -> None:
    tool = FuncTool.of(weather, name="forecast", description="Looks ahead.")

    assert (tool.name, tool.description) == ("forecast", "Looks ahead.")


def schema_of_parameter(annotation: Any) -> object:
    def function(value: Any) -> None: ...

    function.__annotations__["value"] = annotation
    properties = FuncTool.of(function).parameters["properties"]
    assert isinstance(properties, Mapping)
    return properties["value"]


STOP = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "nights": {"type": "integer", "default": 1},
        "wishes": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["city"],
    "additionalProperties": False,
}
TRAVELLER = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (str, {"type": "string"}),
        (None, {"type": "null"}),
        (object, {}),
        (Floor, {"type": "integer"}),
        (Literal["on", "off"], {"type": "string", "enum": ["on", "off"]}),
        (Literal["on", 1], {"enum": ["on", 1]}),
        (Literal[1, True], {"enum": [1, True]}),
        (Unit, {"type": "string", "enum": ["celsius", "fahrenheit"]}),
        (list, {"type": "array", "items": {}}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
        (set[str], {"type": "array", "items": {"type": "string"}}),
        (dict, {"type": "object", "additionalProperties": {}}),
        (dict[str, float], {"type": "object", "additionalProperties": {"type": "number"}}),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (Annotated[int, "floors up"], {"type": "integer", "description": "floors up"}),
        (Stop, STOP),
        (Traveller, TRAVELLER),
    ],
)
def test_a_type_has_its_schema(annotation: object, schema: object) -> None:
    assert schema_of_parameter(annotation) == schema


def test_a_pydantic_model_has_the_schema_it_says_itself() -> None:
    assert schema_of_parameter(Ticket) == Ticket.model_json_schema()


def test_the_parts_of_a_pydantic_model_stand_where_they_belong() -> None:
    class Fare(pydantic.BaseModel):
        tickets: list[Ticket]

    def pay(fare: Any) -> int:
        return sum(ticket.price for ticket in fare.tickets)

    pay.__annotations__["fare"] = Fare
    tool = FuncTool.of(pay)

    assert "$ref" not in str(tool.parameters)
    with pytest.raises(BadArguments, match=r"at fare\.tickets\[0\]\.price: -1 is less than the minimum of 0"):
        ArgumentReader(tool).read('{"fare": {"tickets": [{"price": -1}]}}')
    assert tool.function is not None
    assert tool.function(fare={"tickets": [{"price": 2}, {"price": 3}]}) == 5


def journey(
    stops: list[Stop], who: Traveller, unit: Unit, ticket: Ticket, floor: Literal[1, 2] | None = None
) -> object:
    return stops, who, unit, ticket, floor


def test_the_function_gets_values_of_the_types_it_asks_for() -> None:
    function = FuncTool.of(journey).function
    assert function is not None

    values = function(
        stops=[{"city": "Ulm"}, {"city": "Bern", "nights": 2}],
        who={"name": "Ada"},
        unit="celsius",
        ticket={"price": 12},
        floor=2,
    )

    assert values == ([Stop("Ulm"), Stop("Bern", 2)], {"name": "Ada"}, Unit.CELSIUS, Ticket(price=12), 2)


def test_what_does_not_fit_is_named_by_its_place() -> None:
    function = FuncTool.of(journey).function
    assert function is not None

    with pytest.raises(BadArguments, match=r"do not fit: stops\[0\]\.city: 5 is not of type 'string'") as refused:
        function(stops=[{"city": 5}], who={"name": "Ada"}, unit="celsius", ticket={"price": 1})
    assert refused.value.field == "stops[0].city"


def test_a_method_is_a_tool_without_its_self() -> None:
    class Lamp:
        def switch(self, on: bool) -> bool:
            """Switch the lamp."""
            return on

    tool = FuncTool.of(Lamp().switch)

    assert tool.parameters["properties"] == {"on": {"type": "boolean"}}
    assert tool.description == "Switch the lamp."


def untyped(value) -> None: ...  # type: ignore[no-untyped-def]


def of_bytes(value: bytes) -> None: ...


def of_many(*values: int) -> None: ...


def of_itself(tree: Tree) -> None: ...


def of_itself_again(shrub: Shrub) -> None: ...


def of_the_lost(value: Lost) -> None: ...


def of_keys(table: dict[int, str]) -> None: ...


def of_nowhere(value: Elsewhere) -> None: ...  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (untyped, "value: has no type"),
        (of_bytes, "value: JSON has nothing like bytes"),
        (of_many, "values: cannot be given by name"),
        (of_itself, "tree: Tree contains itself"),
        (of_itself_again, "Shrub contains itself"),
        (of_the_lost, "a type is not to be found: name 'Elsewhere'"),
        (of_keys, "table: JSON has nothing like dict"),
        (of_nowhere, "Elsewhere"),
    ],
)
def test_a_function_json_cannot_call_is_refused_with_the_parameter_named(function: Any, why: str) -> None:
    with pytest.raises(BadTool, match=why) as caught:
        FuncTool.of(function)

    assert caught.value.tool == function.__name__
    assert "annotate every parameter" in caught.value.mend


def test_the_search_tool_is_only_a_mark() -> None:
    assert SearchWebTool().name == "search_web"
