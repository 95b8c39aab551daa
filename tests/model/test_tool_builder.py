"""A tool is built parameter by parameter."""

from __future__ import annotations

from typing import Literal

import pytest

from companion.errors import BadTool
from companion.model import Toolkit
from companion.model.tool_builder import NewTool
from companion.stream import FuncCall


async def test_a_tool_is_what_its_builder_was_told() -> None:
    tool = (
        NewTool("remind")
        .title("Reminders")
        .desc("Reminds of something.")
        .string_param("what", "The matter.")
        .int_param("times", required=False)
        .float_param("volume", required=False)
        .bool_param("aloud", required=False)
        .date_param("day", required=False)
        .date_time_param("at", required=False)
        .param("mood", Literal["kind", "strict"], required=False)
        .strict()
        .return_direct()
        .parallel()
        .limit(3.0)
        .meta("room", "kitchen")
        .output_schema_json('{"type": "string"}')
        .result_converter(lambda result: f"<{result}>")
        .handler(lambda what, times=1: what * times)
        .build()
    )

    properties = tool.parameters["properties"]
    assert properties == {
        "what": {"type": "string", "description": "The matter."},
        "times": {"type": "integer"},
        "volume": {"type": "number"},
        "aloud": {"type": "boolean"},
        "day": {"type": "string", "format": "date"},
        "at": {"type": "string", "format": "date-time"},
        "mood": {"type": "string", "enum": ["kind", "strict"]},
    }
    assert tool.parameters["required"] == ["what"]
    assert (tool.title, tool.description, tool.limit_seconds) == ("Reminders", "Reminds of something.", 3.0)
    assert (tool.strict, tool.return_direct, tool.is_parallel) == (True, True, True)
    assert (tool.meta, tool.output) == ({"room": "kitchen"}, {"type": "string"})
    assert await Toolkit([tool]).invoke(FuncCall("remind", '{"what": "tea ", "times": 2}')) == "<tea tea >"


def test_a_whole_schema_takes_the_place_of_single_parameters() -> None:
    tool = NewTool("t").string_param("x").input_schema_json('{"type": "object"}').build()

    assert tool.parameters == {"type": "object"}
    assert tool.function is None


@pytest.mark.parametrize("schema", ["{", "[]", "3"])
def test_a_schema_is_a_json_object(schema: str) -> None:
    with pytest.raises(BadTool):
        NewTool("t").input_schema_json(schema)


def test_a_tool_has_a_name_and_its_parameters_have_their_own() -> None:
    with pytest.raises(BadTool, match="no name"):
        NewTool(" ").build()
    with pytest.raises(BadTool, match="two parameters 'x'"):
        NewTool("t").string_param("x").int_param("x")
    with pytest.raises(BadTool, match="complex"):
        NewTool("t").param("x", complex)


def test_what_was_built_does_not_change_with_its_builder() -> None:
    builder = NewTool("t").string_param("x")
    tool = builder.build()
    builder.string_param("y").meta("a", 1)

    assert tool.parameters["required"] == ["x"]
    assert not tool.meta
