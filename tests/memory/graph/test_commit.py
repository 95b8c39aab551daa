"""Facts are written down once, superseded by newer ones, and never without saying where they are from."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from doubles.memory import NOON, Wall, a_graph, known, said, tell, triples

from companion.errors import FactRefused
from companion.memory.facts import LONGEST_NAME, MOST_AT_ONCE, Criteria, Fact, Provenance, Status, Triple
from companion.memory.graph import Graph


async def rows(graph: Graph, name: str) -> list[Fact]:
    return list(await graph.about(name, ended=True))


async def test_the_same_triple_twice_in_one_session_is_one_relation_and_in_another_two(tmp_path: Path) -> None:
    """Case 41."""
    async with a_graph(tmp_path) as graph:
        first = await graph.commit(triples("Emma | likes | tea"), said(session="monday", turn="1"))
        again = await graph.commit(triples("Emma | likes | tea"), said(session="monday", turn="2"))
        other = await graph.commit(triples("Emma | likes | tea"), said(session="tuesday", turn="1"))

        assert (first.relations, again.relations, other.relations) == (1, 0, 1)
        assert len(await rows(graph, "Emma")) == 2


async def test_existing_entities_are_mentioned_again(tmp_path: Path) -> None:
    async with a_graph(tmp_path) as graph:
        done = await graph.commit(triples("Emma | likes | tea", "Emma | likes | cake"), said())
        emma, tea = await graph.entity("emma"), await graph.entity("TEA")

        assert done.entities == 4
        assert emma is not None
        assert tea is not None
        assert (emma.mentions, tea.mentions) == (2, 1)


async def test_triples_with_an_empty_part_are_passed_over(tmp_path: Path) -> None:
    async with a_graph(tmp_path) as graph:
        done = await graph.commit(
            triples(" | likes | tea", "Emma |  | tea", "Emma | likes | ", "a | likes | b"), said()
        )

        assert (done.relations, done.refused) == (1, ())


async def test_a_move_ends_where_one_lived_and_says_until_when(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | lives in | Paris")
        moved = clock.go(days=30)
        done = await graph.commit(triples("user | moved to | Lyon"), said(moved, turn="2"))

        lyon, paris = await rows(graph, "user")
        assert (lyon.object, lyon.valid_from, lyon.valid_until, lyon.status) == ("Lyon", moved, None, Status.ACTIVE)
        assert (paris.object, paris.valid_until, paris.status) == ("Paris", moved, Status.SUPERSEDED)
        assert [one.object for one in done.superseded] == ["Paris"]
        assert await known(graph, "user") == ["user lives_in Lyon"]


async def test_what_holds_many_is_never_ended_by_more(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        for dish in ("soup", "cake", "figs"):
            await tell(graph, clock, f"user | likes | {dish}", f"user | built_with_own_hands | {dish}")

        assert len(await known(graph, "user")) == 6


async def test_a_text_that_is_read_late_changes_nothing_newer(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | lives_in | Lyon")
        old = NOON - timedelta(days=400)
        done = await graph.commit(triples("user | lives_in | Paris"), said(old, session="old", turn="1"))

        assert done.superseded == ()
        assert await known(graph, "user") == ["user lives_in Lyon"]
        paris = next(one for one in await rows(graph, "user") if one.object == "Paris")
        assert (paris.status, paris.valid_until) == (Status.SUPERSEDED, NOON + timedelta(minutes=1))


async def test_coming_back_is_a_move_too(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        for town in ("Paris", "Lyon", "Paris"):
            await tell(graph, clock, f"user | lives_in | {town}")

        assert await known(graph, "user") == ["user lives_in Paris"]
        assert [one.status.value for one in await rows(graph, "user")] == ["active", "superseded", "superseded"]


async def test_a_move_that_is_planned_ends_the_old_place_when_its_day_comes(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | lives_in | Paris")
        may = datetime(2026, 5, 1, tzinfo=UTC)
        await graph.commit([Triple("user", "lives_in", "Lyon", valid_from=may)], said(clock.go(minutes=1), turn="2"))

        assert sorted(await known(graph, "user")) == ["user lives_in Lyon", "user lives_in Paris"]
        clock.now = may + timedelta(hours=1)
        assert await known(graph, "user") == ["user lives_in Lyon"]


async def test_what_was_true_once_supersedes_nothing(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | works_at | the bakery")
        once = Triple(
            "user",
            "works_at",
            "the mill",
            valid_from=NOON - timedelta(days=900),
            valid_until=NOON - timedelta(days=500),
        )
        await graph.commit([once], said(clock.go(minutes=1), turn="2"))

        assert await known(graph, "user") == ["user works_at the bakery"]


async def test_liking_ends_disliking_the_same(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Emma | dislikes | olives", "Emma | dislikes | figs")
        await tell(graph, clock, "Emma | likes | olives")

        assert sorted(await known(graph, "Emma")) == ["Emma dislikes figs", "Emma likes olives"]


async def test_that_something_no_longer_holds_ends_it(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | plays | the violin", "user | plays | chess")
        at = clock.go(minutes=1)
        over = [Triple("user", "plays", "the violin", ends=True), Triple("user", "plays", "the harp", ends=True)]
        done = await graph.commit(over, said(at, turn="2"))

        assert [one.object for one in done.superseded] == ["the violin"]
        assert await known(graph, "user") == ["user plays chess"]
        assert await graph.entity("the harp") is None


async def test_a_doubtful_fact_ends_no_sure_one(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | lives_in | Paris")
        doubtful = [Triple("user", "lives_in", "Lyon", confidence=0.2)]
        done = await graph.commit(doubtful, said(clock.go(minutes=1), turn="2"))

        assert done.superseded == ()
        assert [[one.object for one in pair] for pair in await graph.contradictions()] == [["Lyon", "Paris"]]


async def test_a_turn_that_comes_again_adds_nothing_even_when_it_was_superseded_or_forgotten(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        paris = said(clock.go(minutes=1), turn="1")
        await graph.commit(triples("user | lives_in | Paris", "user | likes | rain"), paris)
        await tell(graph, clock, "user | lives_in | Lyon")
        await graph.purge(Criteria(object="rain"))
        done = await graph.commit(triples("user | lives_in | Paris", "user | likes | rain"), paris)

        assert done.relations == 0
        assert await known(graph, "user") == ["user lives_in Lyon"]


async def test_what_was_forgotten_comes_back_only_when_it_is_said_again(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        before = said(clock.go(minutes=1), turn="1")
        await graph.commit(triples("user | likes | rain"), before)
        clock.go(minutes=1)
        await graph.purge(Criteria(object="rain"))
        await graph.commit(triples("user | likes | rain"), said(before.at, session="read again", turn="9"))
        assert await known(graph, "user") == []

        await tell(graph, clock, "user | likes | rain")
        assert await known(graph, "user") == ["user likes rain"]


async def test_every_fact_says_who_said_it_when_and_how_sure(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        source = Provenance("Emma", clock.go(hours=1), "kitchen", "17")
        await graph.commit([Triple("Emma", "likes", "tea", confidence=0.7)], source)

        (fact,) = await graph.about("Emma")
        assert (fact.said_by, fact.at, fact.session, fact.turn, fact.confidence) == (
            *("Emma", NOON + timedelta(hours=1), "kitchen", "17"),
            0.7,
        )
        with pytest.raises(FactRefused, match="who said it"):
            await graph.commit(triples("Emma | likes | tea"), Provenance("", NOON))
        with pytest.raises(FactRefused, match="zone"):
            await graph.commit(triples("Emma | likes | tea"), Provenance("Emma", datetime(2026, 1, 1)))  # noqa: DTZ001


@pytest.mark.parametrize("given", [0.0, -3.0, 7.0, float("nan"), float("inf")])
async def test_a_confidence_that_is_none_counts_as_one(tmp_path: Path, given: float) -> None:
    async with a_graph(tmp_path) as graph:
        await graph.commit([Triple("Emma", "likes", "tea", confidence=given)], said())

        assert (await graph.about("Emma"))[0].confidence == 1.0


async def test_secrets_and_what_is_too_long_are_refused_and_the_rest_is_stored(tmp_path: Path) -> None:
    async with a_graph(tmp_path) as graph:
        done = await graph.commit(
            triples(
                "user | pays_with | 4111 1111 1111 1111",
                f"user | likes | {'x' * (LONGEST_NAME + 1)}",
                f"user | {'likes_' * 20} | tea",
                "user | password | tulip",
                "user | likes | tea",
                "tea | likes | TEA",
            ),
            said(),
        )

        assert [one.place for one in done.refused] == [0, 1, 2, 3, 5]
        assert not any("4111" in one.reason or "tulip" in one.reason for one in done.refused)
        assert await known(graph, "user") == ["user likes tea"]
        assert await graph.entity("tulip") is None


async def test_too_many_at_once_are_refused_as_a_whole(tmp_path: Path) -> None:
    async with a_graph(tmp_path) as graph:
        with pytest.raises(FactRefused, match="more than 64"):
            await graph.commit([Triple("a", "likes", str(number)) for number in range(MOST_AT_ONCE + 1)], said())
        assert (await graph.introspect()).facts == 0


async def test_names_are_one_line_and_compared_without_case_and_width(tmp_path: Path) -> None:
    async with a_graph(tmp_path) as graph:
        await graph.commit(triples("Anna\x00\n  Meier | likes | ＴＥＡ"), said())

        found = await graph.entity("anna meier")
        assert found is not None
        assert found.name == "Anna Meier"
        assert await graph.entity("tea") is not None


async def test_relations_are_written_alike_in_both_languages(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "我 | 住在 | 北京")
        await tell(graph, clock, "我 | lives-in | 上海")

        assert await known(graph, "我") == ["我 lives_in 上海"]


@pytest.mark.parametrize(("days", "home"), [(7, "Lyon"), (400, "Paris")])
async def test_a_move_of_last_week_ends_the_home_that_was_told_since_and_one_of_long_ago_does_not(
    tmp_path: Path, days: int, home: str
) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | lives_in | Paris")
        moved = Triple("user", "lives_in", "Lyon", valid_from=clock.now - timedelta(days=days))
        await graph.commit([moved], said(clock.go(minutes=1), turn="moved"))
        assert await known(graph, "user") == [f"user lives_in {home}"]
        assert len(await known(graph, "user", ended=True)) == 2
