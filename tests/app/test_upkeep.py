"""The memory is looked after while nobody talks and the machine is on mains, and never else."""

from __future__ import annotations

import asyncio
from pathlib import Path

from doubles.memory import Wall
from doubles.virtual_time import run

from companion.app.minding.memory_room import MemoryRoom, OpenMemory
from companion.app.minding.upkeep import A_DAY, LOOK, Upkeep
from companion.app.power import on_mains
from companion.errors import StorageError


class Quiet:
    """Somebody talks until they are told not to."""

    def __init__(self, *, talks: bool = False) -> None:
        self.silent = asyncio.Event()
        if not talks:
            self.silent.set()

    async def wait(self) -> None:
        await self.silent.wait()


async def test_the_file_is_copied_once_a_day(tmp_path: Path) -> None:
    room = MemoryRoom(tmp_path, Wall())
    upkeep = Upkeep(room, Quiet(), lambda: True, seconds=1800)
    await upkeep.once()
    await upkeep.once()
    assert len(await (await room.opened()).store.backups()) == 1
    await room.close()


async def test_what_else_is_to_be_done_is_done_each_time_and_waits_for_silence(tmp_path: Path) -> None:
    done: list[OpenMemory] = []

    async def more(opened: OpenMemory) -> None:
        done.append(opened)

    quiet = Quiet(talks=True)
    room = MemoryRoom(tmp_path, Wall())
    round_ = asyncio.ensure_future(Upkeep(room, quiet, lambda: True, seconds=1800, more=[more]).once())
    await asyncio.wait([round_], timeout=0.3)
    assert done == []
    quiet.silent.set()
    await round_
    assert len(done) == 1
    await room.close()


def test_it_waits_for_mains_and_goes_on_after_trouble() -> None:
    run(_mains_come_and_memory_is_broken())


async def _mains_come_and_memory_is_broken() -> None:
    rounds: list[float] = []
    may = {"run": False}

    class Broken:
        async def opened(self) -> OpenMemory:
            rounds.append(asyncio.get_running_loop().time())
            raise StorageError("memory could not be read", file="memory.db")

    began = asyncio.get_running_loop().time()
    upkeep = Upkeep(Broken(), Quiet(), lambda: may["run"], seconds=1800)  # type: ignore[arg-type]
    running = asyncio.ensure_future(upkeep.run())
    await asyncio.sleep(A_DAY / 24)
    assert rounds == []
    may["run"] = True
    await asyncio.sleep(LOOK + 1)
    assert len(rounds) == 1
    await asyncio.sleep(1800)
    assert len(rounds) == 2
    assert rounds[1] - began > 2 * 1800
    running.cancel()
    await asyncio.wait([running])


def supply(folder: Path, name: str, **files: str) -> None:
    place = folder / name
    place.mkdir(parents=True)
    for file, content in files.items():
        (place / file).write_text(content + "\n")


def test_a_machine_without_a_battery_is_on_mains(tmp_path: Path) -> None:
    assert on_mains(tmp_path / "nothing")
    supply(tmp_path, "AC", type="Mains", online="0")
    assert on_mains(tmp_path)


def test_a_laptop_is_on_mains_while_it_is_plugged_in(tmp_path: Path) -> None:
    supply(tmp_path / "in", "BAT0", type="Battery")
    supply(tmp_path / "in", "AC", type="Mains", online="1")
    supply(tmp_path / "out", "BAT0", type="Battery")
    supply(tmp_path / "out", "AC", type="Mains", online="0")
    supply(tmp_path / "mouse", "hid", type="Battery", scope="Device")
    assert on_mains(tmp_path / "in")
    assert not on_mains(tmp_path / "out")
    assert on_mains(tmp_path / "mouse")
