"""Notes are written, read, removed and put back by hand, and the index is made anew in the background."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.app.desks.notes_desk import NotesDesk
from companion.app.events import Finished, Progress, Telling
from companion.app.minding.desks import Desks
from companion.app.minding.index_progress import TASK, IndexProgress
from companion.app.minding.knowledge_room import KnowledgeRoom
from companion.app.orders import Tend
from companion.errors import BadInput, CompanionError, StorageError


class Notes:
    """A desk, and what was told."""

    def __init__(self, room: KnowledgeRoom, desk: NotesDesk, told: list[object]) -> None:
        self.room = room
        self.told = told
        self._desks = Desks({"notes": desk})

    async def ask(self, action: str, **given: object) -> Any:
        return await self._desks.perform(Tend("notes", action, given))

    async def is_over(self) -> Finished:
        async with asyncio.timeout(30):
            while True:
                for event in self.told:
                    if isinstance(event, Finished):
                        return event
                await asyncio.sleep(0.02)


@asynccontextmanager
async def notes(home: Path, *folders: Path) -> AsyncIterator[Notes]:
    telling, told = Telling(), list[object]()
    telling.subscribe(told.append)
    room = KnowledgeRoom(
        home / "knowledge", [str(folder) for folder in folders], home / "cache", on_progress=IndexProgress(telling)
    )
    desk = NotesDesk(room, telling)
    try:
        yield Notes(room, desk, told)
    finally:
        await desk.close()
        await room.close()


async def test_a_note_that_went_while_the_index_could_not_be_written_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with notes(tmp_path) as desk:
        await desk.ask("write", name="boiler", text="It was serviced in May.")
        base = await desk.room.opened()

        async def full(keys: object) -> None:
            raise StorageError("the disk is full", file="knowledge.db")

        with monkeypatch.context() as disk:
            disk.setattr(base._index, "drop", full)
            assert (await desk.ask("remove", name="boiler"))["removed"]
        await desk.ask("put_back", name="boiler")

        assert (await desk.ask("read", name="boiler"))["text"] == "It was serviced in May."


async def test_an_index_that_breaks_inside_has_an_end_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken() -> None:
        raise RuntimeError("never thought of")

    async with notes(tmp_path) as desk:
        monkeypatch.setattr(await desk.room.opened(), "refresh", broken)
        await desk.ask("renew")
        assert "RuntimeError" in (await desk.is_over()).problem


async def test_a_note_is_written_read_changed_removed_and_put_back(tmp_path: Path) -> None:
    async with notes(tmp_path) as desk:
        written = await desk.ask("write", name="boiler", text="It was serviced in May.")
        assert (written["name"], written["passages"], written["problem"]) == ("boiler", 1, "")
        await desk.ask("write", name="boiler", text="It was serviced in June.", replace=True)
        assert (await desk.ask("read", name="boiler"))["text"] == "It was serviced in June."
        assert (await desk.ask("remove", name="boiler"))["removed"]
        with pytest.raises(BadInput, match="no note"):
            await desk.ask("read", name="boiler")
        await desk.ask("put_back", name="boiler")
        assert (await desk.ask("read", name="boiler"))["text"] == "It was serviced in June."
        with pytest.raises(BadInput):
            await desk.ask("put_back", name="boiler")


@pytest.mark.parametrize(
    "given",
    [
        {"name": "boiler", "text": "again"},
        {"name": "../x", "text": "x"},
        {"name": "x", "text": " "},
        {"name": "x", "text": "x" * 200_001},
    ],
)
async def test_a_note_that_cannot_be_kept_is_refused(tmp_path: Path, given: dict[str, str]) -> None:
    async with notes(tmp_path) as desk:
        await desk.ask("write", name="boiler", text="It was serviced in May.")
        with pytest.raises(CompanionError):
            await desk.ask("write", **given)
        assert (await desk.ask("read", name="boiler"))["text"] == "It was serviced in May."


async def test_the_index_is_made_anew_and_says_how_far_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    for number in range(3):
        folder.joinpath(f"{number}.md").write_text(f"Paper {number} is about clover.\n")
    async with notes(tmp_path, folder) as desk:
        assert (await desk.ask("renew"))["begun"]
        assert not (await desk.ask("renew"))["begun"]
        assert (await desk.is_over()) == Finished(TASK)
        last = [event for event in desk.told if isinstance(event, Progress)][-1]
        assert (last.done, last.total) == (3, 3)
        assert len(await desk.room.search("clover")) == 3


async def test_making_the_index_can_be_cancelled(tmp_path: Path) -> None:
    async with notes(tmp_path) as desk:
        await desk.ask("renew")
        await desk.ask("cancel")
        assert await desk.is_over() == Finished(TASK)
        desk.told.clear()
        assert (await desk.ask("renew"))["begun"]
        assert await desk.is_over() == Finished(TASK)


async def test_a_folder_that_was_dropped_is_read_no_further(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    for number in range(5):
        folder.joinpath(f"{number}.md").write_text(f"Paper {number}.\n")
    async with notes(tmp_path, folder) as desk:
        base = await desk.room.opened()

        async def drop_it() -> None:
            await base.name_folders([])

        desk.room._base._ingest._before_each = drop_it  # type: ignore[union-attr]
        assert (await base.refresh()).read == 0
