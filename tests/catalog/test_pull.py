"""Pulling: order of sources, atomic placing, full disks, two at once, and a kill in the middle."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from doubles.hub import Cut, HubDouble
from doubles.models import hub_file, hub_path, model, some_bytes, without_hub

from companion.catalog import room
from companion.catalog.hub import Hub
from companion.catalog.lock import held_at_once
from companion.catalog.manifest import ModelFile
from companion.catalog.progress import Phase, Progress
from companion.catalog.pull import pull
from companion.catalog.shelf import Shelf
from companion.catalog.source import Errand
from companion.errors import ChecksumMismatch, DiskFull, ShelfError, SourceUnreachable, UnknownModel

MB = 1_000_000
SMALL, LARGE = b"{}", some_bytes(3 * MB)
CONTENTS = {"config.json": SMALL, "model.bin": LARGE}


class Box:
    """A source that hands out what it was given, or the error it was given, and counts."""

    title = "the box"

    def __init__(self, contents: dict[str, bytes | Exception], at: int = 0) -> None:
        self.contents = contents
        self.at = at
        self.asked: list[str] = []
        self.closed = False

    def place(self, file: ModelFile) -> int | None:
        return self.at

    async def bring(self, errand: Errand) -> None:
        self.asked.append(errand.file.name)
        content = self.contents[errand.file.name]
        if isinstance(content, Exception):
            raise content
        errand.part.write_bytes(content)

    async def close(self) -> None:
        self.closed = True


def shelf_at(root: Path, *names: str) -> Shelf:
    files = [hub_file(name, content) for name, content in CONTENTS.items()]
    return Shelf(root, {name: model(name, *files) for name in names or ("joe",)})


def in_workshop(shelf: Shelf) -> set[str]:
    return {path.name for path in shelf.workplace("joe").rglob("*") if path.is_file()}


async def test_a_model_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path)
    seen: list[bool] = []
    box = Box(dict(CONTENTS))
    places = await pull(
        shelf, ["joe"], sources=[box], on_progress=lambda step: seen.append(shelf.place("joe").exists())
    )
    assert places == (tmp_path / "joe",)
    assert not any(seen[:-1])
    assert shelf.folder("joe") == tmp_path / "joe"
    assert box.closed


async def test_what_is_whole_is_left_alone(tmp_path: Path) -> None:
    shelf, box = shelf_at(tmp_path), Box(dict(CONTENTS))
    await pull(shelf, ["joe", "joe"], sources=[box])
    inode = (tmp_path / "joe/model.bin").stat().st_ino
    await pull(shelf, ["joe"], sources=[box])
    assert box.asked == ["config.json", "model.bin"]
    assert (tmp_path / "joe/model.bin").stat().st_ino == inode


async def test_what_an_older_pull_left_goes_when_the_model_is_whole(tmp_path: Path) -> None:
    shelf, box = shelf_at(tmp_path), Box(dict(CONTENTS))
    await pull(shelf, ["joe"], sources=[box])
    shelf.workplace("joe").mkdir(parents=True)
    (shelf.workplace("joe") / "model.bin.part").write_bytes(b"half")
    await pull(shelf, ["joe"], sources=[box])
    assert not shelf.workplace("joe").exists()


async def test_a_broken_model_is_mended_and_its_good_files_are_kept(tmp_path: Path) -> None:
    shelf, box = shelf_at(tmp_path), Box(dict(CONTENTS))
    await pull(shelf, ["joe"], sources=[box])
    (tmp_path / "joe/model.bin").write_bytes(b"broken")
    await pull(shelf, ["joe"], sources=[box])
    assert box.asked == ["config.json", "model.bin", "model.bin"]
    assert (shelf.folder("joe") / "model.bin").read_bytes() == LARGE
    assert not shelf.workplace("joe").with_name("joe.old").exists()


async def test_the_next_source_is_asked_when_one_fails(tmp_path: Path) -> None:
    first = Box({"config.json": SourceUnreachable("is closed"), "model.bin": b"wrong"}, at=0)
    second = Box(dict(CONTENTS), at=1)
    await pull(shelf_at(tmp_path), ["joe"], sources=[second, first])
    assert first.asked == second.asked == ["config.json", "model.bin"]


async def test_every_reason_is_told_when_all_sources_fail(tmp_path: Path) -> None:
    first = Box({"config.json": SMALL, "model.bin": SourceUnreachable("is closed")}, at=0)
    second = Box({"model.bin": SourceUnreachable("is far away")}, at=1)
    with pytest.raises(SourceUnreachable) as caught:
        await pull(shelf_at(tmp_path), ["joe"], sources=[first, second])
    for word in ("joe is not on the shelf", "model.bin (3.0 MB", "is closed", "is far away"):
        assert word in str(caught.value)
    assert "config.json" not in str(caught.value)
    assert in_workshop(shelf_at(tmp_path)) == {"config.json", ".verified"}


async def test_wrong_bytes_from_every_source_are_called_that(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path)
    with pytest.raises(ChecksumMismatch, match=r"the box sent a wrong model\.bin"):
        await pull(shelf, ["joe"], sources=[Box({"config.json": SMALL, "model.bin": b"wrong"})])
    assert not shelf.has("joe")


async def test_one_model_that_fails_does_not_keep_back_the_others(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path, "one", "two")
    files = [without_hub(file) for file in shelf.manifests["one"].files]
    shelf = Shelf(tmp_path, {"one": model("one", *files), "two": shelf.manifests["two"]})
    with pytest.raises(SourceUnreachable, match=r"one is not on the shelf.*none of the sources asked"):
        await pull(shelf, ["one", "two"], sources=[OnlyHub(dict(CONTENTS))])
    assert shelf.has("two")


class OnlyHub(Box):
    """A box that has only what the hub has."""

    def place(self, file: ModelFile) -> int | None:
        return 0 if file.sources else None


async def test_an_unknown_name_stops_before_anything_is_brought(tmp_path: Path) -> None:
    box = Box(dict(CONTENTS))
    with pytest.raises(UnknownModel):
        await pull(shelf_at(tmp_path / "shelf"), ["joe", "jeo"], sources=[box])
    assert box.asked == []
    assert not (tmp_path / "shelf").exists()


async def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ShelfError, match="file") as caught:
        await pull(shelf_at(tmp_path / "file/shelf"), ["joe"], sources=[Box(dict(CONTENTS))])
    assert caught.value.mend


# A full disk.


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


async def test_a_disk_that_is_too_small_is_refused_before_anything_is_brought(tmp_path: Path) -> None:
    box = Box(dict(CONTENTS))
    with small_disk(tmp_path / "disk", 2 * MB) as disk, pytest.raises(DiskFull) as caught:
        await pull(shelf_at(disk), ["joe"], sources=[box])
    assert box.asked == []
    assert caught.value.needed == 3 * MB + 2
    assert 0 < caught.value.free <= 2 * MB + 4096
    assert f"{caught.value.needed} bytes" in str(caught.value)
    assert f"{caught.value.free} bytes" in str(caught.value)
    assert caught.value.mend


async def test_a_disk_that_fills_up_in_the_middle_is_left_as_it_was(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 4 * MB) as disk:
        before = room.free_bytes(disk)
        shelf = shelf_at(disk)

        def fill(step: Progress) -> None:
            """Somebody else writes while we download."""
            if step.phase is Phase.FETCHING and not (disk / "other").exists():
                (disk / "other").write_bytes(b"x" * (2 * MB))

        async with HubDouble({hub_path(name): content for name, content in CONTENTS.items()}) as double:
            with pytest.raises(DiskFull) as caught:
                await pull(shelf, ["joe"], sources=[Hub(double.endpoint)], on_progress=fill)
        assert not shelf.has("joe")
        assert not shelf.workplace("joe").exists()
        (disk / "other").unlink()
        assert before - room.free_bytes(disk) < 20_000
    assert caught.value.needed == 3 * MB + 2
    assert caught.value.free < 3 * MB


async def test_a_quota_counts_as_a_full_disk(tmp_path: Path) -> None:
    quota = OSError(errno.EDQUOT, "Disk quota exceeded")
    with pytest.raises(DiskFull):
        await pull(shelf_at(tmp_path), ["joe"], sources=[Box({"config.json": SMALL, "model.bin": quota})])


async def test_room_for_all_models_is_asked_for_at_once(tmp_path: Path) -> None:
    box = Box(dict(CONTENTS))
    with small_disk(tmp_path / "disk", 5 * MB) as disk, pytest.raises(DiskFull, match="2 models"):
        await pull(shelf_at(disk, "one", "two"), ["one", "two"], sources=[box])
    assert box.asked == []


# Two at once, and one that dies.

_CHILD = """
import asyncio, sys
from pathlib import Path
from doubles.models import hub_file, model, some_bytes
from companion.catalog.hub import Hub
from companion.catalog.pull import pull
from companion.catalog.shelf import Shelf

async def main():
    root, endpoint = sys.argv[1:]
    files = [hub_file("config.json", b"{}"), hub_file("model.bin", some_bytes(3_000_000))]
    told = lambda step: print(step.phase, step.done, flush=True)
    await pull(Shelf(Path(root), {"joe": model("joe", *files)}), ["joe"], sources=[Hub(endpoint)], on_progress=told)

asyncio.run(main())
"""


async def child(root: Path, endpoint: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", _CHILD, str(root), endpoint,
        stdout=asyncio.subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )  # fmt: skip


async def test_two_processes_bring_a_model_once(tmp_path: Path) -> None:
    async with HubDouble({hub_path(name): content for name, content in CONTENTS.items()}) as double:
        both = [await child(tmp_path, double.endpoint) for _ in range(2)]
        await asyncio.wait_for(asyncio.gather(*(process.communicate() for process in both)), 30)
    assert [process.returncode for process in both] == [0, 0]
    assert double.sent == len(LARGE) + len(SMALL)
    assert shelf_at(tmp_path).folder("joe")


async def test_a_pull_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path)
    contents = {hub_path(name): content for name, content in CONTENTS.items()}
    async with HubDouble(contents, stall_after=2 * MB) as double:
        process = await child(tmp_path, double.endpoint)
        assert process.stdout is not None
        while b"fetching 1" not in await asyncio.wait_for(process.stdout.readline(), 30):
            pass
        process.send_signal(signal.SIGKILL)
        await process.communicate()
        assert process.returncode == -signal.SIGKILL
        assert not shelf.has("joe")
        kept = (shelf.workplace("joe") / "model.bin.part").stat().st_size
        assert kept > MB
        double.stall_after = None
        double.sent = 0
        await pull(shelf, ["joe"], sources=[Hub(double.endpoint)])
    assert double.sent == len(LARGE) - kept
    assert (shelf.folder("joe") / "model.bin").read_bytes() == LARGE


async def test_the_second_waits_for_the_first_and_says_so(tmp_path: Path) -> None:
    shelf, box = shelf_at(tmp_path), Box(dict(CONTENTS))
    phases: list[Phase] = []
    with (
        held_at_once(shelf.lock("joe")),
        pytest.raises(ShelfError, match="another process is working on the model joe"),
    ):
        await pull(shelf, ["joe"], sources=[box], on_progress=lambda step: phases.append(step.phase), lock_seconds=0.15)
    assert set(phases) == {Phase.WAITING}
    assert box.asked == []


async def test_a_power_cut_between_two_renames_costs_nothing(tmp_path: Path) -> None:
    shelf, box = shelf_at(tmp_path), Box(dict(CONTENTS))
    await pull(shelf, ["joe"], sources=[box])
    shelf.place("joe").rename(shelf.workplace("joe"))
    assert not shelf.has("joe")
    await pull(shelf, ["joe"], sources=[Box({})])
    assert shelf.folder("joe")


async def test_two_cuts_and_a_second_model_share_one_connection_pool(tmp_path: Path) -> None:
    contents = {hub_path(name): content for name, content in CONTENTS.items()}
    async with HubDouble(contents, [Cut(1), Cut(1)]) as double:
        shelf = shelf_at(tmp_path, "one", "two")
        await pull(shelf, ["one", "two"], sources=[Hub(double.endpoint, pause=no_pause)])
    assert shelf.names() == ("one", "two")


async def no_pause(seconds: float) -> None:
    return
