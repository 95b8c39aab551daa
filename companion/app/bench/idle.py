"""What it costs to wait: processor time in a quiet room, memory, the start, and ``companion --help``."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Sequence

from companion.app.bench.figures import Amount, Figure, Note, Section, Spread
from companion.app.bench.noise import Noise, at_level
from companion.app.bench.process import RunningCompanion
from companion.app.bench.setup import Setup
from companion.app.bench.stage import BUFFER_MS, Stage, home, on_stage
from companion.app.virtual_sound import VirtualSound
from companion.errors import SetupError
from companion.voice.contract import RATE

SECONDS = 30.0
WINDOWS = 3
STARTS = 5
HELPS = 10
ROOM_DBFS = -70.0
HELP_PATIENCE = 30.0
HEAR_PATIENCE = 10.0
SPARE = 3.0
"""Seconds of noise around what is measured."""


async def measure(setup: Setup) -> Sequence[Section]:
    """Digital silence, a quiet room, memory, starts, helps."""
    windows, starts, helps = (1, 1, 2) if setup.quick else (WINDOWS, STARTS, HELPS)
    seconds = 5.0 if setup.quick else SECONDS
    figures: dict[str, Figure] = await _starts(setup, starts)
    async with on_stage(setup, {}) as stage:
        figures["models"] = await stage.models()
        await stage.rest()
        loaded = stage.companion.memory()
        silence = [await _share(stage, seconds) for _ in range(windows)]
        room = [await _share_in_noise(stage, seconds) for _ in range(windows)]
    figures |= {
        "CPU in digital silence": Spread.of(silence, "% of a core"),
        f"CPU in a quiet room ({ROOM_DBFS:g} dBFS)": Spread.of(room, "% of a core"),
        "memory with models": Amount(loaded.rss, "MB resident"),
        "memory with models, shared pages by part": Amount(loaded.pss, "MB"),
        "companion --help": Spread.of([await _help() for _ in range(helps)], "s"),
        "how": Note(f"{seconds:.0f} s each time, with the wake word on; started with the models on the shelf"),
    }
    return [Section("Idle", figures)]


async def _starts(setup: Setup, count: int) -> dict[str, Figure]:
    """How long until it listens, and its memory at that moment."""
    seconds, resident, shared = [], [], []
    with home(setup, {}) as paths:
        async with VirtualSound():
            for _ in range(count + 1):
                async with RunningCompanion(paths, calm=False) as companion:
                    memory = companion.memory()
                    await _until_it_hears(companion)
                    seconds.append(time.monotonic() - companion.began)
                    resident.append(memory.rss)
                    shared.append(memory.pss)
    # The first start reads everything from the disk, and checks the models it has not seen here.
    return {
        "start to listening": Spread.of(seconds[1:], "s"),
        "start to listening, the first time": Amount(seconds[0], "s"),
        "memory when it begins to listen": Spread.of(resident, "MB resident"),
        "memory when it begins to listen, shared pages by part": Spread.of(shared, "MB"),
    }


async def _until_it_hears(companion: RunningCompanion) -> None:
    """Wait until the sound server gives it the microphone's sound.

    Raises:
        SetupError: it never does.
    """
    until = time.monotonic() + HEAR_PATIENCE
    while time.monotonic() < until:
        process = await asyncio.create_subprocess_exec(
            *("pactl", "list", "source-outputs"), stdout=asyncio.subprocess.PIPE, env={**os.environ, "LC_ALL": "C"}
        )
        said, _ = await process.communicate()
        if f'application.process.id = "{companion.pid}"'.encode() in said:
            return
    raise SetupError("the companion of the bench does not open its microphone", mend="Run `companion doctor`.")


async def _share(stage: Stage, seconds: float) -> float:
    before, began = stage.companion.cpu_seconds(), time.monotonic()
    await asyncio.sleep(seconds)
    used, took = stage.companion.cpu_seconds() - before, time.monotonic() - began
    return 100 * used / took


async def _share_in_noise(stage: Stage, seconds: float) -> float:
    noise = at_level(Noise().make("pink", round((seconds + 2 * SPARE) * RATE)), ROOM_DBFS)
    async with asyncio.TaskGroup() as group:
        playing = group.create_task(stage.sound.say(noise.tobytes(), latency_ms=BUFFER_MS))
        await asyncio.sleep(SPARE)
        share = await _share(stage, seconds)
        await playing
    return share


async def _help() -> float:
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "companion", "--help"), stdout=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(HELP_PATIENCE):
            await process.wait()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    return time.perf_counter() - began
