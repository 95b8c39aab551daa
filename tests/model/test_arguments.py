"""Arguments of a call: JSON that fits the schema, or one error that says where it does not."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadArguments, BadTool
from companion.model import ArgumentReader, FuncTool
from companion.model.arguments import LONGEST_REASON


@dataclass
class Stop:
    city: str
    nights: int = 1


def travel(stops: list[Stop], pace: float = 1.0) -> None: ...


def reader(**parameters: object) -> ArgumentReader:
    return ArgumentReader(FuncTool("travel", "", parameters) if parameters else FuncTool.of(travel))


def test_arguments_that_fit_are_read() -> None:
    assert reader().read('{"stops": [{"city": "Ulm"}], "pace": 2}') == {"stops": [{"city": "Ulm"}], "pace": 2}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"stops": [{"city": 5}]}', r"do not fit at stops\[0\].city: 5 is not of type 'string'"),
        ('{"stops": [], "speed": 2}', "do not fit: .*'speed' was unexpected"),
        ('{"stops": [], "pace": "2"}', "do not fit at pace: '2' is not of type 'number'"),
        ("{}", "do not fit: 'stops' is a required property"),
        ("", "do not fit: 'stops' is a required property"),
        ("[1]", r"do not fit: \[1\] is not of type 'object'"),
        ('"{}"', "do not fit: '{}' is not of type 'object'"),
        ('{"stops": []} {"stops": []}', "are no JSON: Extra data"),
        ('{"stops": [],} {"stops": [], "pace": 2}', "are no JSON: there are several values"),
        ('{"stops": []} 2', "are no JSON: Extra data"),
        ('{"stops": [], "pace": NaN}', "are no JSON: NaN is not JSON"),
        ('{"stops": [], "pace": 1e999}', "are no JSON: a number out of range"),
        ('{"stops": [], "pace": 1e999,}', "are no JSON"),
        ("soon", "are no JSON"),
        ('{"stops": ' + "[" * 9_000, "are no JSON"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_with_the_field_named(text: str, why: str) -> None:
    with pytest.raises(BadArguments, match=f"the arguments of 'travel' {why}") as caught:
        reader().read(text)

    assert caught.value.tool == "travel"
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "field"),
    [('{"stops": [{"city": 5}]}', "stops[0].city"), ('{"stops": [], "pace": "2"}', "pace"), ("[1]", ""), ("soon", "")],
)
def test_the_error_says_which_field_it_is(text: str, field: str) -> None:
    with pytest.raises(BadArguments) as caught:
        reader().read(text)

    assert caught.value.field == field


@pytest.mark.parametrize("text", ["{'stops': []}", '{"stops": [],}', '{"stops": []', '```json\n{"stops": []}\n```'])
def test_slightly_broken_json_is_mended(text: str) -> None:
    assert reader().read(text) == {"stops": []}


def test_no_text_is_no_arguments() -> None:
    assert reader(type="object").read(" \n") == {}


def test_a_reason_does_not_quote_a_whole_book() -> None:
    with pytest.raises(BadArguments) as caught:
        reader().read(json.dumps({"stops": "word " * 10_000}))

    assert len(str(caught.value)) < LONGEST_REASON + 100


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({"type": "string"}, "no schema of an object"),
        ({"properties": {}}, "no schema of an object"),
        ({"type": "object", "required": "city"}, "its schema is wrong at required: 'city' is not of type 'array'"),
        ({"type": "object", "properties": {"a": {"type": "text"}}}, "its schema is wrong at properties.a.type"),
        ({"type": "object", "properties": {"a": {"pattern": "("}}}, "its schema is wrong at properties.a.pattern"),
        ({"type": "object", "patternProperties": {"[": {}}}, "its schema is wrong at patternProperties"),
    ],
)
def test_a_tool_without_a_schema_of_an_object_is_refused(parameters: dict[str, object], why: str) -> None:
    with pytest.raises(BadTool, match=f"tool 'travel': .*{why}"):
        reader(**parameters)


def test_a_schema_is_never_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[object] = []
    monkeypatch.setattr("urllib.request.urlopen", fetched.append)
    elsewhere = {"$ref": "https://schemas.example/place.json"}

    with pytest.raises(BadTool, match=r"its schema does not hold 'https://schemas\.example/place\.json'"):
        reader(type="object", properties={"place": elsewhere}).read('{"place": 1}')

    assert fetched == []


def test_a_wrong_pattern_that_nobody_looked_at_is_a_fault_of_the_tool() -> None:
    hidden = {"$ref": "#/x-parts/name"}
    reads = reader(type="object", properties={"name": hidden}, **{"x-parts": {"name": {"pattern": "("}}})

    with pytest.raises(BadTool, match="a pattern of its schema is wrong"):
        reads.read('{"name": "Ada"}')


def test_a_schema_may_refer_to_itself() -> None:
    tree = {"type": "array", "items": {"$ref": "#/$defs/tree"}}
    reads = reader(type="object", properties={"tree": {"$ref": "#/$defs/tree"}}, **{"$defs": {"tree": tree}})

    assert reads.read('{"tree": [[], [[]]]}') == {"tree": [[], [[]]]}
    with pytest.raises(BadArguments, match=r"at tree\[0\]\[0\]: 1 is not of type 'array'"):
        reads.read('{"tree": [[1]]}')


STOPS = st.builds(Stop, st.text(), st.integers())


@given(st.lists(STOPS), st.floats(allow_nan=False, allow_infinity=False))
def test_arguments_that_are_written_are_read_back(stops: list[Stop], pace: float) -> None:
    arguments = {"stops": [{"city": stop.city, "nights": stop.nights} for stop in stops], "pace": pace}

    assert reader().read(json.dumps(arguments)) == arguments


PIECES = ["{", "}", "[", "]", ",", ":", " ", '"stops"', '"pace"', "'pace'", "1", "-", "e9", "null", "// soon", "\n"]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=2)).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(BadArguments):
        assert set(reader().read(text)) <= {"stops", "pace"}
