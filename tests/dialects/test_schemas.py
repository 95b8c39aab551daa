"""Schemas in the narrower forms of providers."""

from __future__ import annotations

import pytest

from companion.dialects.schemas import ANTHROPIC, OPENAI

TEXT = {"type": "string"}


def of(**properties: object) -> dict[str, object]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def test_every_object_is_closed_at_any_depth():
    schema = of(stops={"type": "array", "items": of(city=TEXT)}, way={"anyOf": [of(road=TEXT), {"type": "null"}]})
    form = OPENAI.form(schema)

    assert form is not None
    assert form["additionalProperties"] is False
    assert form["properties"]["stops"]["items"]["additionalProperties"] is False
    assert form["properties"]["way"]["anyOf"][0]["additionalProperties"] is False
    assert form == ANTHROPIC.form(schema)


def test_the_schema_that_is_given_stays_as_it_is():
    schema = of(city={"type": "string", "default": "Bonn"})
    OPENAI.form(schema)

    assert schema == of(city={"type": "string", "default": "Bonn"})


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"city": TEXT}},
        of(city={"type": "string", "minLength": 1}),
        of(both={"allOf": [TEXT]}),
        {"type": "object"},
        of(anything={}),
        of(list={"type": "array"}),
        {"type": "object", "properties": {}, "additionalProperties": TEXT},
        {"anyOf": [of(a=TEXT), of(b=TEXT)]},
        {"type": "array", "items": TEXT},
        {"type": "object", "properties": 5},
    ],
)
def test_openai_holds_no_model_to_what_would_change_by_it(schema):
    assert OPENAI.form(schema) is None


def test_openai_keeps_bounds():
    schema = of(age={"type": "integer", "minimum": 0}, tags={"type": "array", "items": TEXT, "maxItems": 3})

    assert OPENAI.form(schema) == {**schema, "additionalProperties": False}


def test_anthropic_leaves_fields_open_and_tells_bounds_in_words():
    schema = {
        "type": "object",
        "properties": {
            "age": {"type": "integer", "minimum": 0, "description": "In years."},
            "day": {"type": "string", "format": "date"},
            "code": {"type": "string", "format": "of-ours"},
            "one": {"type": "array", "items": TEXT, "minItems": 1},
            "two": {"type": "array", "items": TEXT, "minItems": 2},
        },
    }
    form = ANTHROPIC.form(schema)

    assert form is not None
    assert form["required"] == []
    assert form["properties"] == {
        "age": {"type": "integer", "description": "In years. (minimum: 0)"},
        "day": {"type": "string", "format": "date"},
        "code": {"type": "string", "description": '(format: "of-ours")'},
        "one": {"type": "array", "items": TEXT, "minItems": 1},
        "two": {"type": "array", "items": TEXT, "description": "(minItems: 2)"},
    }


def test_references_are_kept_with_what_they_point_to():
    schema = {**of(way={"$ref": "#/$defs/Way"}), "$defs": {"Way": of(road=TEXT)}}
    form = ANTHROPIC.form(schema)

    assert form is not None
    assert form["properties"] == {"way": {"$ref": "#/$defs/Way"}}
    assert form["$defs"]["Way"]["additionalProperties"] is False


def test_a_schema_without_an_end_has_no_form():
    schema: dict[str, object] = of()
    schema["properties"] = {"self": schema}

    assert OPENAI.form(schema) is None
