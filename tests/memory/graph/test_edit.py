"""What the user changes by hand: pins, corrections, names."""

from __future__ import annotations

from pathlib import Path

import pytest
from doubles.memory import Wall, a_graph, known, said, tell, triples

from companion.errors import FactRefused, MergeRefused, UnknownEntity
from companion.memory.facts import Status, Triple
from companion.memory.graph import Graph


async def one(graph: Graph, line: str) -> int:
    return (await graph.commit(triples(line), said())).facts[0]


async def test_a_correction_takes_the_place_of_what_was_wrong(tmp_path: Path) -> None:
    async with a_graph(tmp_path) as graph:
        wrong = await one(graph, "Emma | likes | tee")
        await graph.pin(wrong)
        right = await graph.edit(wrong, Triple("Emma", "likes", "tea"), said_by="Emma")

        assert (right.object, right.said_by, right.pinned) == ("tea", "Emma", True)
        assert await known(graph, "Emma", ended=True) == ["Emma likes tea"]
        assert (await graph.introspect()).deleted == 1


async def test_only_the_dates_can_be_corrected(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        wrong = await one(graph, "Emma | visits | Rome")
        until = clock.go(days=2)
        right = await graph.edit(wrong, Triple("Emma", "visits", "Rome", valid_until=until), said_by="user")

        assert (right.id != wrong, right.valid_until, right.status) == (True, until, Status.SUPERSEDED)


async def test_correcting_to_what_is_known_already_leaves_one(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await graph.commit(triples("Emma | likes | tea"), said(session="edit"))
        wrong = await one(graph, "Emma | likes | tee")
        right = await graph.edit(wrong, Triple("Emma", "likes", "tea"), said_by="user")

        assert right.object == "tea"
        assert await known(graph, "Emma") == ["Emma likes tea"]


@pytest.mark.parametrize(
    "shall", [Triple("Emma", "", "tea"), Triple("Emma", "password", "x"), Triple("Emma", "likes", "emma")]
)
async def test_a_correction_that_may_not_be_stored_changes_nothing(tmp_path: Path, shall: Triple) -> None:
    async with a_graph(tmp_path) as graph:
        number = await one(graph, "Emma | likes | tee")
        with pytest.raises(FactRefused):
            await graph.edit(number, shall, said_by="user")
        with pytest.raises(FactRefused, match="no such fact"):
            await graph.edit(999, Triple("Emma", "likes", "tea"), said_by="user")
        with pytest.raises(FactRefused, match="no such fact"):
            await graph.pin(999)

        assert await known(graph, "Emma") == ["Emma likes tee"]


async def test_the_old_name_stays_as_an_alias(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Emma | likes | tea", "Tom | likes | tea")
        renamed = await graph.rename("emma", "Emma Meier")

        assert (renamed.name, renamed.aliases) == ("Emma Meier", ("Emma",))
        assert await known(graph, "EMMA") == ["Emma Meier likes tea"]
        assert (await graph.rename("Emma", "EMMA MEIER")).aliases == ("Emma",)  # only written otherwise
        assert (await graph.rename("Emma Meier", "Emma")).aliases == ("EMMA MEIER",)
        with pytest.raises(MergeRefused):
            await graph.rename("Emma", "tom")
        with pytest.raises(UnknownEntity):
            await graph.rename("nobody", "somebody")
        with pytest.raises(FactRefused):
            await graph.rename("Emma", "x" * 201)


async def test_an_alias_is_found_until_it_is_taken_away(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Emma | likes | tea", "Tom | likes | tea")
        await graph.alias("Emma", "Mimi Meier")
        await graph.alias("Emma", "mimi meier")
        assert [found.name for found in (await graph.recall(["meier"])).entities] == ["Emma"]
        with pytest.raises(MergeRefused):
            await graph.alias("Tom", "Mimi Meier")
        with pytest.raises(FactRefused):
            await graph.alias("Tom", "4111111111111111")

        assert (await graph.unalias("MIMI MEIER")).aliases == ()
        assert await graph.entity("Mimi Meier") is None
        assert (await graph.recall(["meier"])).entities == ()
        with pytest.raises(UnknownEntity):
            await graph.unalias("Emma")
