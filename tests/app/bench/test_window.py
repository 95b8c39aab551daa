"""The window is measured in parts, each within its deadline: one that fails or hangs keeps no other."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from pathlib import Path

import pytest

from companion.app.bench import window
from companion.app.bench.figures import Note
from companion.app.bench.setup import Setup
from companion.app.paths import Paths
from companion.settings.schema import Settings

MEASURES = """
import sys, time
what = sys.argv[1]
print("on the way", flush=True)
if what == "scroll":
    print('{"steps": [1.0, 20.0]}', flush=True)
elif what == "pan":
    sys.exit(1)
elif what == "start":
    time.sleep(60)
"""


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Setup, list[str]]:
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.setattr(window, "PROGRAM", MEASURES)
    monkeypatch.setattr(window, "DEADLINES", dict.fromkeys(window.DEADLINES, 10.0) | {"start": 0.5})
    told = list[str]()
    return Setup(Settings(), Paths.under(tmp_path), None, quick=True, tell=told.append), told


async def test_what_fails_or_hangs_is_told_and_the_rest_is_measured(setup: tuple[Setup, list[str]]) -> None:
    began = time.monotonic()
    (section,) = await window.measure(setup[0])

    assert time.monotonic() - began < 8
    figures = section.figures
    assert dataclasses.asdict(figures["scrolling 10,000 turns: longest step (goal 16 ms)"]) == {
        "value": 20.0,
        "unit": "ms",
    }
    assert "could not be measured" in str(figures["panning 5,000 nodes"])
    assert isinstance(figures["starts without models"], Note)
    assert "too long" in str(figures["starts without models"])
    assert "no models" in str(figures["CPU, window open"])


async def test_what_a_measuring_process_says_is_told_as_progress(setup: tuple[Setup, list[str]]) -> None:
    await window.measure(setup[0])

    assert setup[1].count("ui: on the way") == 3
    assert "ui: idling" in setup[1]


async def test_a_measuring_process_ends_with_the_bench(
    setup: tuple[Setup, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = list[asyncio.subprocess.Process]()
    start = window._start

    async def started(*command: str, **given: object) -> asyncio.subprocess.Process:
        begun.append(await start(*command, **given))  # type: ignore[arg-type]
        return begun[-1]

    monkeypatch.setattr(window, "_start", started)
    monkeypatch.setattr(window, "PROGRAM", "import time; time.sleep(60)")
    monkeypatch.setattr(window, "DEADLINES", {**window.DEADLINES, "scroll": 60.0})
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1):
            await window.measure(setup[0])

    assert [await asyncio.wait_for(process.wait(), 5) for process in begun] == [-9]
