"""The store: what is acknowledged stays, whatever happens to the disk, the file or the caller."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import apsw
import pytest
from doubles.memory import Wall, a_store

from companion.errors import MemoryBusy, NewerFile, StorageError
from companion.memory import store as storing
from companion.memory.migrations import Migration
from companion.memory.store import Store

STEPS = (Migration(1, "Notes", "CREATE TABLE notes(id INTEGER PRIMARY KEY, said TEXT NOT NULL)"),)


async def a_notebook(folder: Path, clock: Wall | None = None) -> Store:
    return await Store.open(folder, clock or Wall(), migrations=STEPS)


async def note(store: Store, said: str) -> None:
    await store.write(lambda db: db.execute("INSERT INTO notes(said) VALUES(?)", (said,)).fetchall())


async def notes(store: Store) -> list[str]:
    return [
        said for (said,) in await store.read(lambda db: db.execute("SELECT said FROM notes ORDER BY id").fetchall())
    ]


async def test_what_was_written_is_there_after_opening_again(tmp_path: Path) -> None:
    store = await a_notebook(tmp_path)
    await note(store, "tea")
    await store.close()

    again = await a_notebook(tmp_path)
    assert await notes(again) == ["tea"]
    assert again.problems == ()
    await again.close()


async def test_one_whole_file_is_left_behind_for_its_owner_alone(tmp_path: Path) -> None:
    store = await a_notebook(tmp_path / "new")
    await note(store, "tea")
    await store.close()

    assert [file.name for file in (tmp_path / "new").iterdir()] == ["memory.db"]
    assert (tmp_path / "new" / "memory.db").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


async def test_work_that_fails_writes_nothing(tmp_path: Path) -> None:
    store = await a_notebook(tmp_path)

    def work(db: apsw.Connection) -> None:
        db.execute("INSERT INTO notes(said) VALUES('half')")
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        await store.write(work)
    await note(store, "whole")
    assert await notes(store) == ["whole"]
    await store.close()


async def test_writes_run_in_the_order_they_were_asked_for(tmp_path: Path) -> None:
    store = await a_notebook(tmp_path)
    async with asyncio.TaskGroup() as group:
        for number in range(40):
            group.create_task(note(store, str(number)))

    assert await notes(store) == [str(number) for number in range(40)]
    await store.close()


async def test_every_write_is_forced_to_the_disk(tmp_path: Path) -> None:
    store = await a_notebook(tmp_path)
    settings = await store.write(
        lambda db: [db.pragma(name) for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete")]
    )

    assert settings == ["wal", 2, 1, 1]
    await store.close()


async def test_a_reader_cannot_write(tmp_path: Path) -> None:
    store = await a_notebook(tmp_path)

    with pytest.raises(StorageError):
        await store.read(lambda db: db.execute("INSERT INTO notes(said) VALUES('no')").fetchall())
    assert await notes(store) == []
    await store.close()


async def test_readers_go_on_while_a_write_is_at_work(tmp_path: Path) -> None:
    store = await a_notebook(tmp_path)
    await note(store, "before")
    has_begun, may_end = threading.Event(), threading.Event()

    def slow(db: apsw.Connection) -> None:
        db.execute("INSERT INTO notes(said) VALUES('after')")
        has_begun.set()
        assert may_end.wait(10)

    writing = asyncio.get_running_loop().create_task(store.write(slow))
    await asyncio.to_thread(has_begun.wait, 10)
    assert await notes(store) == ["before"]
    may_end.set()
    await writing
    assert await notes(store) == ["before", "after"]
    await store.close()


async def test_a_cancelled_write_that_has_begun_is_finished_and_one_that_has_not_never_runs(tmp_path: Path) -> None:
    store = await a_notebook(tmp_path)
    has_begun, may_end = threading.Event(), threading.Event()

    def slow(db: apsw.Connection) -> None:
        has_begun.set()
        assert may_end.wait(10)
        db.execute("INSERT INTO notes(said) VALUES('begun')")

    first = asyncio.get_running_loop().create_task(store.write(slow))
    second = asyncio.get_running_loop().create_task(note(store, "waiting"))
    await asyncio.to_thread(has_begun.wait, 10)
    first.cancel()
    second.cancel()
    await asyncio.sleep(0)
    may_end.set()
    results = await asyncio.gather(first, second, return_exceptions=True)

    assert [type(result) for result in results] == [asyncio.CancelledError] * 2
    assert await notes(store) == ["begun"]
    await store.close()


async def test_a_write_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    store = await a_notebook(tmp_path)
    forever = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    with pytest.raises(StorageError, match="could not be"):
        await store.write(lambda db: db.execute(forever).fetchall(), deadline=0.05)
    for _ in range(3):
        with pytest.raises(StorageError, match="could not be"):
            await store.read(lambda db: db.execute(forever).fetchall(), deadline=0.05)
    await note(store, "next")
    assert await notes(store) == ["next"]
    await store.close()


async def test_too_many_waiting_are_refused_and_nothing_of_them_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "MOST_WAITING", 3)
    store = await a_notebook(tmp_path)
    results = await asyncio.gather(*(note(store, str(number)) for number in range(5)), return_exceptions=True)

    assert [type(result) for result in results] == [type(None)] * 3 + [MemoryBusy] * 2
    assert await notes(store) == ["0", "1", "2"]
    await store.close()


async def test_a_step_runs_once_and_in_order(tmp_path: Path) -> None:
    store = await a_notebook(tmp_path)
    await note(store, "old")
    await store.close()

    more = (Migration(20, "Later", "ALTER TABLE notes ADD COLUMN read INTEGER DEFAULT 7"), *STEPS)
    later = await Store.open(tmp_path, Wall(), migrations=more)
    assert await later.read(lambda db: db.execute("SELECT said, read FROM notes").fetchall()) == [("old", 7)]
    await later.close()
    # A number between those that have run is still to come.
    between = await Store.open(tmp_path, Wall(), migrations=(*more, Migration(10, "Between", "CREATE TABLE t(x)")))
    assert await between.read(lambda db: db.execute("SELECT count(*) FROM migrations").get) == 3
    await between.close()


async def test_a_copy_is_made_before_the_form_of_the_file_changes(tmp_path: Path) -> None:
    store = await a_notebook(tmp_path)
    assert await store.backups() == ()
    await note(store, "old")
    await store.close()

    later = await Store.open(tmp_path, Wall(), migrations=(*STEPS, Migration(2, "Gone", "DROP TABLE notes")))
    (copy,) = await later.backups()
    await later.close()
    assert b"old" in copy.read_bytes()


async def test_a_step_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    store = await a_notebook(tmp_path)
    await note(store, "old")
    await store.close()
    broken = Migration(2, "Broken", "CREATE TABLE extra(x); INSERT INTO nowhere VALUES(1)")

    with pytest.raises(apsw.SQLError):
        await Store.open(tmp_path, Wall(), migrations=(*STEPS, broken))
    again = await a_notebook(tmp_path)
    assert (
        await again.read(lambda db: db.execute("SELECT name FROM sqlite_schema WHERE name = 'extra'").fetchall()) == []
    )
    await again.close()


async def test_a_file_of_a_newer_companion_is_left_alone(tmp_path: Path) -> None:
    newer = await Store.open(tmp_path, Wall(), migrations=(*STEPS, Migration(99, "Future", "CREATE TABLE f(x)")))
    await newer.close()

    with pytest.raises(NewerFile, match="newer companion"):
        await a_notebook(tmp_path)


async def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = await a_notebook(tmp_path)
    await store.close()
    await store.close()

    with pytest.raises(StorageError, match="closed"):
        await note(store, "late")


async def test_a_second_companion_that_holds_the_file_is_waited_for_and_then_told_of(tmp_path: Path) -> None:
    store = await a_notebook(tmp_path)
    await store.write(lambda db: db.set_busy_timeout(10))
    other = apsw.Connection(str(store.file))
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StorageError, match="locked"):
        await note(store, "meanwhile")
    other.execute("ROLLBACK")
    other.close()
    await note(store, "later")
    assert await notes(store) == ["later"]
    await store.close()


async def test_the_real_steps_make_a_good_file(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        assert await store.check() == ()
