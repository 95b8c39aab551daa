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
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from companion.app.bench.figures import Amount, Figure, Missing, Note, Section, Spread
from companion.app.bench.process import furnish
from companion.app.bench.setup import THREADS, Setup
from companion.app.bench.stage import SMALL_MODEL
from companion.app.shelf import build_shelf
from companion.app.virtual_sound import VirtualSound
from companion.errors import CompanionError, SetupError

PROGRAM = "import sys, companion.cli.main; from companion.ui.measuring.__main__ import main; sys.exit(main())"
"""With the command line's own imports, which come before the window's when a person starts it."""
SCREEN = "1280x800x24"
STARTS = 3
SHARE_SECONDS, SHARE_WINDOWS = 6.0, 2
MOVE_SECONDS = 6.0
READY_SECONDS = 30.0
"""For a companion to load its models and come to rest."""
DEADLINES = {"scroll": 30.0, "pan": 40.0, "start": 15.0, "idle": 80.0}
"""Seconds each part may take, one start by itself."""
LONGEST_LINE = 1 << 23
"""Bytes."""
SCREEN_PATIENCE = 10.0
GOAL_STEP_MS = 16.0
GOAL_START = 1.0

Told = dict[str, Any]
Figures = dict[str, Figure]


async def measure(setup: Setup) -> Sequence[Section]:
    """Scrolling, panning, starts, memory and idling, each within its deadline: one that fails keeps no other.

    Raises:
        SetupError: there is no Qt.
    """
    if importlib.util.find_spec("PySide6") is None:
        raise SetupError("the window needs PySide6", mend="Run pip install 'companion[ui]'.")
    async with _screen() as (environment, screen):
        measuring = _Measuring(setup, environment)
        figures: Figures = {}
        for name, part in (
            ("scrolling 10,000 turns", lambda: measuring.moving("scroll", "scrolling 10,000 turns")),
            ("panning 5,000 nodes", lambda: measuring.moving("pan", "panning 5,000 nodes")),
            ("starts without models", measuring.starts),
            ("idling", measuring.idling),
        ):
            setup.tell(f"ui: {name}")
            figures |= await _part(name, part)
    figures["how"] = Note(f"{screen}; a process of its own for every figure")
    return [Section("Window", figures)]


async def _part(name: str, part: Callable[[], Awaitable[Figures]]) -> Figures:
    try:
        return await part()
    except TimeoutError:
        return {name: Missing("not measured: it took too long")}
    except CompanionError as error:
        return {name: Missing(f"not measured: {error}. {error.mend}".strip())}


class _Measuring:
    """What is measured, in an environment with a screen."""

    def __init__(self, setup: Setup, environment: Mapping[str, str]) -> None:
        self._setup = setup
        self._environment = environment

    async def moving(self, what: str, name: str) -> Figures:
        """Steps of the loop while much is moved about."""
        told = await self._run(what, "--seconds", str(1.0 if self._setup.quick else MOVE_SECONDS))
        steps = [float(step) for step in told["steps"]]
        return {
            f"{name}: longest step (goal {GOAL_STEP_MS:g} ms)": Amount(max(steps, default=0.0), "ms"),
            f"{name}: steps with something to do": Spread.of(steps, "ms"),
        }

    async def starts(self) -> Figures:
        """From the start of the process to the first picture, in a home without models."""
        usable, resident, shared = [], [], []
        count = 1 if self._setup.quick else STARTS
        with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
            for number in range(count + 1):
                told = await self._run("start", home=Path(folder))
                usable.append(float(told["usable"]))
                resident.append(float(told["memory"]))
                shared.append(float(told["memory_pss"]))
                self._setup.tell(f"ui: start {number + 1} of {count + 1}: {usable[-1]:.2f} s")
        return {
            f"start to a window that can be used (goal {GOAL_START:g} s)": Spread.of(usable[1:], "s"),
            "start to a window that can be used, the first time": Amount(usable[0], "s"),
            "memory without models": Spread.of(resident[1:], "MB resident"),
            "memory without models, shared pages by part": Spread.of(shared[1:], "MB"),
        }

    async def idling(self) -> Figures:
        """The processor while it listens in silence, with the user's models."""
        shelf = build_shelf(self._setup.paths.shelf)
        names = shelf.names()
        if not names:
            return {"CPU, window open": Missing("not measured: there are no models. Run `companion models pull`.")}
        models: dict[str, object] = {"threads": THREADS}
        if SMALL_MODEL in names:
            models["language_model"] = SMALL_MODEL
        seconds, windows = (3.0, 1) if self._setup.quick else (SHARE_SECONDS, SHARE_WINDOWS)
        with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
            paths = furnish(Path(folder), shelf, {"models": models})
            if self._setup.paths.phrases.is_dir():  # else it would make them anew before it comes to rest
                shutil.copytree(self._setup.paths.phrases, paths.phrases, dirs_exist_ok=True)
            async with VirtualSound() as sound:
                given = ("--seconds", str(seconds), "--windows", str(windows), "--ready", str(READY_SECONDS))
                told = await self._run("idle", *given, home=paths.data, sound=sound.environment)
        return {
            "CPU, window open": Spread.of(told["cpu_open"], "% of a core"),
            "CPU, window closed": Spread.of(told["cpu_closed"], "% of a core"),
            "memory with models": Amount(float(told["memory"]), "MB resident"),
            "rested before that": Note(_rested(float(told["rested"]))),
        }

    async def _run(
        self, what: str, *arguments: str, home: Path | None = None, sound: Mapping[str, str] | None = None
    ) -> Told:
        """What a process of its own has measured; what else it says is told as progress.

        Raises:
            TimeoutError: it takes longer than it may.
            SetupError: it ends without having measured anything.
        """
        environment = {**self._environment, **(sound or {})}
        if home is not None:
            environment["COMPANION_HOME"] = str(home)
        began = str(time.monotonic())
        process = await _start(
            *(sys.executable, "-c", PROGRAM, what, "--began", began, *arguments),
            environment=environment,
            stdout=asyncio.subprocess.PIPE,
        )
        told: Told = {}
        try:
            async with asyncio.timeout(DEADLINES[what]):
                assert process.stdout is not None
                async for line in process.stdout:
                    told = self._understood(line) or told
                await process.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.communicate()
        if not told:
            raise SetupError(f"the window could not be measured ({what})", mend="Run `companion ui` to see why.")
        return told

    def _understood(self, line: bytes) -> Told:
        if line.startswith(b"{"):
            told: Told = json.loads(line)
            return told
        self._setup.tell(f"ui: {line.decode(errors='replace').strip()}")
        return {}


def _rested(seconds: float) -> str:
    return f"{seconds:.0f} s after the first picture" if seconds else f"it was still busy after {READY_SECONDS:.0f} s"


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
        limit=LONGEST_LINE,
    )
