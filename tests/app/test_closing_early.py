"""Who quits in the first moments does not wait for libraries that are still coming in."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.app.minding import keeper, knowledge_room, memory_room
from companion.app.minding.keeper import Keeper
from companion.app.minding.knowledge_room import KnowledgeRoom
from companion.app.minding.memory_room import MemoryRoom

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
PATIENCE = 60.0
AT_ONCE = 5.0
"""Seconds; generous for a busy machine, and far below ``PATIENCE``."""


class Import:
    """A library that takes its time to come in."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.go_on = threading.Event()

    def __call__(self, *_: object) -> None:
        self.begun.set()
        self.go_on.wait(PATIENCE)


@pytest.fixture
def slow() -> Iterator[Import]:
    made = Import()
    yield made
    made.go_on.set()


async def called_off(slow: Import, work: Awaitable[object], close: Callable[[], Awaitable[None]]) -> None:
    """Begin the work, call it off in the middle, and close; everything at once."""
    task = asyncio.ensure_future(work)
    assert await asyncio.to_thread(slow.begun.wait, PATIENCE)
    task.cancel()
    try:
        await asyncio.wait_for(close(), AT_ONCE)
        await asyncio.wait([task], timeout=AT_ONCE)
        assert task.cancelled()
    finally:
        slow.go_on.set()


async def test_the_keeper_of_memory(slow: Import, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "read_out", slow)
    one = Keeper(MemoryRoom(tmp_path, lambda: NOW), session="s")

    await called_off(slow, one.prepare(), one.close)


async def test_the_memory(slow: Import, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_room, "_import", slow)
    room = MemoryRoom(tmp_path, lambda: NOW)

    await called_off(slow, room.opened(), room.close)


async def test_the_knowledge(slow: Import, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge_room, "_import", slow)
    room = KnowledgeRoom(tmp_path / "knowledge", [str(tmp_path)], tmp_path / "cache")

    await called_off(slow, room.watch(), room.close)
