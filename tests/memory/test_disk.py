"""A full disk and a read-only folder: a clear message, nothing corrupt, and what waited is stored when it can be."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from doubles.memory import Wall, a_graph, a_store, known, said, tell, triples
from doubles.small_disk import small_disk

from companion.errors import KeptForLater, StorageError
from companion.memory.context import Context, Event
from companion.memory.distil.ground import commit
from companion.memory.facts import Criteria
from companion.memory.graph import Graph, outbox
from companion.memory.passages import Kind, Passage
from companion.memory.text_index import TextIndex
from companion.memory.text_search import Question


async def told(graph: Graph, clock: Wall, *, most: int) -> list[int]:
    """Tell one fact after the other; the numbers of those that were acknowledged."""
    stored = []
    for number in range(most):
        at = clock.go(minutes=1)
        line = f"friend {number} | likes | {'a long name of a dish ' * 8}{number}"
        try:
            await graph.commit(triples(line), said(at, turn=str(number)))
        except KeptForLater:
            continue
        stored.append(number)
    return stored


async def test_on_a_full_disk_facts_wait_and_are_stored_in_order_when_there_is_room(tmp_path: Path) -> None:
    clock = Wall()
    with small_disk(tmp_path / "disk", 12_000) as disk:
        async with a_store(disk.folder, clock) as store:
            graph = Graph(store, clock)
            before = await told(graph, clock, most=10)
            disk.fill()
            during = await told(graph, clock, most=200)
            assert before == list(range(10))
            assert len(during) < 200
            assert graph.waiting == 200 - len(during)
            assert "disk is full" in store.problems[0]
            assert "friend 3" in {hit.fact.subject for hit in (await graph.recall(["friend", "3"])).facts}
            assert await store.check() == ()

            with pytest.raises(KeptForLater, match=r"could not be stored .*disk is full.*; it is kept until it can"):
                await tell(graph, clock, "user | likes | tea")
            disk.make_room()
            assert await graph.store_waiting() == 201 - len(during)
            assert graph.waiting == 0
            assert len(await known(graph, "friend 199")) == 1
            assert await store.check() == ()
            assert store.problems == ()


async def test_what_is_said_while_others_wait_comes_after_them(tmp_path: Path) -> None:
    clock = Wall()
    with small_disk(tmp_path / "disk", 12_000) as disk:
        async with a_graph(disk.folder, clock) as graph:
            await tell(graph, clock, "user | lives_in | Paris")
            disk.fill()
            await told(graph, clock, most=150)
            with pytest.raises(KeptForLater):
                await tell(graph, clock, "user | lives_in | Lyon")
            with pytest.raises(KeptForLater):
                await tell(graph, clock, "user | lives_in | Nice")
            disk.make_room()
            await tell(graph, clock, "user | likes | the sea")

            assert await known(graph, "user") == ["user likes the sea", "user lives_in Nice"]
            assert graph.waiting == 0


async def test_nothing_is_lost_and_nothing_is_damaged_when_it_ends_on_a_full_disk(tmp_path: Path) -> None:
    clock = Wall()
    with small_disk(tmp_path / "disk", 1024) as disk:
        async with a_graph(disk.folder, clock) as graph:
            await tell(graph, clock, "user | lives_in | Paris")
            disk.fill()
            stored = await told(graph, clock, most=100)
            assert await graph.close() == 100 - len(stored)
        async with a_graph(disk.folder, clock) as graph:
            assert await known(graph, "user") == ["user lives_in Paris"]
            for number in stored:
                assert len(await known(graph, f"friend {number}")) == 1
        disk.make_room()
        async with a_store(disk.folder, clock) as store:
            assert await store.check() == ()
            assert store.problems == ()


async def test_a_backup_that_does_not_fit_leaves_nothing_behind(tmp_path: Path) -> None:
    clock = Wall()
    with small_disk(tmp_path / "disk", 1024) as disk:
        async with a_store(disk.folder, clock) as store:
            await tell(Graph(store, clock), clock, "user | lives_in | Paris")
            disk.fill()
            with pytest.raises(StorageError, match="could not be copied"):
                await store.backup()
            assert await store.backups() == ()
            assert [file.name for file in (disk.folder / "backups").iterdir()] == []
            disk.make_room()
            assert len([await store.backup()]) == 1


async def test_an_empty_folder_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    clock = Wall()
    with small_disk(tmp_path / "disk", 2048) as disk:
        disk.let_write(allowed=False)
        async with a_store(disk.folder, clock) as store:
            graph = Graph(store, clock)
            assert "memory could not be" in store.problems[0]
            with pytest.raises(KeptForLater):
                await tell(graph, clock, "user | lives_in | Paris")
            with pytest.raises(StorageError):
                await graph.recall(["paris"])
            disk.let_write(allowed=True)
            await tell(graph, clock, "user | likes | tea")
            assert await known(graph, "user") == ["user likes tea", "user lives_in Paris"]
            assert store.problems == ()


@pytest.mark.parametrize("was_killed", [False, True])
async def test_a_folder_that_became_read_only_is_still_read(tmp_path: Path, was_killed: bool) -> None:
    clock = Wall()
    with small_disk(tmp_path / "disk", 4096) as disk:
        async with a_graph(tmp_path / "elsewhere", clock) as graph:
            await tell(graph, clock, "user | lives_in | Paris")
            if was_killed:
                for file in (tmp_path / "elsewhere").glob("memory.db*"):
                    (disk.folder / file.name).write_bytes(file.read_bytes())
        if not was_killed:
            (disk.folder / "memory.db").write_bytes((tmp_path / "elsewhere" / "memory.db").read_bytes())
        disk.let_write(allowed=False)
        async with a_graph(disk.folder, clock) as graph:
            assert await known(graph, "user") == ["user lives_in Paris"]
            with pytest.raises(KeptForLater):
                await tell(graph, clock, "user | lives_in | Lyon")
            assert await known(graph, "user") == ["user lives_in Paris"]
            disk.let_write(allowed=True)
            await graph.store_waiting()
            assert await known(graph, "user") == ["user lives_in Lyon"]


async def test_only_so_much_waits_and_the_rest_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "MOST_TRIPLES", 3)
    clock = Wall()
    with small_disk(tmp_path / "disk", 1024) as disk:
        async with a_graph(disk.folder, clock) as graph:
            disk.fill()
            await told_until_kept(graph, clock)
            for number in range(2):
                with pytest.raises(KeptForLater):
                    await tell(graph, clock, f"user | likes | dish {number}")
            with pytest.raises(StorageError, match="no more can be kept") as refused:
                await tell(graph, clock, "user | likes | dish 3")
            assert not isinstance(refused.value, KeptForLater)
            assert graph.waiting == 3


async def told_until_kept(graph: Graph, clock: Wall) -> None:
    for number in range(300):
        try:
            await tell(graph, clock, f"filler {number} | likes | {'a long name ' * 12}{number}")
        except KeptForLater:
            return


async def test_turns_and_events_a_full_disk_refused_are_stored_when_there_is_room(tmp_path: Path) -> None:
    clock = Wall()
    with small_disk(tmp_path / "disk", 4096) as disk:
        async with a_store(disk.folder, clock) as store:
            texts, context = TextIndex(store), await Context.open(disk.folder / "context.json")
            graph = Graph(store, clock)
            disk.fill()
            await told_until_kept(graph, clock)
            refused = 0
            for number in range(40):
                turn = Passage(f"a word about chess {number} " * 40, clock.go(minutes=1), "user", f"t{number}")
                with suppress(StorageError):
                    await context.append(Event(clock.now, "user", turn.text))
                try:
                    await texts.add("s", [turn])
                except KeptForLater:
                    refused += 1
            assert refused == texts.waiting > 0
            assert not context.is_saved
            disk.make_room()
            assert await texts.store_waiting() == refused
            assert await context.store_waiting()
            assert len(await texts.search(Kind.TURN, Question("chess", clock.now), 100)) == 40
            assert len((await Context.open(disk.folder / "context.json")).events) == 40


async def test_a_role_that_gets_its_name_on_a_full_disk_is_one_person_afterwards(tmp_path: Path) -> None:
    clock = Wall()
    with small_disk(tmp_path / "disk", 1024) as disk:
        async with a_store(disk.folder, clock) as store:
            graph = Graph(store, clock)
            await commit(graph, triples("my sister | likes | tea"), said(clock.go(minutes=1), turn="a"))
            disk.fill()
            await told_until_kept(graph, clock)
            with pytest.raises(KeptForLater):
                await commit(graph, triples("my sister | is_called | Emma"), said(clock.go(minutes=1), turn="b"))
            disk.make_room()
            await graph.store_waiting()
            await commit(graph, triples("my sister | plays | chess"), said(clock.go(minutes=1), turn="c"))

            assert {"Emma likes tea", "Emma plays chess"} <= set(await known(graph, "Emma"))


async def test_what_waits_is_forgotten_too(tmp_path: Path) -> None:
    clock = Wall()
    with small_disk(tmp_path / "disk", 1024) as disk:
        async with a_graph(disk.folder, clock) as graph:
            disk.fill()
            await told_until_kept(graph, clock)
            with pytest.raises(KeptForLater):
                await tell(graph, clock, "Emma | likes | tea", "user | likes | coffee")
            assert (await graph.purge(Criteria(entity="emma"))).facts == 0
            disk.make_room()
            await graph.store_waiting()
            assert await known(graph, "Emma") == []
            assert await known(graph, "user") == ["user likes coffee"]
