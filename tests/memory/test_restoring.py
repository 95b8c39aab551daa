"""A backup takes the file's place whole, or the file stays where it is; with it comes what lies beside it."""

from __future__ import annotations

import errno
import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from doubles.memory import NOON, Wall, a_store, known, tell

from companion.errors import StorageError
from companion.memory import backups
from companion.memory.context import Context, Event
from companion.memory.documents import Documents
from companion.memory.graph import Graph

MINUTE = timedelta(minutes=1)


async def filled(folder: Path, clock: Wall) -> None:
    async with a_store(folder, clock) as store:
        await tell(Graph(store, clock), clock, "Emma | likes | tea")
        await store.backup()


def aside(folder: Path) -> list[Path]:
    return sorted(folder.glob("memory.db.damaged-*"))


def replaced(folder: Path) -> list[Path]:
    return sorted(folder.glob("memory.db.replaced-*"))


async def test_a_full_disk_leaves_a_damaged_file_in_its_place_until_a_copy_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Wall()
    await filled(tmp_path, clock)
    file = tmp_path / "memory.db"
    file.write_bytes(b"garbage" * 1000)

    def refuse(*given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(shutil, "copyfile", refuse)
        async with a_store(tmp_path, clock) as store:
            assert "No space left" in store.problems[0]
            assert file.read_bytes().startswith(b"garbage")
            full.undo()
            graph = Graph(store, clock)
            await tell(graph, clock, "Bob | likes | beer")
            assert await known(graph, "Emma") == ["Emma likes tea"]
            assert await known(graph, "Bob") == ["Bob likes beer"]
    assert len(aside(tmp_path)) == 1


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0" + b"\0" * 100, b"x" * 9000])
async def test_a_backup_that_holds_nothing_is_passed_over(tmp_path: Path, content: bytes) -> None:
    clock = Wall()
    await filled(tmp_path, clock)
    (tmp_path / "backups" / "memory-000099-20270101T000000000000Z.db").write_bytes(content)
    (tmp_path / "memory.db").write_bytes(b"garbage" * 1000)

    async with a_store(tmp_path, clock) as store:
        assert await known(Graph(store, clock), "Emma") == ["Emma likes tea"]


async def test_another_program_s_database_is_no_backup(tmp_path: Path) -> None:
    import apsw

    clock = Wall()
    await filled(tmp_path, clock)
    other = apsw.Connection(str(tmp_path / "backups" / "memory-000099-20270101T000000000000Z.db"))
    other.execute("CREATE TABLE theirs(x)").fetchall()
    other.close()

    async with a_store(tmp_path, clock) as store:
        await store.restore()
        assert await known(Graph(store, clock), "Emma") == ["Emma likes tea"]


async def test_without_a_good_backup_a_restore_that_is_asked_for_changes_nothing(tmp_path: Path) -> None:
    clock = Wall()
    async with a_store(tmp_path, clock) as store:
        graph = Graph(store, clock)
        await tell(graph, clock, "Emma | likes | tea")
        (await store.backup()).write_bytes(b"")
        with pytest.raises(StorageError, match="no good backup"):
            await store.restore()

        assert await known(graph, "Emma") == ["Emma likes tea"]
    assert aside(tmp_path) == []


async def test_what_a_backup_replaces_is_kept_as_such_and_only_the_newest_three(tmp_path: Path) -> None:
    clock = Wall()
    async with a_store(tmp_path, clock) as store:
        await tell(Graph(store, clock), clock, "Emma | likes | tea")
        await store.backup()
        for _ in range(5):
            clock.go(minutes=1)
            await store.restore()
        assert not any("could not be used" in problem for problem in store.problems)
    kept = replaced(tmp_path)

    assert len(kept) == 3
    newest = [f"{clock.now - MINUTE * back:%Y%m%dT%H%M%S}" for back in (2, 1, 0)]
    assert [name for name, one in zip(newest, kept, strict=True) if name in one.name] == newest
    assert aside(tmp_path) == []


async def test_only_the_newest_three_damaged_files_are_kept_and_no_part_of_others(tmp_path: Path) -> None:
    clock = Wall()
    await filled(tmp_path, clock)
    for number in range(5):
        clock.go(minutes=1)
        (tmp_path / "memory.db").write_bytes(f"number {number} ".encode() * 1000)
        (tmp_path / "memory.db-wal").write_bytes(b"a log of it")
        async with a_store(tmp_path, clock):
            pass
    kept = [one for one in aside(tmp_path) if not one.name.endswith("-wal")]

    assert [one.read_bytes()[:8] for one in kept] == [b"number 2", b"number 3", b"number 4"]
    assert len(aside(tmp_path)) <= 2 * len(kept)


async def test_a_disk_without_second_names_is_restored_on_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Wall()
    await filled(tmp_path, clock)
    monkeypatch.setattr(backups, "_is_linked", lambda file, name: False)
    (tmp_path / "memory.db").write_bytes(b"garbage" * 1000)

    async with a_store(tmp_path, clock) as store:
        assert await known(Graph(store, clock), "Emma") == ["Emma likes tea"]
    assert aside(tmp_path)[0].read_bytes().startswith(b"garbage")


async def test_two_files_that_are_set_aside_in_one_moment_are_both_kept(tmp_path: Path) -> None:
    clock = Wall()
    await filled(tmp_path, clock)
    for content in (b"first" * 2000, b"second" * 2000):
        (tmp_path / "memory.db").write_bytes(content)
        async with a_store(tmp_path, clock):
            pass

    assert sorted(one.read_bytes()[:5] for one in aside(tmp_path)) == [b"first", b"secon"]


async def test_documents_and_context_are_in_a_backup_and_come_back_where_they_are_gone(tmp_path: Path) -> None:
    clock = Wall()
    async with a_store(tmp_path, clock) as store:
        documents = await Documents.open(tmp_path / "documents", store, clock)
        context = await Context.open(tmp_path / "context.json")
        lost = await documents.insert("a walk", "a walk along the river")
        kept = await documents.insert("a boat", "a boat on the river")
        await context.append(Event(NOON, "user", "before"))
        await store.backup()
        await documents.remove(lost.id)
        await documents.insert("a boat", "a boat on the river", tags=["newer"])
        await context.append(Event(NOON, "user", "after"))
        await store.restore()
        await documents.reindex()

        assert [hit.document.id for hit in await documents.query("walk")] == [lost.id]
        newer = await documents.get(kept.id)
        assert newer is not None
        assert newer.tags == ("newer",)
        assert len((await Context.open(tmp_path / "context.json")).events) == 2


async def test_a_damaged_document_and_a_damaged_context_are_restored_from_the_newest_backup(tmp_path: Path) -> None:
    clock = Wall()
    async with a_store(tmp_path, clock) as store:
        documents = await Documents.open(tmp_path / "documents", store, clock)
        held = await documents.insert("a walk", "a walk along the river")
        context = await Context.open(tmp_path / "context.json")
        await context.append(Event(NOON, "user", "before"))
        await store.backup()
        (tmp_path / "documents" / f"{held.id}.json").write_text("{")
        (tmp_path / "context.json").write_text("{")

        again = await documents.get(held.id)
        assert again is not None
        assert again.content == "a walk along the river"
        assert "the newest backup took its place" in documents.problems[0]
        restored = await Context.open(tmp_path / "context.json", spare=lambda: store.spare("context.json"))
        assert [event.input for event in restored.events] == ["before"]
        assert "the newest backup took its place" in restored.problems[0]
        assert len((await Context.open(tmp_path / "context.json")).events) == 1
