"""The door to the process that reads files: bytes in, passages out, within limits.

One process serves many files, one after the other; it is started when the first comes, and anew after one that it
did not survive, or when it has read its fill. ``close`` ends it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from companion.errors import FileUnreadable, SetupError
from companion.knowledge.limits import USUAL, Limits
from companion.knowledge.wire import LONGEST_LINE, Ended, Prepared, limits_text, question, read_answer

_FILL = 200
"""Files that one process reads."""
_SENT_AT_ONCE = 256 * 1024
_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR", "TEMP")
"""Of our environment: a reader has no use for keys."""
_ENDING = 5.0


@dataclass(frozen=True, slots=True)
class ReadFile:
    """What was in a file."""

    title: str
    notes: tuple[str, ...]
    passages: tuple[Prepared, ...]


class FileReader(Protocol):
    """Who reads files."""

    async def read(self, kind: str, raw: bytes) -> ReadFile:
        """The passages in the bytes of a file.

        Raises:
            FileUnreadable: there are none to be had; the message says why.
            SetupError: nobody can be started to read them.
        """

    async def close(self) -> None:
        """End what was started; another ``read`` starts it again."""


class ReaderProcess:
    """A FileReader in a process of its own."""

    def __init__(self, limits: Limits = USUAL) -> None:
        self._limits = limits
        self._process: asyncio.subprocess.Process | None = None
        self._served = 0

    async def read(self, kind: str, raw: bytes) -> ReadFile:
        process = self._process or await self._start()
        try:
            async with asyncio.timeout(self._limits.patience):
                read = await self._ask(process, kind, raw)
        except TimeoutError as error:
            await self.close()
            raise FileUnreadable(f"it took longer than {self._limits.patience:g} s to read") from error
        except (EOFError, OSError, ValueError) as error:
            raise FileUnreadable(await self._why_it_fell()) from error
        except BaseException as error:
            if not isinstance(error, FileUnreadable):
                await self.close()
            raise
        self._served += 1
        if self._served >= _FILL:
            await self.close()
        return read

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await _end(process)

    async def _start(self) -> asyncio.subprocess.Process:
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        # It finds the program where this one did; "-P" keeps whatever lies in the folder it is started in out of it.
        environment |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONUTF8": "1"}
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", "companion.knowledge.reader_child", limits_text(self._limits),
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
                env=environment, limit=LONGEST_LINE, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise SetupError("the process that reads files cannot be started", mend="Free some memory.") from error
        self._served = 0
        return self._process

    async def _ask(self, process: asyncio.subprocess.Process, kind: str, raw: bytes) -> ReadFile:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(question(kind, len(raw)))
        for start in range(0, len(raw), _SENT_AT_ONCE):
            process.stdin.write(raw[start : start + _SENT_AT_ONCE])
            await process.stdin.drain()
        passages: list[Prepared] = []
        room = _Room(2 * self._limits.characters)
        while True:
            line = await process.stdout.readline()
            if not line.endswith(b"\n"):
                raise EOFError
            said = read_answer(line)
            if isinstance(said, Ended):
                break
            room.take(len(said.passage.text))
            passages.append(said)
            if len(passages) > self._limits.passages:
                raise ValueError("more passages than a file may have")
        if said.problem:
            raise FileUnreadable(said.problem)
        return ReadFile(said.title, said.notes, tuple(passages))

    async def _why_it_fell(self) -> str:
        process = self._process
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_ENDING):
                if process is not None:
                    await process.wait()
        await self.close()
        if process is not None and process.returncode == -getattr(signal, "SIGXCPU", -1):
            return f"it took longer than {self._limits.seconds:g} s of processor time to read"
        return "its reader fell over"


class _Room:
    """How much a process may still answer: it may have been taken over by what it read."""

    def __init__(self, most: int) -> None:
        self._left = most

    def take(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise ValueError("more text than a file may have")


async def _end(process: asyncio.subprocess.Process) -> None:
    _quietly(process.kill)
    if process.stdin is not None:
        process.stdin.close()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_ENDING):
            await process.wait()


def _quietly(work: Callable[[], None]) -> None:
    with contextlib.suppress(ProcessLookupError):
        work()
