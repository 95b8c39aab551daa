"""What is forgotten by hand counts no more at once, can be put back as it was, and goes for good after that."""

from __future__ import annotations

from pathlib import Path

import pytest
from doubles.memory import Wall, a_graph, known, said, tell, triples

from companion.errors import FactRefused, PurgeRefused
from companion.memory.facts import Criteria, Status, Triple
from companion.memory.graph import Graph


async def test_what_was_set_aside_counts_no_more_and_is_put_back_as_it_was(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Emma | lives_in | Rome")
        await tell(graph, clock, "Emma | lives_in | Lyon", "Emma | likes | tea")
        before = await graph.about("Emma", ended=True)
        farewell = await graph.set_aside(Criteria(entity="Emma"))
        assert await known(graph, "Emma", ended=True) == []
        assert await graph.farewells() == [farewell]
        assert await graph.put_back(farewell.id) == 3
        assert await graph.about("Emma", ended=True) == before
        assert await graph.farewells() == []


async def test_what_was_let_go_is_not_in_the_file_any_more(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Quentin | likes | tea", "Emma | likes | tea")
        farewell = await graph.set_aside(Criteria(entity="Quentin"))
        assert (await graph.let_go(farewell)).entities == 1
        with pytest.raises(PurgeRefused, match="any more"):
            await graph.put_back(farewell.id)
        assert await known(graph, "tea") == ["Emma likes tea"]
    assert not is_written(tmp_path, b"uentin")


async def test_what_was_forgotten_before_goes_too_and_what_was_said_since_stays(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Quentin | likes | tea", "Quentin | owns | Zeppelin")
        await graph.purge(Criteria(object="Zeppelin"))
        farewell = await graph.set_aside(Criteria(entity="Quentin"))
        await tell(graph, clock, "Quentin | lives_in | Lyon")
        assert (await graph.let_go(farewell)).facts == 2
        assert await known(graph, "Quentin", ended=True) == ["Quentin lives_in Lyon"]
    assert not is_written(tmp_path, b"eppelin")


async def test_what_was_set_aside_is_still_known_to_be_after_a_restart(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Emma | likes | tea")
        farewell = await graph.set_aside(Criteria(entity="Emma"))
    async with a_graph(tmp_path, clock) as graph:
        assert await graph.farewells() == [farewell]
        await graph.put_back(farewell.id)
        assert await known(graph, "Emma") == ["Emma likes tea"]


@pytest.mark.parametrize("criteria", [Criteria(), Criteria(entity="Nobody"), Criteria(ids=(99,))])
async def test_nothing_is_set_aside_where_nothing_is_meant(tmp_path: Path, criteria: Criteria) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Emma | likes | tea")
        with pytest.raises(PurgeRefused):
            await graph.set_aside(criteria)
        assert await known(graph, "Emma") == ["Emma likes tea"]


async def test_a_correction_is_taken_back_with_what_it_ended(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Emma | lives_in | Rome", "Emma | comes_from | Lyon")
        before = await graph.about("Emma", ended=True)
        wrong = next(fact for fact in before if fact.relation == "comes_from")
        clock.go(minutes=1)
        correction = await graph.correct(wrong.id, Triple("Emma", "lives_in", "Nice"), said_by="user")
        assert await known(graph, "Emma") == ["Emma lives_in Nice"]
        assert await graph.take_back(correction) == wrong
        assert set(await graph.about("Emma", ended=True)) == set(before)
        assert await graph.entity("Nice") is None


async def test_a_correction_to_what_was_known_is_taken_back_too(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Emma | likes | tea", session="edit")
        wrong = await one(graph, "Emma | likes | tee")
        correction = await graph.correct(wrong, Triple("Emma", "likes", "tea"), said_by="user")
        await graph.take_back(correction)
        assert sorted(await known(graph, "Emma")) == ["Emma likes tea", "Emma likes tee"]


async def test_a_correction_cannot_be_taken_back_once_it_is_forgotten(tmp_path: Path) -> None:
    async with a_graph(tmp_path) as graph:
        wrong = await one(graph, "Emma | likes | tee")
        correction = await graph.correct(wrong, Triple("Emma", "likes", "tea"), said_by="user")
        await graph.purge(Criteria(entity="Emma"), hard=True)
        with pytest.raises(FactRefused):
            await graph.take_back(correction)
        assert correction.was.status is Status.ACTIVE


def is_written(folder: Path, name: bytes) -> bool:
    return any(file.is_file() and name in file.read_bytes() for file in folder.rglob("*"))


async def one(graph: Graph, line: str) -> int:
    return (await graph.commit(triples(line), said())).facts[0]
