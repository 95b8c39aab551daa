"""A screen of its own for windows (Xvfb), and the program in it, watched and led by a hand (see ``window_hand``)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

SIZE = "1280x900x24"
PATIENCE = 10.0
END_PATIENCE = 10.0
"""Seconds on a busy machine; a quiet one takes one, and after three the program ends itself, with another status."""
LOOK = 0.1
HERE = Path(__file__).resolve().parents[1]

Seen = dict[str, Any]


class Screen:
    """An async context. ``environment`` sends a program's windows here."""

    async def __aenter__(self) -> Screen:
        assert shutil.which("Xvfb"), "Xvfb is needed: apt-get install xvfb"
        read, write = os.pipe()
        self._server = await asyncio.create_subprocess_exec(
            *("Xvfb", "-displayfd", str(write), "-screen", "0", SIZE, "-nolisten", "tcp"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            pass_fds=(write,),
        )
        os.close(write)
        with os.fdopen(read) as told:
            async with asyncio.timeout(PATIENCE):
                self.display = f":{(await asyncio.to_thread(told.readline)).strip()}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.terminate()
        await self._server.wait()

    @property
    def environment(self) -> dict[str, str]:
        return {"DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb", "WAYLAND_DISPLAY": "", "XDG_SESSION_TYPE": "x11"}


class AtTheWindow:
    """An async context around ``companion ui``, which lives in ``home``, with a hand in it."""

    def __init__(self, home: Path, screen: Screen) -> None:
        self.home = home
        self._screen = screen

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            **self._screen.environment,
            "COMPANION_HOME": str(self.home),
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "PYTHONPATH": os.pathsep.join((str(HERE), os.environ.get("PYTHONPATH", ""))),
        }

    async def __aenter__(self) -> AtTheWindow:
        with (self.home / "window.err").open("wb") as complaints:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "end_to_end.window_hand"),
                env=self.environment,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=complaints,
                start_new_session=True,
            )
        return self

    async def __aexit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()

    async def do(self, what: str, **given: str) -> Seen:
        """Have something done by the hand; fails where it could not."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": what, **given}).encode() + b"\n")
        await self._process.stdin.drain()
        async with asyncio.timeout(PATIENCE):
            line = await self._process.stdout.readline()
        assert line, f"the window has ended: {(self.home / 'window.err').read_text()[-2000:]}"
        answer: Seen = json.loads(line)
        assert "fault" not in answer, answer["fault"]
        return answer

    async def see(self) -> Seen:
        return await self.do("see")

    async def press(self, name: str) -> None:
        """Click a button, as soon as it is there."""
        await self.until(lambda seen: name in seen["buttons"])
        await self.do("press", name=name)

    async def until(self, is_so: Callable[[Seen], bool], within: float = PATIENCE) -> Seen:
        """What is seen, as soon as it is so."""
        seen: Seen = {}
        try:
            async with asyncio.timeout(within):
                while True:
                    seen = await self.see()
                    if is_so(seen):
                        return seen
                    await asyncio.sleep(LOOK)
        except TimeoutError:
            raise AssertionError(f"it is not so within {within} s; seen: {seen}") from None

    async def until_told(self, words: str, within: float = PATIENCE) -> Seen:
        """What is seen, as soon as some words of the window hold ``words``."""
        return await self.until(lambda seen: words in "\n".join(seen["words"]), within)

    async def ended(self) -> int:
        """Its exit status; it must have ended by itself, and in time."""
        async with asyncio.timeout(END_PATIENCE):
            return await self._process.wait()
