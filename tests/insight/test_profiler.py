"""Profiles are kept up to date: changes of the schema, new values and relations, and what is left out."""

import json

import pytest
from doubles.filler import Filler

from companion.errors import InvalidAnswer
from companion.insight.entity import Attribute, Entity, EntityType, Relation, Schema
from companion.insight.profiler import Action, ProfileInput, Profiler, ProfileResult, SchemaChange
from companion.insight.segmentor import SegmentResult

EXTRACTED = SegmentResult(
    entities=(Entity("person:Emma", {"job": "nurse"}), Entity("place:Lyon")),
    relations=(Relation("person:Emma", "place:Lyon", "lives_in"),),
)
SAID = ProfileInput(
    ("Emma is a nurse in Lyon.",),
    EXTRACTED,
    Schema({"person": EntityType("a human being", {"job": Attribute()})}),
    {"person:Bob": {"likes": ["tea", "rain"], "age": 40}},
)


def change(action: str, *, field: str = "city", entity_type: str = "person") -> dict[str, object]:
    return {
        "entity_type": entity_type,
        "field": field,
        "def": {"type": "string", "desc": "where they live"},
        "action": action,
    }


def update(label: str, **values: str) -> dict[str, object]:
    return {"label": label, "attrs": [{"key": key, "value": value} for key, value in values.items()]}


async def result(
    *,
    changes: tuple[dict[str, object], ...] = (),
    updates: tuple[dict[str, object], ...] = (),
    relations: tuple[tuple[str, str, str], ...] = (),
    given: ProfileInput = SAID,
) -> ProfileResult:
    ties = [{"from": source, "to": target, "rel_type": kind} for source, target, kind in relations]
    answer = json.dumps({"schema_changes": changes, "profile_updates": updates, "relations": ties})
    return await Profiler(Filler(answer, answer)).process(given)


async def test_an_answer_is_read_into_changes_updates_and_relations() -> None:
    assert await result(
        changes=(change("add"),),
        updates=(update("person:Emma", city="Lyon", job="nurse"),),
        relations=(("person:Emma", "person:Bob", "knows"),),
    ) == ProfileResult(
        (SchemaChange("person", "city", Attribute("string", "where they live"), Action.ADD),),
        {"person:Emma": {"city": "Lyon", "job": "nurse"}},
        (Relation("person:Emma", "person:Bob", "knows"),),
    )


async def test_a_foreign_action_costs_that_change_only() -> None:
    found = await result(
        changes=(change("remove"), change(" Modify "), change("add", field=" "), change("add"), change("add"))
    )

    assert [(one.field, one.action) for one in found.schema_changes] == [("city", Action.MODIFY), ("city", Action.ADD)]
    assert found.left_out == (
        "schema change 1: there is no action 'remove'",
        "schema change 3: it names no type or no field",
    )


async def test_a_foreign_label_costs_that_update_only() -> None:
    found = await result(updates=(update("person:Ann", age="3"), update("Person: bob", age="41"), update("place:Lyon")))

    assert found.profile_updates == {"person:Bob": {"age": "41"}}
    assert found.left_out == ("profile update 1: nothing is known of 'person:Ann'",)


async def test_what_is_said_of_one_in_several_places_is_put_together() -> None:
    found = await result(updates=(update("person:Emma", a="1", b="2"), update("person:Emma", b="3")))

    assert found.profile_updates == {"person:Emma": {"a": "1", "b": "3"}}


async def test_a_relation_ends_at_what_is_known() -> None:
    found = await result(relations=(("person:Emma", "person:Ann", "knows"), ("person:Bob", "place:Lyon", "left")))

    assert found.relations == (Relation("person:Bob", "place:Lyon", "left"),)
    assert found.left_out == ("relation 1: nothing is known of 'person:Ann'",)


async def test_the_model_is_told_what_is_known_always_in_the_same_order() -> None:
    profiles = {"person:Cy": {"b": 1, "a": 2}, **SAID.profiles}
    turned = {**SAID.profiles, "person:Cy": {"a": 2, "b": 1}}
    asked = []
    for known in (profiles, turned):
        generator = Filler(json.dumps({"schema_changes": [], "profile_updates": [], "relations": []}))
        await Profiler(generator).process(ProfileInput(SAID.messages, EXTRACTED, SAID.schema, known))
        asked.append(generator.contexts[0])

    told = asked[0].prompts[0].text
    assert asked[0] == asked[1]
    assert "- person: a human being\n  - job (string)" in told
    assert '- person:Emma {"job": "nurse"}' in told
    assert "- person:Emma lives_in place:Lyon" in told
    assert '- person:Bob {"age": 40, "likes": ["tea", "rain"]}\n- person:Cy {"a": 2, "b": 1}' in told
    assert "update_profiles" in [prompt.name for prompt in asked[0].prompts]


async def test_where_nothing_was_said_no_model_is_asked() -> None:
    assert await Profiler(Filler()).process(ProfileInput(("",), EXTRACTED)) == ProfileResult()


async def test_an_answer_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(InvalidAnswer):
        await result(changes=({"action": "add"},))
