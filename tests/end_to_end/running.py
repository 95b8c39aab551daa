"""A companion as its user runs it: a process of its own, watched by what it shows on its screen."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.app.paths import Paths

START_PATIENCE = 60.0
"""Seconds on a busy machine; a quiet one takes two."""
TURN_PATIENCE = 45.0
END_PATIENCE = 10.0
MOST_LINES = 10_000
COMPLAINT = "! "
"""Before each line of its standard error."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line on its screen, and when it appeared (monotonic seconds)."""

    at: float
    text: str


class Running:
    """An async context around ``companion``, which lives in ``home``.

    settings: what its settings file holds, as TOML.
    shelf: the folder of its models.
    wrapper: a command it is started through, as strace.
    arguments: its own, behind ``python -m companion``.
    """

    def __init__(
        self, home: Path, shelf: Path | None, *, settings: str = "", wrapper: Sequence[str] = (), **environment: str
    ) -> None:
        self.paths = Paths.under(home)
        self._wrapper = wrapper
        self._environment = environment
        self._lines: list[Line] = []
        self._moved = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self._readers: asyncio.Future[object] | None = None
        furnish(home, shelf, settings=settings)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def mark(self) -> int:
        """The place of the next line, to look for lines from here on."""
        return len(self._lines)

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def __aenter__(self) -> Running:
        try:
            await self.start()
            await self.line(r"Ready in|no microphone", within=START_PATIENCE)
        except BaseException:
            await self.kill()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()

    async def start(self) -> None:
        """Start it, without waiting for it to be ready."""
        self._process = await asyncio.create_subprocess_exec(
            *(*self._wrapper, sys.executable, "-m", "companion", "--headless"),
            env={**os.environ, "COMPANION_HOME": str(self.paths.data), "NO_COLOR": "1", **self._environment},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        self._readers = asyncio.ensure_future(self._read(self._process))

    async def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end, and return its exit status."""
        assert self._process is not None
        self._process.send_signal(number)
        return await self.ended()

    async def ended(self, within: float = END_PATIENCE) -> int:
        """Its exit status, once it has ended by itself."""
        assert self._process is not None
        async with asyncio.timeout(within):
            status = await self._process.wait()
        await self.kill()
        return status

    async def kill(self) -> None:
        """End it as a power cut would, and whatever it started."""
        if self._process is None or self._readers is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()
        await self._readers

    def shown(self, since: int = 0) -> str:
        """Its screen, for a test that failed."""
        return "\n".join(f"{line.at - self._lines[0].at:7.2f} {line.text}" for line in self._lines[since:])

    @contextlib.contextmanager
    def telling(self) -> Iterator[None]:
        """A failure within this block tells what was shown meanwhile."""
        since = self.mark
        try:
            yield
        except BaseException as failure:
            failure.add_note(f"On the screen:\n{self.shown(since)}")
            raise

    def said(self, since: int, until: int | None = None) -> str:
        """The captions of what it said."""
        return " ".join(_behind("companion:", self._lines[since:until]))

    def heard(self, since: int) -> list[str]:
        """The turns it understood."""
        return _behind("you:", self._lines[since:])

    def has_shown(self, pattern: str, since: int) -> bool:
        return any(re.search(pattern, line.text) for line in self._lines[since:])

    async def line(self, pattern: str, *, since: int = 0, within: float = TURN_PATIENCE) -> Line:
        """The first line from ``since`` on that holds ``pattern``, as soon as it is there."""
        return (await self.place(pattern, since=since, within=within))[1]

    async def place(self, pattern: str, *, since: int = 0, within: float = TURN_PATIENCE) -> tuple[int, Line]:
        """The same with the place behind it, from which to look on."""
        seen = since
        try:
            async with asyncio.timeout(within):
                while True:
                    for number in range(seen, len(self._lines)):
                        if re.search(pattern, self._lines[number].text):
                            return number + 1, self._lines[number]
                    seen = len(self._lines)
                    assert self.is_alive, f"it ended while {pattern!r} was awaited"
                    self._moved.clear()
                    await self._moved.wait()
        except TimeoutError:
            raise AssertionError(f"{pattern!r} was not shown within {within} s") from None

    def history(self) -> list[dict[str, object]]:
        """The conversation on the disk; every line of it must be whole."""
        return history_of(self.paths)

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        await asyncio.gather(self._watch(process.stdout), self._watch(process.stderr, COMPLAINT))
        await process.wait()
        self._moved.set()

    async def _watch(self, screen: asyncio.StreamReader, head: str = "") -> None:
        async for line in screen:
            if len(self._lines) < MOST_LINES:
                text = head + line.decode(errors="replace").rstrip("\n")
                self._lines.append(Line(asyncio.get_running_loop().time(), text))
            self._moved.set()


def furnish(home: Path, shelf: Path | None, *, settings: str = "") -> None:
    """Make a home with models and settings in it."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    if shelf is not None and not (home / "models").exists():
        (home / "models").symlink_to(shelf)
    if settings:
        (home / "settings.toml").write_text(settings)


def history_of(paths: Paths) -> list[dict[str, object]]:
    file = paths.sessions / "default.messages.ndjson"
    text = file.read_text() if file.exists() else ""
    assert not text or text.endswith("\n"), f"a half line: {text[-200:]!r}"
    return [json.loads(line) for line in text.splitlines()]


def _behind(head: str, lines: Sequence[Line]) -> list[str]:
    return [line.text.removeprefix(head).strip() for line in lines if line.text.startswith(head)]
