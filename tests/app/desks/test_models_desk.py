"""Models are seen, brought, checked and removed, and what goes on is told."""

from __future__ import annotations

import asyncio
import errno
import json
from pathlib import Path
from typing import Any

import pytest
from doubles.models import hub_file, model, some_bytes

from companion.app.desks.models_desk import PULL, SPOILT, UNREACHED, VERIFY, ModelsDesk
from companion.app.events import Finished, Progress, Telling
from companion.app.minding.desks import Given
from companion.app.models import ModelRoom
from companion.app.paths import Paths
from companion.catalog.machine import Machine
from companion.catalog.manifest import Kind, ModelFile
from companion.catalog.progress import Phase
from companion.catalog.shelf import Shelf
from companion.catalog.source import Errand
from companion.errors import BadInput, ChecksumMismatch, SourceUnreachable, UnknownModel
from companion.settings.schema import Settings

CONTENTS = {"voice.onnx": some_bytes(300_000), "voice.onnx.json": b"{}"}
FILES = tuple(hub_file(name, content) for name, content in CONTENTS.items())
MACHINE = Machine(memory_mb=4096, cores=4, is_pi=False)


class Box:
    """A source that hands out what it has, and waits where it is told to."""

    title = "the box"

    def __init__(self) -> None:
        self.fault: Exception | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        self.asked = asyncio.Event()

    def place(self, file: ModelFile) -> int | None:
        return 0

    async def bring(self, errand: Errand) -> None:
        self.asked.set()
        await self.gate.wait()
        if self.fault is not None:
            raise self.fault
        content = CONTENTS[errand.file.name]
        errand.tell(Phase.FETCHING, len(content) // 2, len(content))
        errand.part.write_bytes(content)

    async def close(self) -> None:
        """It holds nothing."""


class Home:
    def __init__(self, folder: Path) -> None:
        manifests = {
            "joe": model("joe", *FILES),
            "giant": model("giant", *FILES, kind=Kind.LANGUAGE_MODEL, memory_mb=64_000, machine_mb=96_000, rank=50),
            "small": model("small", *FILES, kind=Kind.LANGUAGE_MODEL, rank=10),
        }
        self.shelf = Shelf(folder / "models", manifests)
        self.box = Box()
        self.telling, self.told = Telling(), list[object]()
        self.telling.subscribe(self._note)
        self.rung = asyncio.Event()
        self.room = ModelRoom(Settings(), Paths.under(folder), self.shelf, MACHINE)
        self.desk = self.again()

    def again(self) -> ModelsDesk:
        """The desk after a restart."""
        return ModelsDesk(lambda: self.room, self.telling, sources=lambda: [self.box])

    def _note(self, event: object) -> None:
        self.told.append(event)
        if isinstance(event, Finished):
            self.rung.set()

    async def tend(self, action: str, **given: object) -> Any:
        return json.loads(json.dumps(await self.desk.perform(action, Given(given))))

    async def row(self, name: str) -> Any:
        return {row["name"]: row for row in (await self.tend("list"))["models"]}[name]

    async def end(self) -> Finished:
        async with asyncio.timeout(10):
            await self.rung.wait()
        self.rung.clear()
        return next(event for event in reversed(self.told) if isinstance(event, Finished))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


async def test_each_model_says_how_large_it_is_and_whether_it_fits(home: Home) -> None:
    told = await home.tend("list")
    assert {row["name"]: row["fit"] for row in told["models"]} == {"joe": "well", "giant": "not", "small": "well"}
    assert told["free"] > 0
    joe = await home.row("joe")
    assert (joe["kind"], joe["bytes"], joe["on_shelf"], joe["begun"]) == ("voice", 300_002, False, 0)


async def test_a_pull_goes_on_by_itself_and_is_told_to_its_end(home: Home) -> None:
    home.box.gate.clear()
    told = await home.tend("pull", names=["joe"])
    assert {row["name"] for row in told["models"] if row["is_coming"]} == {"joe"}
    home.box.gate.set()
    assert await home.end() == Finished(f"{PULL} joe")
    steps = [event for event in home.told if isinstance(event, Progress) and event.total]
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert (steps[-1].done, steps[-1].total) == (300_002, 300_002)
    joe = await home.row("joe")
    assert joe["on_shelf"]
    assert joe["is_chosen"]
    assert not joe["is_coming"]
    await home.desk.close()


async def test_a_pull_is_stopped_and_begun_again(home: Home) -> None:
    home.box.gate.clear()
    await home.tend("pull", names=["joe"])
    async with asyncio.timeout(10):
        await home.box.asked.wait()
    told = await home.tend("cancel", name="joe")
    assert not any(row["is_coming"] for row in told["models"])
    assert (await home.end()).problem
    home.box.gate.set()
    await home.tend("pull", names=["joe"])
    assert not (await home.end()).problem
    await home.desk.close()


async def test_a_pull_goes_on_by_itself_after_a_restart_unless_the_user_had_stopped_it(home: Home) -> None:
    home.box.gate.clear()
    await home.tend("pull", names=["joe", "small"])
    async with asyncio.timeout(10):
        await home.box.asked.wait()
    await home.tend("cancel", name="small")
    await home.desk.close()
    again = home.again()
    home.box.gate.set()
    again.resume()
    home.told.clear()
    home.rung.clear()
    assert await home.end() == Finished(f"{PULL} joe")
    assert home.shelf.has("joe")
    assert not home.shelf.has("small")
    told = await again.perform("list", Given({}))
    assert told["waiting"] == ["joe"]
    await again.close()
    home.told.clear()
    quiet = home.again()
    quiet.resume()
    await quiet.perform("list", Given({}))
    await quiet.close()
    assert home.told == []


async def test_what_could_not_be_brought_is_told_with_its_mend(home: Home) -> None:
    for fault, told in (
        (SourceUnreachable("the box is closed", retryable=True), UNREACHED),
        (ChecksumMismatch("the box sent a wrong voice.onnx"), SPOILT),
        (OSError(errno.ENOSPC, "no space"), "are free on the disk"),
    ):
        home.box.fault = fault
        await home.tend("pull", names=["joe"])
        end = await home.end()
        assert told in end.problem
        assert end.mend
        assert "companion models" not in end.mend, "there is no terminal here"
    assert not (await home.row("joe"))["on_shelf"]
    await home.desk.close()


async def test_a_model_is_checked_and_what_is_wrong_is_named(home: Home) -> None:
    await home.tend("pull", names=["joe"])
    await home.end()
    await home.tend("verify", name="joe")
    assert await home.end() == Finished(f"{VERIFY} joe")
    home.shelf.place("joe").joinpath("voice.onnx").write_bytes(some_bytes(300_000, seed=2))
    await home.tend("verify", name="joe")
    assert "voice.onnx" in (await home.end()).problem
    await home.desk.close()


async def test_a_model_is_removed_but_not_while_it_comes(home: Home) -> None:
    home.box.gate.clear()
    await home.tend("pull", names=["joe"])
    with pytest.raises(BadInput, match="on its way"):
        await home.tend("remove", name="joe")
    home.box.gate.set()
    await home.end()
    told = await home.tend("remove", name="joe")
    assert not any(row["on_shelf"] for row in told["models"])
    await home.desk.close()


async def test_what_is_no_model_and_no_folder_is_refused(home: Home, tmp_path: Path) -> None:
    for action in ("verify", "remove"):
        with pytest.raises(UnknownModel):
            await home.tend(action, name="nobody")
    with pytest.raises(UnknownModel):
        await home.tend("pull", names=["nobody"])
    with pytest.raises(BadInput, match="no folder"):
        await home.tend("pull", names=["joe"], stick=str(tmp_path / "nowhere"))


async def test_models_come_from_a_stick_where_one_is_named(home: Home, tmp_path: Path) -> None:
    stick = tmp_path / "stick" / "joe"
    stick.mkdir(parents=True)
    for name, content in CONTENTS.items():
        (stick / name).write_bytes(content)
    home.box.fault = SourceUnreachable("nobody may be asked", retryable=False)
    await home.tend("pull", names=["joe"], stick=str(stick.parent))
    assert not (await home.end()).problem
    await home.desk.close()
