"""A model reads what was said as well; nothing it writes is taken on trust."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from companion.errors import Unreachable
from companion.insight.entity import Entity, Relation
from companion.insight.profiler import ProfileInput, ProfileResult
from companion.insight.segmentor import SegmentInput, SegmentResult
from companion.memory.distil.by_model import MOST_AT_ONCE, MOST_WAITING, SURE, Backlog, ModelDistiller, Told

AT = datetime(2025, 3, 31, 12, tzinfo=UTC)


def told(text: str, turn: str = "1") -> Told:
    return Told(text, AT, "en", "user", "s", turn)


class Segments:
    """Answers with what it was made with, and notes what it was given."""

    def __init__(self, *relations: Relation, entities: tuple[Entity, ...] = (), error: Exception | None = None) -> None:
        self.given: list[tuple[str, ...]] = []
        self._result = SegmentResult(entities=entities, relations=relations)
        self._error = error

    async def process(self, given: SegmentInput) -> SegmentResult:
        self.given.append(given.messages)
        if self._error is not None:
            raise self._error
        return self._result


class Profiles:
    def __init__(self, updates: dict[str, dict[str, str]] | None = None) -> None:
        self._result = ProfileResult(profile_updates=updates or {})

    async def process(self, given: ProfileInput) -> ProfileResult:
        return self._result


async def found(segments: Segments, profiles: Profiles, *texts: str) -> list[str]:
    pairs = await ModelDistiller(segments, profiles).distil([told(text, str(n)) for n, text in enumerate(texts)])
    return [f"{one.turn}: {triple.subject} | {triple.relation} | {triple.object}" for one, triple in pairs]


async def test_relations_and_fields_become_triples_of_the_utterance_they_stand_in() -> None:
    segments = Segments(Relation("person:user", "place:Lyon", "lives in"))
    profiles = Profiles({"person:Emma": {"job": "nurse"}})

    assert await found(segments, profiles, "Emma is a nurse these days", "I ended up in Lyon for good") == [
        "1: user | lives_in | Lyon",
        "0: Emma | works_as | nurse",
    ]


async def test_what_was_not_said_is_not_stored() -> None:
    """A model makes things up, or repeats what the assistant has said."""
    segments = Segments(
        Relation("person:user", "place:Paris", "lives_in"), Relation("person:Tom", "thing:tea", "likes")
    )

    assert await found(segments, Profiles(), "I ended up in Lyon for good") == []


async def test_names_from_two_utterances_are_not_put_together() -> None:
    segments = Segments(Relation("person:Emma", "place:Lyon", "lives_in"))

    assert await found(segments, Profiles(), "Emma is a nurse", "I ended up in Lyon") == []


async def test_a_relation_that_is_not_in_the_table_is_left_out() -> None:
    segments = Segments(Relation("person:user", "place:Lyon", "ponders"))

    assert await found(segments, Profiles(), "I ended up in Lyon for good") == []


async def test_a_model_sees_no_secret_no_question_and_nobody_elses_words() -> None:
    segments = Segments()
    await found(
        segments,
        Profiles(),
        "my password is tulip42",
        "where do I live",
        "she said I hate cats",
        "Tom has taken up pottery",
    )

    assert segments.given == [("Tom has taken up pottery",)]


async def test_no_model_is_asked_where_there_is_nothing_to_read() -> None:
    segments = Segments()

    assert await found(segments, Profiles(), "what time is it") == []
    assert segments.given == []


async def test_what_a_model_found_is_less_sure() -> None:
    segments = Segments(Relation("person:user", "place:Lyon", "lives_in"))
    ((_, triple),) = await ModelDistiller(segments, Profiles()).distil([told("I ended up in Lyon")])

    assert triple.confidence == SURE < 1


async def test_the_backlog_keeps_what_could_not_be_read() -> None:
    backlog = Backlog(ModelDistiller(Segments(error=Unreachable("nobody answers")), Profiles()))
    backlog.add(told("Tom has taken up pottery"))
    with pytest.raises(Unreachable):
        await backlog.read_some()

    assert len(backlog) == 1


async def test_the_backlog_is_bounded_and_read_in_parts() -> None:
    segments = Segments()
    backlog = Backlog(ModelDistiller(segments, Profiles()))
    for number in range(MOST_WAITING + 5):
        backlog.add(told(f"Tom has taken up pottery number {number}"))
    assert len(backlog) == MOST_WAITING
    await backlog.read_some()

    assert len(backlog) == MOST_WAITING - MOST_AT_ONCE
    assert segments.given[0][0] == "Tom has taken up pottery number 5"


async def test_what_is_forgotten_is_not_read_later() -> None:
    backlog = Backlog(ModelDistiller(Segments(), Profiles()))
    backlog.add(told("Tom has taken up pottery"))
    backlog.add(told("Nina has taken up rowing"))

    assert backlog.forget("Tom") == 1
    assert len(backlog) == 1
    assert backlog.forget("") == 1
    assert len(backlog) == 0


async def test_what_is_forgotten_while_it_is_read_is_not_told() -> None:
    segments = Segments(Relation("person:user", "place:Lyon", "lives_in"))
    backlog = Backlog(ModelDistiller(segments, Profiles()))
    backlog.add(told("I ended up in Lyon"))
    reading = segments.process

    async def process(given: SegmentInput) -> SegmentResult:
        backlog.forget("Lyon")
        return await reading(given)

    segments.process = process  # type: ignore[method-assign]
    assert await backlog.read_some() == []
