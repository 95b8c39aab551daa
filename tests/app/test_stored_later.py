"""What a full disk has refused is stored as soon as there is room, whoever speaks or not, and that is told."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from doubles.minds import Scripted, a_mind, say
from doubles.small_disk import small_disk

from companion.app.events import Problem, Solved, Telling
from companion.app.orders import Tend
from companion.app.paths import Paths


class Told:
    """What was told of the memory, and when it was all right again."""

    def __init__(self) -> None:
        self.telling = Telling()
        self.problems: list[Problem] = []
        self.solved = asyncio.Event()
        self.telling.subscribe(self._note)

    def _note(self, event: object) -> None:
        match event:
            case Problem("memory"):
                self.problems.append(event)
            case Solved("memory"):
                self.solved.set()


async def test_what_waited_is_stored_when_there_is_room_and_nobody_has_to_speak(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.app.minding.stored_later.FIRST_PAUSE", 0.02)
    with small_disk(tmp_path / "disk", 12_000) as disk:
        paths = Paths.under(tmp_path / "disk" / "home")
        paths.prepare()
        told = Told()
        async with a_mind(paths, Scripted("Well."), telling=told.telling) as mind:
            await say(mind, "Remember that my sister is called Emma.")
            disk.fill()
            assert "as soon as there is room" in await say(mind, "Remember that my brother is called Tom.")
            assert told.problems
            assert not any("Nothing else" in problem.mend for problem in told.problems)
            assert not told.solved.is_set()
            disk.make_room()
            async with asyncio.timeout(20):
                await told.solved.wait()
            assert "Tom" in str(await mind.desks.perform(Tend("memory", "show", {})))


async def test_a_restored_file_is_told_and_not_taken_for_trouble(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path / "home")
    paths.prepare()
    async with a_mind(paths) as mind:
        await say(mind, "Remember that my sister is called Emma.")
        await mind.desks.perform(Tend("memory", "backup", {}))
    damage(paths.memory / "memory.db")
    told = Told()
    async with a_mind(paths, telling=told.telling) as mind:
        assert "Emma" in await say(mind, "What is my sister called?")
        assert [problem.mend for problem in told.problems] == ["Nothing else needs to be done."]


def damage(file: Path) -> None:
    file.write_bytes(b"no database" * 1000)
