"""A look at the graph shows whoever is nearest, what ties them, and what each of them is."""

from __future__ import annotations

from pathlib import Path

import pytest
from doubles.memory import Wall, a_database, a_graph, said, tell, triples

from companion.errors import UnknownEntity
from companion.memory.facts import Criteria, Triple
from companion.memory.graph.commit import commit
from companion.memory.graph.kinds import Kind, kind_of
from companion.memory.graph.sight import listed, look, months, names_beginning


async def test_whoever_is_mentioned_most_stands_in_the_middle(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | is_parent_of | Emma", "user | likes | tea", "Emma | lives_in | Lyon")
        await tell(graph, clock, "Kettle | is_kept_in | Kitchen")
        sight = await graph._store.read(lambda db: look(db, "", 300))
    kinds = {node.name: node.kind for node in sight.nodes}
    assert sight.nodes[0].name == "user"
    assert sight.centre == sight.nodes[0].id
    assert sight.total == len(sight.nodes) == 6
    assert kinds["user"] is kinds["Emma"] is Kind.PERSON
    assert kinds["Lyon"] is kinds["Kitchen"] is Kind.PLACE
    assert kinds["tea"] is Kind.THING
    assert {tie.relation for tie in sight.ties} == {"is_parent_of", "likes", "lives_in", "is_kept_in"}


async def test_the_neighbourhood_of_somebody_comes_with_a_count_of_all(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        for place in range(20):
            await tell(graph, clock, f"Person{place} | is_friend_of | Person{place + 1}")
        sight = await graph._store.read(lambda db: look(db, "person10", 5))
        assert sight.total == 21
        assert sight.nodes[0].name == "Person10"
        assert {node.name for node in sight.nodes} == {f"Person{place}" for place in range(8, 13)}
        with pytest.raises(UnknownEntity):
            await graph._store.read(lambda db: look(db, "Nobody", 5))


async def test_what_ended_is_seen_with_its_end_and_what_was_forgotten_is_not(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Emma | lives_in | Rome", "Emma | likes | tea")
        await tell(graph, clock, "Emma | lives_in | Lyon")
        await graph.purge(Criteria(object="tea"))
        sight = await graph._store.read(lambda db: look(db, "Emma", 10))
    names = {node.id: node.name for node in sight.nodes}
    ends = {names[tie.target]: tie.valid_until is not None for tie in sight.ties}
    assert ends == {"Lyon": False, "Rome": True}
    assert sight.total == 3


def test_thousands_are_looked_at_within_a_bound() -> None:
    with a_database() as database:
        for start in range(0, 6_000, 60):
            facts = [Triple("user", "knows", f"Somebody {start + place}") for place in range(60)]
            commit(database, facts, said(turn=str(start)), said().at)
        sight = look(database, "", 100_000)
        assert len(sight.nodes) == 5_000
        assert sight.total == 6_001
        assert len(look(database, "user", 300).nodes) == 300


def test_names_are_found_by_how_their_words_begin() -> None:
    with a_database() as database:
        known = triples("user | likes | Earl Grey", "user | is_friend_of | Emma", "小红 | lives_in | 上海市")
        commit(database, known, said(), said().at)
        assert names_beginning(database, "em", 10) == ["Emma"]
        assert names_beginning(database, "gre", 10) == ["Earl Grey"]
        assert names_beginning(database, "earl g", 10) == ["Earl Grey"]
        assert names_beginning(database, "海", 10) == ["上海市"]
        assert names_beginning(database, "小", 10) == ["小红"]
        assert names_beginning(database, "zz", 10) == []
        assert names_beginning(database, "", 1) == ["user"]


def test_the_list_goes_page_by_page_and_can_be_searched() -> None:
    clock = Wall()
    with a_database() as database:
        for place in range(5):
            at = clock.go(days=20)
            commit(database, triples(f"Emma | lives_in | Town {place}"), said(at, turn=str(place)), at)
        facts, total = listed(database, "", offset=0, limit=10, ended=False)
        assert ([fact.object for fact in facts], total) == (["Town 4"], 1)
        facts, total = listed(database, "TOWN", offset=1, limit=2, ended=True)
        assert ([fact.object for fact in facts], total) == (["Town 3", "Town 2"], 5)
        assert listed(database, "nobody", offset=0, limit=2, ended=True) == ([], 0)
        assert [(one.month, one.facts) for one in months(database)] == [
            ("2026-03", 1),
            ("2026-04", 1),
            ("2026-05", 2),
            ("2026-06", 1),
        ]


def test_what_somebody_is_shows_in_what_is_said_of_them() -> None:
    assert kind_of("Place", ["is_parent_of"]) is Kind.PLACE
    assert kind_of("Concept", ["is_parent_of"]) is Kind.PERSON
    assert kind_of("Concept", ["lives_in"]) is Kind.PLACE
    assert kind_of("Concept", ["born_on"]) is Kind.DATE
    assert kind_of("Concept", [], ["is_called"]) is Kind.PERSON
    assert kind_of("Concept", ["likes"], ["is_kept_in"]) is Kind.THING
    assert kind_of("Concept", [], name="user") is Kind.PERSON
