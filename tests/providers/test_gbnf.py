"""Grammars of schemas, tried on llama.cpp's own reading of them: what fits gets through, what does not is stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import llama_cpp
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.errors import Unsupported
from companion.model import ModelParams
from companion.providers.local.gbnf import grammar_of, grammar_of_calls
from companion.providers.local.llama_engine import LlamaEngine

Schema = Mapping[str, object]


@pytest.fixture(scope="module")
def engine(shelf_folder: Path) -> Iterator[LlamaEngine]:
    file = shelf_folder / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf"
    engine = LlamaEngine(file, context_tokens=64, threads=1)
    yield engine
    engine.close()


def gets_through(engine: LlamaEngine, schema: Schema, text: str) -> bool:
    return is_taken(engine, grammar_of(schema), text)


def is_taken(engine: LlamaEngine, grammar: str, text: str) -> bool:
    sampler = engine.sampler(ModelParams(), grammar=grammar)
    try:
        for token in engine.tokenise(text):
            if not sampler._allows(token):
                return False
            llama_cpp.llama_sampler_accept(sampler._grammar, token)
        return sampler._allows(llama_cpp.llama_vocab_eos(engine._vocab))
    finally:
        sampler.close()


def fields(required: list[str] | None = None, /, **properties: object) -> dict[str, object]:
    return {"type": "object", "properties": properties, "required": list(properties) if required is None else required}


TREE = {
    "$defs": {"tree": fields(["v"], v={"type": "integer"}, kids={"type": "array", "items": {"$ref": "#/$defs/tree"}})}
}
COLOUR = {"enum": ['so "so"', "张三", "back\\slash", 3, None, True, {"a": [1]}]}


@pytest.mark.parametrize(
    ("schema", "fitting", "unfitting"),
    [
        (
            fields(a={"type": "string"}),
            ['{"a": "b"}', '{"a":""}', '{"a": "é\\n\\""}'],
            ['{"a": 1}', "{}", '{"a": "b', '"b"'],
        ),
        (
            fields(a={"type": "string", "minLength": 2, "maxLength": 3}),
            ['{"a": "bc"}', '{"a": "张三李"}'],
            ['{"a": "b"}', '{"a": "bcde"}'],
        ),
        (fields(a={"type": "integer"}), ['{"a": -12}', '{"a": 0}'], ['{"a": 1.5}', '{"a": 012}', '{"a": "1"}']),
        (fields(a={"type": "integer", "minimum": 0}), ['{"a": 12}'], ['{"a": -1}']),
        (
            fields(a={"type": "integer", "minimum": -1, "maximum": 11}),
            ['{"a": -1}', '{"a": 11}'],
            ['{"a": 12}', '{"a": -2}'],
        ),
        (fields(a={"type": "number"}), ['{"a": -1.5e3}', '{"a": 7}'], ['{"a": .5}', '{"a": NaN}']),
        (
            fields(a={"type": "number", "minimum": 0, "maximum": 1}),
            ['{"a": 0.75}', '{"a": 1}', '{"a": 0}'],
            ['{"a": 1.5}', '{"a": 2}'],
        ),
        (fields(a={"type": "boolean"}, b={"type": "null"}), ['{"a": true, "b": null}'], ['{"a": null, "b": true}']),
        (fields(a={"type": ["string", "null"]}), ['{"a": null}', '{"a": "b"}'], ['{"a": 1}']),
        (fields(a={"anyOf": [{"type": "integer"}, {"const": "x"}]}), ['{"a": 1}', '{"a": "x"}'], ['{"a": "y"}']),
        (fields(a={"allOf": [{"type": "integer"}]}), ['{"a": 1}'], ['{"a": "y"}']),
        (
            fields(a=COLOUR),
            [json.dumps({"a": one}, ensure_ascii=False) for one in COLOUR["enum"]],
            ['{"a": "so"}', '{"a": 4}'],
        ),
        (
            fields(["b"], a={}, b={}, c={}),
            ['{"b": 1}', '{"a": {}, "b": []}', '{"b": 1, "c": 2}', '{"a": 1, "b": 2, "c": 3}'],
            ["{}", '{"a": 1}', '{"b": 1,}', '{, "b": 1}'],
        ),
        (
            fields([], a={}, b={}),
            ["{}", '{"a": 1}', '{"b": 1}', '{"a": 1, "b": 2}'],
            ['{"c": 1}', '{"b": 1, "a": 2}', '{"a": 1, "a": 2}'],
        ),
        (fields(["a"]), ['{"a": [1, {"b": null}]}'], ["{}"]),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, ["{}", '{"x": 1, "y": 2}'], ['{"x": "y"}']),
        ({"type": "object"}, ["{}", '{"x": {"y": ["z", 1.5, false]}}'], ["[]"]),
        ({"type": "array", "items": {"type": "integer"}}, ["[]", "[1]", "[1, 2,3]"], ["[1,]", '["a"]', "{}"]),
        (
            {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 3},
            ["[1, 2]", "[1, 2, 3]"],
            ["[1]", "[1, 2, 3, 4]"],
        ),
        ({"type": "array", "maxItems": 0}, ["[]"], ["[1]"]),
        ({"type": "array", "maxItems": 1}, ["[]", "[1]"], ["[1, 2]"]),
        (
            fields(t={"$ref": "#/$defs/tree"}) | TREE,
            ['{"t": {"v": 1, "kids": [{"v": 2}, {"v": 3, "kids": []}]}}'],
            ['{"t": {}}'],
        ),
        ({"enum": []}, ["1", '"a"'], []),
    ],
)
def test_a_grammar_lets_through_what_fits(
    engine: LlamaEngine, schema: Schema, fitting: list[str], unfitting: list[str]
) -> None:
    assert {text: gets_through(engine, schema, text) for text in fitting} == dict.fromkeys(fitting, True)
    assert {text: gets_through(engine, schema, text) for text in unfitting} == dict.fromkeys(unfitting, False)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


def exactly(value: Any) -> dict[str, object]:
    """A schema of values that look like ``value``."""
    match value:
        case dict():
            return fields(**{name: exactly(inner) for name, inner in value.items()})
        case list():
            return {"type": "array", "items": {"anyOf": [exactly(inner) for inner in value]} if value else {}}
        case str():
            return {"type": "string", "maxLength": len(value)}
        case bool():
            return {"type": "boolean"}
        case int():
            return {"type": "integer"}
        case _:
            return {"type": "null"}


@given(VALUES)
def test_every_value_gets_through_the_grammar_of_its_own_schema(engine: LlamaEngine, value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False)
    # This model has no tokens for some letters.
    assume(b"".join(map(engine.bytes_of, engine.tokenise(text))) == text.encode())

    assert gets_through(engine, exactly(value), text)
    assert gets_through(engine, {}, text)


@pytest.mark.parametrize(
    "schema",
    [
        fields(a={"type": "string", "maxLength": 100_000}),
        fields(a={"type": "array", "items": fields(b={"type": "string", "maxLength": 300}), "maxItems": 100_000}),
        fields(**{f"field{place}": {"type": "string"} for place in range(300)}),
        fields(["field299"], **{f"field{place}": {"type": "string"} for place in range(300)}),
    ],
)
def test_llama_cpp_takes_the_grammar_of_a_large_schema(engine: LlamaEngine, schema: Schema) -> None:
    engine.sampler(ModelParams(), grammar=grammar_of(schema)).close()


def test_a_grammar_llama_cpp_does_not_take_is_refused(engine: LlamaEngine) -> None:
    with pytest.raises(Unsupported):
        engine.sampler(ModelParams(), grammar="root ::= nothing-of-the-kind")


def test_letters_the_model_has_no_tokens_for_end_the_answer_and_not_the_program(engine: LlamaEngine) -> None:
    sampler = engine.sampler(ModelParams(), grammar='root ::= "\U00040000"')
    engine.read(engine.tokenise("Say it."))
    try:
        with pytest.raises(Unsupported, match="no token"):
            [engine.sample(sampler) for _ in range(4)]
    finally:
        sampler.close()


def nested(depth: int) -> dict[str, object]:
    return {"type": "array", "items": nested(depth - 1)} if depth else {"type": "integer"}


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        (nested(40), "deeper"),
        (fields(a={"$ref": "#/$defs/none"}), "#/\\$defs/none"),
        (fields(a={"$ref": "https://example.org/schema"}), "example.org"),
        (fields(**{"long" * 50 + str(place): {} for place in range(500)}), "too large"),
        ({"type": "array", "minItems": 1_000_000}, "minItems"),
        (fields(a={"type": "string", "minLength": 3, "maxLength": 2}), "minLength"),
    ],
)
def test_what_makes_no_grammar_is_said_before_any_work(schema: Schema, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        grammar_of(schema)


def test_a_call_names_a_tool_and_fits_its_schema_and_no_other(engine: LlamaEngine) -> None:
    count = {"$defs": {"n": {"type": "integer"}}, "properties": {"n": {"$ref": "#/$defs/n"}}, "required": ["n"]}
    note = {"$defs": {"n": {"type": "string"}}, "properties": {"n": {"$ref": "#/$defs/n"}}, "required": ["n"]}
    grammar = grammar_of_calls({"count": count, "note": note, "stop": {}})

    def is_call(name: str, arguments: str) -> bool:
        call = f'<tool_call>\n{{"name": "{name}", "arguments": {arguments}}}\n</tool_call>'
        return is_taken(engine, grammar, call)

    assert is_call("count", '{"n": 1}')
    assert is_call("note", '{"n": "one"}')
    assert is_call("stop", "{}")
    assert not is_call("count", '{"n": "one"}')
    assert not is_call("note", '{"n": 1}')
    assert not is_call("oven", "{}")
    assert not is_call("stop", "[]")


def test_no_tool_at_all_makes_no_call() -> None:
    with pytest.raises(Unsupported):
        grammar_of_calls({})
