"""Whatever happens to the process, the disk or the index: the files are safe, and the index is whole or made anew."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest
from doubles.checkout import TOP
from doubles.knowledge import PlainReader, base_of

from companion.errors import StorageError

KILLS = int(os.environ.get("COMPANION_KNOWLEDGE_KILLS", "50"))
FILES = 40
INDEXING = """
import asyncio, sys
from pathlib import Path
from doubles.knowledge import base_of

async def main():
    home, folder = Path(sys.argv[1]), Path(sys.argv[2])
    async with base_of(home, folder) as base:
        print("begun", flush=True)
        await base.refresh()
        print("done", flush=True)

asyncio.run(main())
"""


def write_files(folder: Path, dice: random.Random) -> None:
    """Some files change, some go, some come."""
    folder.mkdir(exist_ok=True)
    for number in range(FILES):
        file = folder / f"{number}.md"
        if dice.random() < 0.2:
            file.unlink(missing_ok=True)
        elif dice.random() < 0.6:
            sections = (
                f"# Section {each}\n\n{' '.join(dice.choices(['boiler', 'pump', '锅炉', 'rose'], k=90))}\n\n"
                for each in range(dice.randint(1, 6))
            )
            file.write_text("".join(sections), encoding="utf-8")


def is_whole(file: Path) -> bool:
    """Whether the index is sound, and each file in it has all of its passages and they their words."""
    with apsw.Connection(str(file)) as connection:
        sound = connection.execute("PRAGMA integrity_check").get == "ok"
        connection.execute("INSERT INTO words(words) VALUES('integrity-check')")
        counted = connection.execute(
            "SELECT count(*) FROM files WHERE passages != (SELECT count(*) FROM passages WHERE file = files.id)"
        ).get
        rows = connection.execute("SELECT (SELECT count(*) FROM passages) = (SELECT count(*) FROM words)").get
        strays = connection.execute("SELECT count(*) FROM passages WHERE file NOT IN (SELECT id FROM files)").get
    connection.close()
    return bool(sound and counted == 0 and rows and strays == 0)


def killed(home: Path, folder: Path, dice: random.Random) -> bool:
    """Have a process bring the index up to date and kill it on the way; whether it was in the middle."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(TOP), str(TOP / "tests")))}
    with subprocess.Popen(
        [sys.executable, "-c", INDEXING, str(home), str(folder)], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(dice.uniform(0.0, 0.06))
        process.send_signal(signal.SIGKILL)
        return "done" not in process.stdout.read()


async def test_a_kill_at_any_moment_leaves_a_whole_index_that_the_next_look_completes(tmp_path: Path) -> None:
    dice = random.Random(5)
    folder = tmp_path / "documents"
    interrupted = 0
    for _ in range(KILLS):
        write_files(folder, dice)
        interrupted += killed(tmp_path, folder, dice)
        assert is_whole(tmp_path / "cache" / "knowledge.db")

    assert interrupted > KILLS / 4
    async with base_of(tmp_path, folder) as base, base_of(tmp_path / "fresh", folder) as fresh:
        await base.refresh()
        await fresh.refresh()
        assert await base.folders() == await fresh.folders()
        assert {hit.text for hit in await base.search("rose", 50)} == {
            hit.text for hit in await fresh.search("rose", 50)
        }


@pytest.mark.parametrize("damage", [b"", b"no database", b"\x00" * 8192])
async def test_a_damaged_index_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    async with base_of(tmp_path) as base:
        piece = await base.create("pump", "The pump.")
    index = tmp_path / "cache" / "knowledge.db"
    index.write_bytes(damage)
    async with base_of(tmp_path) as base:
        await base.refresh()
        assert (await base.search("pump"))[0].file == piece.file
        assert bool(base.problems) == bool(damage)


async def test_an_index_that_is_damaged_in_the_middle_is_made_anew(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    for _ in range(5):
        write_files(folder, random.Random(9))
    index = tmp_path / "cache" / "knowledge.db"
    async with base_of(tmp_path, folder) as base:
        await base.refresh()
    with index.open("r+b") as file:
        size = index.stat().st_size
        file.seek(4096)
        file.write(os.urandom(size - 4096))
    async with base_of(tmp_path, folder) as base:
        await base.search("boiler")
        await base.refresh()
        assert await base.search("boiler")
        assert base.problems
    assert is_whole(index)


async def test_many_who_meet_a_damaged_index_make_it_anew_once(tmp_path: Path) -> None:
    async with base_of(tmp_path) as base:
        await base.create("pump", "The pump.")
    index = tmp_path / "cache" / "knowledge.db"
    async with base_of(tmp_path) as base:
        index.write_bytes(b"no database" * 1_000)
        await asyncio.gather(*(base.search("pump") for _ in range(20)))
        await base.refresh()
        assert len(base.problems) == 1
        assert await base.search("pump")


async def test_an_index_of_another_version_is_made_anew(tmp_path: Path) -> None:
    async with base_of(tmp_path) as base:
        await base.create("pump", "The pump.")
    with apsw.Connection(str(tmp_path / "cache" / "knowledge.db")) as connection:
        connection.pragma("user_version", 999)
    connection.close()
    async with base_of(tmp_path) as base:
        await base.refresh()
        assert await base.search("pump")
        assert "another version" in base.problems[0]


async def test_an_index_that_was_removed_is_made_anew(tmp_path: Path) -> None:
    reader = PlainReader()
    async with base_of(tmp_path) as base:
        await base.create("pump", "The pump.")
    for file in (tmp_path / "cache").iterdir():
        file.unlink()
    async with base_of(tmp_path, reader=reader) as base:
        await base.refresh()
        assert await base.search("pump")
    assert reader.read_files == 1


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


async def test_a_full_disk_is_told_and_made_good_when_there_is_room(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    write_files(folder, random.Random(3))
    with small_disk(tmp_path / "cache", "900k") as disk:
        async with base_of(tmp_path, folder) as base:
            (folder / "0.md").write_text("The first boiler.")
            filler = disk / "filler"
            await base.search("boiler")
            room = os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize
            filler.write_bytes(bytes(max(room - 100_000, 0)))
            with pytest.raises(StorageError, match="full") as caught:
                await base.refresh()
            assert caught.value.mend
            assert await base.search("first boiler")
            filler.unlink()
            await base.refresh()
            (named,) = await base.folders()
            assert named.files == len(list(folder.iterdir()))
        assert is_whole(disk / "knowledge.db")


async def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("this is no folder")
    async with base_of(tmp_path) as base:
        assert base.problems
        piece = await base.create("pump", "The pump.")
        assert piece.file.read_text() == "The pump."
        with pytest.raises(StorageError):
            await base.search("pump")
        (tmp_path / "cache").unlink()
        await base.refresh()
        assert await base.search("pump")
