"""What the window costs: the longest step of its loop, its start, its memory, and the processor while nobody talks.

It is measured in processes of its own, for which only their program is known here. They have a screen of their own
where Xvfb is installed and there is no other.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from companion.app.bench.figures import Amount, Figure, Note, Section, Spread
from companion.app.bench.process import furnish
from companion.app.bench.setup import THREADS, Setup
from companion.app.bench.stage import SMALL_MODEL
from companion.app.paths import Paths
from companion.app.shelf import build_shelf
from companion.app.virtual_sound import VirtualSound
from companion.errors import SetupError

PROGRAM = "import sys, companion.cli.main; from companion.ui.measuring.__main__ import main; sys.exit(main())"
"""With the command line's own imports, which come before the window's when a person starts it."""
SCREEN = "1280x800x24"
STARTS = 5
SHARE_SECONDS, SHARE_WINDOWS = 20.0, 3
MOVE_SECONDS = 10.0
LONGEST = 600.0
"""Seconds a measuring process may take."""
SCREEN_PATIENCE = 10.0
GOAL_STEP_MS = 16.0
GOAL_START = 1.0


async def measure(setup: Setup) -> Sequence[Section]:
    """Scrolling, panning, starts, memory and idling.

    Raises:
        SetupError: there is no Qt.
    """
    if importlib.util.find_spec("PySide6") is None:
        raise SetupError("the window needs PySide6", mend="Run pip install 'companion[ui]'.")
    starts, seconds, windows, moving = (1, 5.0, 1, 2.0) if setup.quick else (
        STARTS, SHARE_SECONDS, SHARE_WINDOWS, MOVE_SECONDS
    )  # fmt: skip
    async with _screen() as (environment, screen):
        figures: dict[str, Figure] = {}
        for what, name in (("scroll", "scrolling 10,000 turns"), ("pan", "panning 5,000 nodes")):
            setup.tell(f"ui: {name}")
            told = await _measured(what, environment, "--seconds", str(moving))
            steps = [float(step) for step in told["steps"]]
            figures[f"{name}: longest step (goal {GOAL_STEP_MS:g} ms)"] = Amount(max(steps, default=0.0), "ms")
            figures[f"{name}: steps with something to do"] = Spread.of(steps, "ms")
        setup.tell("ui: starts without models")
        figures |= await _starts(environment, starts)
        setup.tell("ui: idling")
        figures |= await _idling(setup, environment, seconds, windows)
    figures["how"] = Note(f"{screen}; started anew for every figure; {seconds:.0f} s for each share of the processor")
    return [Section("Window", figures)]


async def _starts(environment: Mapping[str, str], count: int) -> dict[str, Figure]:
    """From the start of the process to the first picture, in a home without models."""
    usable, resident, shared = [], [], []
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        home = {**environment, "COMPANION_HOME": folder}
        for _ in range(count + 1):
            told = await _measured("live", home)
            usable.append(float(told["usable"]))
            resident.append(float(told["memory"]))
            shared.append(float(told["memory_pss"]))
    return {
        f"start to a window that can be used (goal {GOAL_START:g} s)": Spread.of(usable[1:], "s"),
        "start to a window that can be used, the first time": Amount(usable[0], "s"),
        "memory without models": Spread.of(resident[1:], "MB resident"),
        "memory without models, shared pages by part": Spread.of(shared[1:], "MB"),
    }


async def _idling(setup: Setup, environment: Mapping[str, str], seconds: float, windows: int) -> dict[str, Figure]:
    """The processor while it listens in silence, with the user's models."""
    names = build_shelf(setup.paths.shelf).names()
    if not names:
        return {"CPU, window open": Note("not measured: there are no models. Run `companion models pull`.")}
    models: dict[str, object] = {"threads": THREADS}
    if SMALL_MODEL in names:
        models["language_model"] = SMALL_MODEL
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        paths: Paths = furnish(Path(folder), build_shelf(setup.paths.shelf), {"models": models})
        async with VirtualSound() as sound:
            home = {**environment, **sound.environment, "COMPANION_HOME": str(paths.data)}
            told = await _measured("live", home, "--seconds", str(seconds), "--windows", str(windows))
    return {
        "CPU, window open": Spread.of(told["cpu_open"], "% of a core"),
        "CPU, window closed": Spread.of(told["cpu_closed"], "% of a core"),
        "memory with models": Amount(float(told["memory"]), "MB resident"),
    }


async def _measured(what: str, environment: Mapping[str, str], *arguments: str) -> dict[str, Any]:
    began = str(time.monotonic())
    process = await _start(
        *(sys.executable, "-c", PROGRAM, what, "--began", began, *arguments),
        environment=environment,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(LONGEST):
            said, _ = await process.communicate()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    try:
        told: dict[str, Any] = json.loads(said.decode().strip().splitlines()[-1])
    except (ValueError, IndexError) as error:
        raise SetupError(f"the window could not be measured ({what})", mend="Run `companion ui` to see why.") from error
    return told


@asynccontextmanager
async def _screen() -> AsyncIterator[tuple[dict[str, str], str]]:
    """The environment of a process with a screen, and what kind of screen that is."""
    here = dict(os.environ)
    if here.get("DISPLAY") or here.get("WAYLAND_DISPLAY") or not sys.platform.startswith("linux"):
        yield here, "on the screen of this session"
        return
    if shutil.which("Xvfb") is None:
        yield {**here, "QT_QPA_PLATFORM": "offscreen"}, "drawn offscreen"
        return
    read, write = os.pipe()
    try:
        server = await _start(
            *("Xvfb", "-displayfd", str(write), "-screen", "0", SCREEN, "-nolisten", "tcp"),
            environment=here,
            pass_fds=(write,),
        )
    finally:
        os.close(write)
    try:
        number = await _number(read)
        yield {**here, "DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}, "on a virtual screen (Xvfb)"
    finally:
        server.terminate()
        await server.wait()


async def _number(read: int) -> int:
    """The number of the screen, which the server writes when it is ready."""
    with os.fdopen(read) as told:
        async with asyncio.timeout(SCREEN_PATIENCE):
            line = await asyncio.to_thread(told.readline)
    if not line.strip().isdecimal():
        raise SetupError("Xvfb does not start", mend="Run `Xvfb :99` to see why.")
    return int(line)


async def _start(
    *command: str,
    environment: Mapping[str, str],
    stdout: int = asyncio.subprocess.DEVNULL,
    pass_fds: tuple[int, ...] = (),
) -> asyncio.subprocess.Process:
    # It ends with the bench, however that ends.
    bound = ("setpriv", "--pdeathsig", "KILL") if shutil.which("setpriv") else ()
    return await asyncio.create_subprocess_exec(
        *bound,
        *command,
        env=dict(environment),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=stdout,
        stderr=asyncio.subprocess.DEVNULL,
        pass_fds=pass_fds,
    )
