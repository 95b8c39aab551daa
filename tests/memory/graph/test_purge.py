"""Forgetting: what matches, nothing else; for good means that no byte of it is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from doubles.memory import NOON, Wall, a_graph, a_store, known, said, tell, triples

from companion.errors import PurgeRefused
from companion.memory.facts import Criteria, Purged
from companion.memory.graph import Graph

HOUSE = ("Emma | likes | tea", "Emma | lives_in | Ghent", "Tom | likes | tea", "Tom | is_friend_of | Emma")


def bytes_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize(
    "criteria",
    [
        Criteria(entity="nobody"),
        Criteria(entity="Emma", relation="plays"),
        Criteria(subject="Emma", object="Tom"),
        Criteria(session="another"),
        Criteria(before=NOON),
        Criteria(ids=(999,)),
        Criteria(entity="Emma", said_by="a stranger"),
    ],
)
async def test_a_condition_that_matches_nothing_forgets_nothing(tmp_path: Path, criteria: Criteria, hard: bool) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, *HOUSE)

        assert await graph.purge(criteria, hard=hard) == Purged()
        seen = await graph.introspect()
        assert (seen.facts, seen.deleted, seen.entities) == (4, 0, 4)


async def test_a_purge_that_does_not_say_what_is_refused(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, *HOUSE)
        for criteria in (Criteria(), Criteria(entity="  "), Criteria(spare_pinned=True)):
            with pytest.raises(PurgeRefused):
                await graph.purge(criteria, hard=True)
        assert (await graph.introspect()).facts == 4


async def test_forgetting_softly_keeps_the_rows_and_nothing_recalls_them(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, *HOUSE)
        done = await graph.purge(Criteria(entity="emma"))

        assert done == Purged(facts=3)
        assert await known(graph, "Emma", ended=True) == []
        assert [hit.fact.subject for hit in (await graph.recall(["Emma", "tea"])).facts] == ["Tom"]
        seen = await graph.introspect()
        assert (seen.facts, seen.deleted) == (1, 3)


@pytest.mark.parametrize(
    ("criteria", "left"),
    [
        (Criteria(subject="Emma"), 2),
        (Criteria(object="Emma"), 3),
        (Criteria(relation="likes"), 2),
        (Criteria(relation="likes", entity="Tom"), 3),
        (Criteria(object="tea", subject="tom"), 3),
        (Criteria(session="s"), 0),
        (Criteria(said_by="user", since=NOON), 0),
        (Criteria(ids=(1, 4)), 2),
        (Criteria(everything=True), 0),
    ],
)
async def test_all_that_is_given_must_fit(tmp_path: Path, criteria: Criteria, left: int) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, *HOUSE)
        meant = await graph.facts(criteria)
        assert await graph.count(criteria) == len(meant)
        done = await graph.purge(criteria)

        assert len(meant) == done.facts == 4 - left
        assert (await graph.introspect()).facts == left


async def test_forgetting_for_good_leaves_no_byte(tmp_path: Path) -> None:
    clock = Wall()
    async with a_store(tmp_path, clock) as store:
        graph = Graph(store, clock)
        await tell(graph, clock, *HOUSE, "Zebulon | likes | quinces", "Emma | knows | Zebulon")
        await graph.alias("Zebulon", "Zebby")
        await tell(graph, clock, "Zebulon junior | likes | quinces")
        await graph.merge("Zebulon junior", "Zebulon")
        await store.backup()
        clock.go(days=1)
        for kind in ("damaged", "replaced"):
            (tmp_path / f"memory.db.{kind}-20260101T000000000000Z").write_bytes(b"Zebulon")
        done = await graph.purge(Criteria(entity="Zebby"), hard=True)

        assert done.entities == 2  # himself, and the quinces that only he liked
        assert await graph.entity("Zebulon") is None
        for name in (b"ebulon", b"ebby", b"uinces"):
            assert name not in bytes_in(tmp_path)
        assert len(await store.backups()) == 1
        assert await store.check() == ()
        assert len(await known(graph, "Emma")) == 3
        assert await graph.merges() == []


async def test_forgetting_for_good_takes_what_was_forgotten_softly_too(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | likes | quinces", "user | likes | tea")
        await graph.purge(Criteria(object="quinces"))
        done = await graph.purge(Criteria(object="quinces"), hard=True)

        assert done == Purged(facts=1, entities=1)
        assert b"quinces" not in bytes_in(tmp_path)


async def test_everything_can_be_forgotten(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, *HOUSE)
        await graph.purge(Criteria(everything=True), hard=True)

        assert (await graph.introspect()).entities == 0
        for name in (b"Emma", b"Ghent", b"tea"):
            assert name not in bytes_in(tmp_path)
        await tell(graph, clock, "user | likes | starting anew")
        assert len(await known(graph, "user")) == 1


async def test_an_entity_that_others_speak_of_stays(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, *HOUSE)
        done = await graph.purge(Criteria(subject="Emma"), hard=True)

        assert done == Purged(facts=2, entities=1)  # Ghent
        assert await known(graph, "Emma") == ["Tom is_friend_of Emma"]


async def test_pinned_facts_can_be_spared(tmp_path: Path) -> None:
    async with a_graph(tmp_path) as graph:
        done = await graph.commit(triples("user | likes | tea", "user | likes | cake"), said())
        await graph.pin(done.facts[0])
        await graph.purge(Criteria(entity="user", spare_pinned=True))

        assert await known(graph, "user") == ["user likes tea"]
