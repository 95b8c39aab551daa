"""A real companion in a process and a home of its own, seen from outside: started, asked, measured, killed."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import tomlkit

from companion.app.control import ask
from companion.app.orders import Order, Status
from companion.app.paths import Paths
from companion.catalog.shelf import Shelf
from companion.errors import ControlError, SetupError

logger = logging.getLogger(__name__)

START_PATIENCE = 60.0
CALM_PATIENCE = 180.0
END_PATIENCE = 5.0
LOOK = 0.02
CALM_SHARE = 8.0
"""Percent of a core below which a companion has done with what it does beside listening."""
CALM_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Memory:
    """Megabytes. ``pss`` counts pages that processes share by halves, thirds ...; 0 where the system does not tell."""

    rss: float
    pss: float


def furnish(home: Path, shelf: Shelf, settings: Mapping[str, Mapping[str, object]]) -> Paths:
    """Make a home with the models of ``shelf`` and these settings, by table and name."""
    paths = Paths.under(home)
    paths.prepare()
    for name in shelf.names():
        (paths.shelf / name).symlink_to(shelf.place(name).resolve(), target_is_directory=True)
    paths.settings_file.write_text(tomlkit.dumps(settings), encoding="utf-8")
    return paths


class RunningCompanion:
    """One process of ``companion`` in a furnished home. As a context it starts, is calm, and is gone in the end."""

    def __init__(self, paths: Paths, *, calm: bool = True) -> None:
        self.paths = paths
        self.began = 0.0
        """When its process was started, monotonic seconds."""
        self._calm = calm
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> RunningCompanion:
        try:
            await self.start()
            if self._calm:
                await self.become_calm()
        except BaseException:
            await self.end()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.end()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start it, and wait until it listens.

        Raises:
            SetupError: it ends, or does not listen in time.
        """
        environment = {**os.environ, "COMPANION_HOME": str(self.paths.data), "NO_COLOR": "1"}
        # It ends with the bench, however that ends.
        bound = ("setpriv", "--pdeathsig", "KILL") if shutil.which("setpriv") else ()
        command = (*bound, sys.executable, "-m", "companion", "--headless", "--quiet")
        self.began = time.monotonic()
        self._process = await asyncio.create_subprocess_exec(
            *command,
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        await self._until(lambda status: status["phase"] == "asleep", START_PATIENCE, "does not listen")

    async def load(self) -> None:
        """Wait until its models are loaded.

        Raises:
            SetupError: they are not, after minutes.
        """
        await self._until(
            lambda status: all(model["loaded"] for model in status["models"]), CALM_PATIENCE, "does not load its models"
        )

    async def become_calm(self) -> None:
        """Wait until its models are loaded and its frequent replies are made.

        Raises:
            SetupError: it is still busy after minutes.
        """
        await self.load()
        until = time.monotonic() + CALM_PATIENCE
        calm_since = time.monotonic()
        while time.monotonic() - calm_since < CALM_SECONDS:
            before = self.cpu_seconds()
            await asyncio.sleep(0.5)
            if (self.cpu_seconds() - before) / 0.5 * 100 > CALM_SHARE:
                calm_since = time.monotonic()
            if time.monotonic() > until:
                raise SetupError("the companion of the bench does not come to rest", mend=self._see_log())

    async def ask(self, order: Order | None = None) -> dict[str, Any]:
        """Carry out an order; how things stand then.

        Raises:
            ControlError: it does not answer.
        """
        return await asyncio.to_thread(ask, self.paths.control_socket, order or Status())

    async def phase(self) -> str:
        return str((await self.ask())["phase"])

    def cpu_seconds(self) -> float:
        """Seconds of a core it has used so far."""
        times = psutil.Process(self.pid).cpu_times()
        return float(times.user + times.system)

    def memory(self) -> Memory:
        process = psutil.Process(self.pid)
        shared = getattr(process.memory_full_info(), "pss", 0)
        return Memory(process.memory_info().rss / 1e6, shared / 1e6)

    async def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()

    async def end(self) -> None:
        """Ask it to end; kill it if it does not."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        process.terminate()
        try:
            async with asyncio.timeout(END_PATIENCE):
                await process.wait()
        except TimeoutError:
            logger.warning("a companion of the bench did not end when it was asked to")
        finally:
            # Also where we are cancelled while we wait.
            if process.returncode is None:
                process.kill()
        await process.wait()

    async def _until(self, is_so: Callable[[dict[str, Any]], bool], patience: float, what_else: str) -> None:
        assert self._process is not None
        until = time.monotonic() + patience
        while time.monotonic() < until:
            if self._process.returncode is not None:
                raise SetupError("the companion of the bench ended at its start", mend=self._see_log())
            try:
                if is_so(await self.ask()):
                    return
            except ControlError:
                pass  # not there yet
            await asyncio.sleep(LOOK)
        raise SetupError(f"the companion of the bench {what_else} within {patience:.0f} s", mend=self._see_log())

    def _see_log(self) -> str:
        try:
            last = self.paths.log_file.read_text(encoding="utf-8").strip().splitlines()[-1:]
        except OSError:
            last = []
        return f"Its log ends with: {last[0]}" if last else "It left no log."
