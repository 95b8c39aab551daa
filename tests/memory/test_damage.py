"""A damaged file is set aside by its name, the newest good backup takes its place, and it is told."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from doubles.memory import NOON, Wall, a_graph, a_store, tell

from companion.errors import CompanionError
from companion.memory.graph import Graph
from companion.memory.store import Store


async def filled(folder: Path, clock: Wall, *, backup: bool = True) -> None:
    async with a_store(folder, clock) as store:
        graph = Graph(store, clock)
        await tell(graph, clock, *(f"friend {number} | likes | dish {number}" for number in range(60)))
        if backup:
            await store.backup()
        await tell(graph, clock, "user | likes | what came later")


def set_aside(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.glob("memory.db.damaged-*"))


async def how_many(store: Store) -> int:
    return int(await store.read(lambda db: db.execute("SELECT count(*) FROM relations").get))


async def test_a_file_that_is_no_database_gives_way_to_the_newest_backup(tmp_path: Path) -> None:
    clock = Wall()
    await filled(tmp_path, clock)
    (tmp_path / "memory.db").write_bytes(b"not what it was" * 2000)

    async with a_store(tmp_path, clock) as store:
        assert await how_many(store) == 60
        assert "the backup of 2026-03-02 12:01 UTC took its place" in store.problems[0]
        assert await store.check() == ()
    assert (tmp_path / set_aside(tmp_path)[0]).read_bytes().startswith(b"not what it was")


@pytest.mark.parametrize("left", [0, 1, 4096, 10_000, 50_000])
async def test_a_file_that_was_cut_off_gives_way_to_the_newest_backup(tmp_path: Path, left: int) -> None:
    clock = Wall()
    await filled(tmp_path, clock)
    file = tmp_path / "memory.db"
    file.write_bytes(file.read_bytes()[:left])

    async with a_store(tmp_path, clock) as store:
        assert await how_many(store) == 60
        assert len(store.problems) == 1
    assert len(set_aside(tmp_path)) == 1


async def test_without_a_backup_a_new_file_is_begun_and_it_is_told(tmp_path: Path) -> None:
    clock = Wall()
    await filled(tmp_path, clock, backup=False)
    (tmp_path / "memory.db").write_bytes(b"x" * 40_960)

    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | likes | tea")
        assert "no good backup was found" in (await graph.introspect()).problems[0]
    assert len(set_aside(tmp_path)) == 1


async def test_a_damaged_backup_is_passed_over(tmp_path: Path) -> None:
    clock = Wall()
    await filled(tmp_path, clock)
    async with a_store(tmp_path, clock) as store:
        clock.go(days=1)
        newest = await store.backup()
    newest.write_bytes(newest.read_bytes()[:9000])
    (tmp_path / "memory.db").write_bytes(b"x" * 40_960)

    async with a_store(tmp_path, clock) as store:
        assert await how_many(store) == 60


async def test_damage_that_is_found_while_at_work_is_mended_and_the_work_is_done(tmp_path: Path) -> None:
    clock = Wall()
    await filled(tmp_path, clock)
    async with a_store(tmp_path, clock) as store:
        graph = Graph(store, clock)
        file = tmp_path / "memory.db"
        size = file.stat().st_size
        # Every page but the first, while it is open: nothing can be read that is not in a cache.
        with file.open("r+b") as spoiling:
            spoiling.seek(4096)
            spoiling.write(b"\xff" * (size - 4096))
        await store.write(lambda db: db.execute("PRAGMA shrink_memory").fetchall())
        await tell(graph, clock, "user | likes | coming back")

        assert await how_many(store) in (60, 61)
        assert await store.check() == ()
        assert [one.object for one in await graph.about("user")] == ["coming back"]
        assert "took its place" in store.problems[0]


async def test_an_index_that_is_wrong_is_built_anew_and_nothing_is_lost(tmp_path: Path) -> None:
    clock = Wall()
    await filled(tmp_path, clock)
    async with a_store(tmp_path, clock) as store:
        root = await store.read(
            lambda db: db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'entities_updated'").get
        )
        other = await store.read(
            lambda db: db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'entities_mentioned'").get
        )
    with (tmp_path / "memory.db").open("r+b") as spoiling:
        spoiling.seek((int(other) - 1) * 4096)
        page = spoiling.read(4096)
        spoiling.seek((int(root) - 1) * 4096)
        spoiling.write(page)
    (tmp_path / "memory.db-wal").write_bytes(b"left by a kill")

    async with a_store(tmp_path, clock) as store:
        assert "nothing is lost" in store.problems[0]
        assert await how_many(store) == 61
        assert await store.check() == ()
    assert set_aside(tmp_path) == []


@pytest.mark.parametrize("seed", range(25))
async def test_flipped_bytes_never_stop_the_companion_nor_pass_a_check(tmp_path: Path, seed: int) -> None:
    clock = Wall()
    await filled(tmp_path, clock)
    file, chance = tmp_path / "memory.db", random.Random(seed)
    content = bytearray(file.read_bytes())
    for _ in range(chance.choice([1, 8, 200])):
        content[chance.randrange(len(content))] ^= chance.randrange(1, 256)
    file.write_bytes(content)
    if seed % 2:
        (tmp_path / "memory.db-wal").write_bytes(b"left by a kill")

    async with a_store(tmp_path, clock) as store:
        graph = Graph(store, clock)
        await tell(graph, clock, "user | likes | going on")
        assert "going on" in [one.object for one in await graph.about("user")]
        if store.problems and set_aside(tmp_path):
            assert await how_many(store) == 61
        assert await store.check() == ()


async def test_a_missing_file_is_begun_anew_and_the_backups_are_told_of(tmp_path: Path) -> None:
    clock = Wall()
    await filled(tmp_path, clock)
    (tmp_path / "memory.db").unlink()

    async with a_store(tmp_path, clock) as store:
        assert await how_many(store) == 0
        assert "companion memory restore" in store.problems[0]
        await store.restore()
        assert await how_many(store) == 60


async def test_another_program_s_file_is_not_spoilt(tmp_path: Path) -> None:
    import apsw

    other = apsw.Connection(str(tmp_path / "memory.db"))
    other.execute("PRAGMA application_id = 99; CREATE TABLE theirs(x); INSERT INTO theirs VALUES(1)").fetchall()
    other.close()

    async with a_store(tmp_path) as store:
        assert await how_many(store) == 0
    kept = apsw.Connection(str(tmp_path / set_aside(tmp_path)[0]))
    assert kept.execute("SELECT x FROM theirs").get == 1
    kept.close()


async def test_what_is_wrong_is_told_without_what_was_said(tmp_path: Path) -> None:
    clock = Wall(NOON)
    await filled(tmp_path, clock)
    (tmp_path / "memory.db").write_bytes(b"x" * 5000)
    async with a_store(tmp_path, clock) as store:
        assert "dish" not in "".join(store.problems)
        with pytest.raises(CompanionError):
            await Graph(store, clock).merge("nobody", "friend 1")
