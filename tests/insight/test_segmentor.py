"""A stretch of conversation is summed up: what is asked, what is read from the answer, and what is left out of it."""

import json

import pytest
from doubles.filler import Caller, Filler

from companion.errors import InvalidAnswer, ModelError
from companion.insight.entity import Attribute, Entity, EntityType, Relation, Schema
from companion.insight.segmentor import Segment, SegmentInput, Segmentor, SegmentResult
from companion.stream import FuncCall

SCHEMA = Schema(
    {
        "person": EntityType("a human being", {"job": Attribute("string", "what they do"), "age": Attribute("int")}),
        "place": EntityType(),
    }
)
SAID = SegmentInput(("Emma moved to Lyon.", "She is a nurse there."), SCHEMA)
ANSWER = {
    "segment": {
        "summary": "Emma moved to Lyon.",
        "keywords": ["move", "Lyon"],
        "labels": ["person:Emma", "place:Lyon"],
    },
    "entities": [
        {"label": "person:Emma", "attrs": [{"key": "job", "value": "clerk"}, {"key": "job", "value": "nurse"}]},
        {"label": "place:Lyon", "attrs": []},
    ],
    "relations": [{"from": "person:Emma", "to": "place:Lyon", "rel_type": "lives_in"}],
}


async def result(answer: object, given: SegmentInput = SAID) -> SegmentResult:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return await Segmentor(Filler(text, text)).process(given)


def with_entities(*labels: str, relations: list[tuple[str, str, str]] | None = None) -> dict[str, object]:
    ties = [{"from": source, "to": target, "rel_type": kind} for source, target, kind in relations or []]
    return {**ANSWER, "entities": [{"label": label, "attrs": []} for label in labels], "relations": ties}


async def test_an_answer_is_read_into_segment_entities_and_relations() -> None:
    assert await result(ANSWER) == SegmentResult(
        Segment("Emma moved to Lyon.", ("move", "Lyon"), ("person:Emma", "place:Lyon")),
        (Entity("person:Emma", {"job": "nurse"}), Entity("place:Lyon")),
        (Relation("person:Emma", "place:Lyon", "lives_in"),),
    )


async def test_of_an_attribute_that_is_given_twice_the_last_value_counts() -> None:
    assert (await result(ANSWER)).entities[0].attrs == {"job": "nurse"}


async def test_slightly_broken_json_is_mended() -> None:
    broken = "Here it is:\n```json\n" + json.dumps(ANSWER).replace('"rel_type"', "'rel_type'")[:-1] + ",}\n```"

    assert await result(broken) == await result(ANSWER)


async def test_a_foreign_label_costs_that_label_only() -> None:
    answer = with_entities("person:Emma", "robot:R2", "Lyon", "place:", ":x", "place:Lyon")
    answer["segment"] = {"summary": "s", "keywords": [], "labels": ["robot:R2", "person:Emma"]}

    found = await result(answer)

    assert [entity.label for entity in found.entities] == ["person:Emma", "place:Lyon"]
    assert found.segment.labels == ("person:Emma",)
    assert found.left_out == (
        "entity 2: there is no type 'robot'",
        "entity 3: 'Lyon' is not of the form type:name",
        "entity 4: 'place:' is not of the form type:name",
        "entity 5: ':x' is not of the form type:name",
        "label 1: there is no type 'robot'",
    )


async def test_a_relation_needs_two_ends_that_are_there_and_a_type() -> None:
    relations = [
        ("person:Emma", "place:Lyon", "lives_in"),
        ("person:Emma", "place:Paris", "left"),
        ("person:Bob", "place:Lyon", "left"),
        ("person:Emma", "place:Lyon", " "),
        ("Person: emma", "place:lyon", "lives_in"),
    ]

    found = await result(with_entities("person:Emma", "place:Lyon", relations=relations))

    assert found.relations == (Relation("person:Emma", "place:Lyon", "lives_in"),)
    assert found.left_out == (
        "relation 2: nothing is known of 'place:Paris'",
        "relation 3: nothing is known of 'person:Bob'",
        "relation 4: it has no type",
    )


async def test_types_are_in_lower_case_and_an_entity_comes_once() -> None:
    answer = with_entities()
    answer["entities"] = [
        {"label": "Person: Emma", "attrs": [{"key": "job", "value": "nurse"}]},
        {"label": "person:Emma", "attrs": [{"key": "age", "value": "30"}, {"key": " ", "value": "x"}]},
    ]

    assert (await result(answer)).entities == (Entity("person:Emma", {"job": "nurse", "age": "30"}),)


async def test_without_a_schema_any_type_will_do() -> None:
    found = await result(with_entities("robot:R2"), SegmentInput(("Hello.",)))

    assert found.entities == (Entity("robot:R2"),)


async def test_what_is_asked_is_always_in_the_same_order() -> None:
    turned = Schema(
        {
            "place": EntityType(),
            "person": EntityType("a human being", dict(reversed(SCHEMA.entity_types["person"].attrs.items()))),
        }
    )
    asked = []
    for schema in (SCHEMA, turned):
        generator = Filler(json.dumps(ANSWER))
        await Segmentor(generator).process(SegmentInput(SAID.messages, schema))
        asked.append(generator.contexts[0])

    assert asked[0] == asked[1]
    assert "- person: a human being\n  - age (int)\n  - job (string): what they do\n- place" in asked[0].prompts[0].text
    assert asked[0].messages[0].text == "Emma moved to Lyon.\nShe is a nurse there."


@pytest.mark.parametrize("messages", [(), ("", "  ")])
async def test_where_nothing_was_said_no_model_is_asked(messages: tuple[str, ...]) -> None:
    assert await Segmentor(Filler()).process(SegmentInput(messages)) == SegmentResult()


@pytest.mark.parametrize(
    "answer", ["", "no", "[]", '{"segment": {}}', {**ANSWER, "entities": [{"label": 5, "attrs": []}]}]
)
async def test_an_answer_that_does_not_fit_is_an_error(answer: object) -> None:
    with pytest.raises(InvalidAnswer):
        await result(answer)


async def test_a_model_that_fails_is_an_error() -> None:
    with pytest.raises(ModelError, match="the model fell over"):
        await Segmentor(Filler(error=ModelError("the model fell over"))).process(SAID)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (FuncCall("", ""), "the answer for 'extract' is a call of ''"),
        (FuncCall("other", "{}"), "the answer for 'extract' is a call of 'other'"),
        (FuncCall("extract", '{"segment": 5}'), "the answer for 'extract' does not fit its schema"),
        (FuncCall("extract", json.dumps({**ANSWER, "segment": 5})), "does not fit its schema at 'segment'"),
        (FuncCall("extract", "words"), "JSON"),
    ],
)
async def test_a_generator_that_breaks_its_promise_is_an_error_too(call: FuncCall, error: str) -> None:
    with pytest.raises(InvalidAnswer, match=error):
        await Segmentor(Caller(call)).process(SAID)


async def test_the_error_says_which_field_it_is() -> None:
    entities = [{"label": "person:Emma", "attrs": [{"key": "job", "value": 7}]}]
    with pytest.raises(InvalidAnswer) as refused:
        await Segmentor(Caller(FuncCall("extract", json.dumps({**ANSWER, "entities": entities})))).process(SAID)

    assert refused.value.field == "entities[0].attrs[0].value"
    assert refused.value.mend


async def test_the_tool_is_extract_and_the_model_is_the_one_that_was_named() -> None:
    generator = Caller(FuncCall("extract", json.dumps(ANSWER)))

    await Segmentor(generator, model="small").process(SAID)

    assert generator.invoked == [("extract", "small")]
