"""The scripted month is sound: the same every time, varied enough, and every answer follows from what was told."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from memory.household.month import Month, Turn, month
from memory.household.read import LANGUAGES, USER, is_known, read_toml, vocabulary

PHRASINGS = 15
LEAST = {"now": 200, "before": 20, "then": 5, "when": 5, "about": 20, "unknown": 20}
SEEDS = (1, 2, 3)


@cache
def the(language: str) -> Month:
    return month(language)


def kinds_for(book: dict[str, Any]) -> list[tuple[str, bool]]:
    """Every kind of fact with whether the user has it, as the threads of the book use them."""
    used = set()
    for line in book["script"]["threads"]:
        person, kind = line.split(": ")[0].split(" ", 1)
        used.add((kind.partition("/")[0], person == USER))
    return sorted(used)


def fitting(phrases: list[str], *, of_user: bool) -> list[str]:
    return [text for text in phrases if not text.startswith("they:" if of_user else "me:")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_month_has_three_thousand_turns_in_thirty_days(language: str) -> None:
    turns = the(language).turns

    assert len(turns) == 3000
    assert len({turn.at.date() for turn in turns}) == 30
    assert all(before.at < after.at for before, after in pairwise(turns))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_seed_gives_the_same_month_and_another_gives_another(language: str) -> None:
    assert month(language) == the(language)
    assert [turn.text for turn in month(language, 1).turns] != [turn.text for turn in the(language).turns]


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_at_least_three_hundred_questions_of_every_way(language: str) -> None:
    asked = [turn.question for turn in the(language).turns if turn.question]
    ways = Counter(one.way for one in asked)

    assert len(asked) >= 300
    assert {way: count for way, count in LEAST.items() if ways[way] < count} == {}
    assert sum(one.hop for one in asked) >= 30


@pytest.mark.parametrize("language", LANGUAGES)
def test_most_turns_hold_nothing_and_come_in_long_stretches(language: str) -> None:
    idle = [not (turn.know or turn.ends or turn.forget or turn.question) for turn in the(language).turns]
    runs = [len(run) for run in "".join("x" if one else " " for one in idle).split()]

    assert sum(idle) >= 0.6 * len(idle)
    assert sum(run >= 20 for run in runs) >= 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_facts_are_given_repeated_changed_corrected_ended_and_forgotten(language: str) -> None:
    counted = Counter(turn.kind for turn in the(language).turns)

    assert {
        act: counted[act] for act in ("give", "again", "change", "correct", "drop", "forget") if counted[act] < 10
    } == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_fact_has_at_least_fifteen_phrasings(language: str) -> None:
    book = read_toml(f"month_{language}.toml")
    counts = {kind: len(set(book["kind"][kind]["give"])) for kind, _ in kinds_for(book)}

    assert {kind: count for kind, count in counts.items() if count < PHRASINGS} == {}
    assert [one for one in kinds_for(book) if len(fitting(book["kind"][one[0]]["give"], of_user=one[1])) < 10] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_left_unfilled(language: str) -> None:
    assert [turn.text for turn in the(language).turns if re.search(r"[{}\[\]|]|\w/\w", turn.text + turn.reply)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_most_turns_are_said_only_once_or_twice(language: str) -> None:
    said = {turn.text.lower() for turn in the(language).turns if turn.kind != "chatter"}

    assert len(said) >= 0.75 * sum(turn.kind != "chatter" for turn in the(language).turns)


@pytest.mark.parametrize("language", LANGUAGES)
def test_small_talk_uses_no_place_name_or_trade_of_the_home(language: str) -> None:
    """So that a wrong answer is never right by chance."""
    book = read_toml(f"month_{language}.toml")
    slots, lists = book["slots"], book["lists"]
    names = {name for row in book["people"].values() for name in row.get("names", ())}

    assert not set(slots["town"] + slots["town2"]) & set(lists["town"])
    assert not set(slots["name"]) & names
    assert not set(slots["job"]) & set(lists["job"])
    assert not set(slots["food"]) & {*lists["liking"], *lists["disliking"], *lists["allergen"], *lists["avoided"]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_told_is_in_the_text(language: str) -> None:
    relations = vocabulary()
    for turn in the(language).turns:
        for one in turn.know:
            text = turn.text.lower()
            assert is_known(one.relation, relations)
            assert one.subject == USER or one.subject.lower() in text
            assert any(spelling.lower() in text for spelling in one.objects), turn


class Replayed:
    """A memory that hears only the expected triples: what is true, by role and relation."""

    def __init__(self, people: dict[str, tuple[str, ...]]) -> None:
        self._roles = {name: role for role, names in people.items() for name in names}
        self._true: dict[tuple[str, str, str], list[tuple[str, ...]]] = {}
        self._last: tuple[tuple[str, str, str], tuple[str, ...]] | None = None

    def hear(self, turn: Turn, many: set[str]) -> None:
        for one in turn.ends:
            values = self._true[self._key(one.subject, one.relation, one.object)]
            values[:] = [value for value in values if value != (one.objects if not one.on else (one.on,))]
        for one in turn.know:
            key = self._key(one.subject, one.relation, one.object)
            value = (one.on,) if one.on else one.objects
            values = self._true.setdefault(key, [])
            kept = [other for other in values if other != value] if one.relation in many else []
            self._true[key] = [*kept, value]
            self._last = (key, value)
        for what in turn.forget:
            self._forget(what)

    def _key(self, subject: str, relation: str, thing: str) -> tuple[str, str, str]:
        return self._roles.get(subject, subject), relation, thing if relation == "has_appointment" else ""

    def _forget(self, what: str) -> None:
        if what == "*":
            assert self._last is not None
            self._true[self._last[0]].remove(self._last[1])
            return
        subject, *rest = what.split(" | ")
        role = self._roles.get(subject, subject)
        for key in self._true:
            if key[0] == role and list(key[1 : 1 + len(rest)]) == rest:
                self._true[key] = []

    def knows(self, subject: str, relation: str, thing: str) -> set[str]:
        return {value[0] for value in self._true.get((subject, relation, thing), [])}


@pytest.mark.parametrize("seed", [None, *SEEDS])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_answer_follows_from_what_was_told(language: str, seed: int | None) -> None:
    many = {relation for relation, holds in vocabulary().items() if holds == "many"}
    story = month(language, seed)
    memory = Replayed(story.people)
    for turn in story.turns:
        memory.hear(turn, many)
        if turn.question and turn.question.way in ("now", "unknown") and turn.question.relation:
            asked = turn.question
            right = {spellings[0] for spellings in asked.accept}
            assert right == memory.knows(asked.subject, asked.relation, asked.thing), turn


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_answer_is_right_and_stale_at_once(language: str) -> None:
    for turn in the(language).turns:
        if turn.question:
            accept = {spelling for spellings in turn.question.accept for spelling in spellings}
            assert not accept & set(turn.question.stale), turn
            assert (turn.question.way == "unknown") == (not accept), turn
            assert turn.question.need <= len(turn.question.accept)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_before_was_told_before_and_is_no_longer_so(language: str) -> None:
    told: set[str] = set()
    for turn in the(language).turns:
        told |= {spelling for one in turn.know for spelling in (*one.objects, one.on)}
        if turn.question and turn.question.way in ("before", "then"):
            assert all(set(spellings) & told for spellings in turn.question.accept), turn


def test_a_card_number_is_said_and_never_expected() -> None:
    for language in LANGUAGES:
        secrets = [turn for turn in the(language).turns if turn.kind == "secret"]

        assert len(secrets) >= 8
        assert not any(turn.know for turn in secrets)
