"""The watcher, in time that is stepped: it looks, waits for files to come to rest, and goes on after trouble."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from doubles.knowledge import PlainReader, base_of
from doubles.virtual_time import run

from companion.errors import StorageError
from companion.knowledge import KnowledgeBase, Pace, Refreshed
from companion.knowledge.ingest import Marks
from companion.knowledge.watch import watch


@asynccontextmanager
async def watching(base: KnowledgeBase, pace: Pace) -> AsyncIterator[None]:
    task = asyncio.get_running_loop().create_task(base.watch(pace))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


def scene(tmp_path: Path, work: Callable[[KnowledgeBase, Path, PlainReader], Awaitable[Any]], **pace: Any) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    reader = PlainReader()

    async def play() -> None:
        async with base_of(tmp_path, folder, reader=reader) as base, watching(base, Pace(idle=0.0, **pace)):
            await work(base, folder, reader)

    run(play())


def test_what_comes_changes_and_goes_is_noticed(tmp_path: Path) -> None:
    async def work(base: KnowledgeBase, folder: Path, reader: PlainReader) -> None:
        await asyncio.sleep(1)
        (folder / "a.txt").write_text("The pump.")
        await asyncio.sleep(10)
        assert await base.search("pump")
        (folder / "a.txt").write_text("The boiler.")
        await asyncio.sleep(10)
        assert await base.search("pump") == ()
        assert await base.search("boiler")
        (folder / "a.txt").unlink()
        await asyncio.sleep(10)
        assert await base.search("boiler") == ()
        assert reader.read_files == 2

    scene(tmp_path, work)


def test_a_file_that_is_being_written_waits_until_it_rests(tmp_path: Path) -> None:
    async def work(base: KnowledgeBase, folder: Path, reader: PlainReader) -> None:
        for length in range(20):
            (folder / "a.txt").write_text("The pump. " * (length + 1))
            await asyncio.sleep(0.9)
        assert reader.read_files == 0
        await asyncio.sleep(5)
        assert reader.read_files == 1
        assert await base.search("pump")

    scene(tmp_path, work, settle=1.0)


def test_a_file_that_never_rests_is_read_now_and_then(tmp_path: Path) -> None:
    async def work(base: KnowledgeBase, folder: Path, reader: PlainReader) -> None:
        for length in range(100):
            (folder / "a.txt").write_text("The pump. " * (length + 1))
            await asyncio.sleep(0.9)
        assert 2 <= reader.read_files <= 5

    scene(tmp_path, work, settle=1.0, restless=30)


def test_files_at_rest_cost_no_reading(tmp_path: Path) -> None:
    async def work(base: KnowledgeBase, folder: Path, reader: PlainReader) -> None:
        (folder / "a.txt").write_text("The pump.")
        await asyncio.sleep(3_600)
        assert reader.read_files == 1

    scene(tmp_path, work)


def watched(outcomes: list[Refreshed | Exception], pace: Pace, until: float) -> list[tuple[float, Marks | None]]:
    """When it looked, and with which marks; the last outcome comes again and again."""
    looks: list[tuple[float, Marks | None]] = []

    async def look(marks: Marks | None) -> tuple[Refreshed, Marks]:
        looks.append((asyncio.get_running_loop().time(), marks))
        outcome = outcomes[min(len(looks), len(outcomes)) - 1]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome, {}

    async def play() -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(until):
                await watch(look, pace)

    run(play())
    return looks


def test_trouble_is_told_and_the_next_look_tries_again(caplog: pytest.LogCaptureFixture) -> None:
    looks = watched([StorageError("no room", file="x"), Refreshed()], Pace(interval=5), until=12)

    assert [at for at, _ in looks] == [0, 5, 10]
    assert "no room" in caplog.text


def test_an_odd_fault_does_not_end_the_watching(caplog: pytest.LogCaptureFixture) -> None:
    odd = UnicodeEncodeError("utf-8", "the diary of Emma", 0, 1, "half a character")
    looks = watched([odd, ZeroDivisionError(), Refreshed()], Pace(interval=5), until=12)

    assert [at for at, _ in looks] == [0, 5, 10]
    assert "diary" not in caplog.text


def test_looks_that_take_long_come_rarely() -> None:
    looks = watched([Refreshed(walk_seconds=2.0)], Pace(interval=5, idle=50), until=250)

    assert [at for at, _ in looks] == [0, 100, 200]


def test_something_that_waits_is_looked_at_sooner() -> None:
    looks = watched([Refreshed(pending=1), Refreshed(pending=1), Refreshed()], Pace(interval=5, settle=1), until=8)

    assert [at for at, _ in looks] == [0, 1, 2, 7]
