"""The microphones and loudspeakers a PulseAudio or PipeWire server knows, by the names people see.

PortAudio shows such a server as one device called "pulse". Its devices are listed by ``pactl``, and one
is picked by PULSE_SOURCE or PULSE_SINK, which libpulse reads whenever a stream is opened.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Literal

from companion.stream.tasks import Tasks

Kind = Literal["source", "sink"]
_VARIABLE = {"source": "PULSE_SOURCE", "sink": "PULSE_SINK"}
_DEADLINE = 3.0


@dataclass(frozen=True, slots=True)
class ServerDevice:
    """One device of the sound server."""

    key: str
    """The name the server knows it by."""
    title: str
    """The name people know it by."""
    is_default: bool


def server_devices(kind: Kind) -> list[ServerDevice] | None:
    """What the server has; None where it cannot be asked. A monitor of a loudspeaker is no microphone."""
    answer = _ask(f"list {kind}s")
    entries = answer.get("entries")
    if entries is None:
        return None
    default = _ask("info").get("default_" + kind + "_name")
    return [_device(entry, default) for entry in entries if not _is_monitor(entry)]


class Watch:
    """Tells when the server's devices come, go or change: an idle ``pactl subscribe`` that costs nothing.

    Does nothing where there is no ``pactl``.
    """

    def __init__(self, kind: Kind, on_change: Callable[[], None]) -> None:
        self._marks = tuple(f"on {what} #".encode() for what in (kind, "server", "card"))
        self._on_change = on_change
        self._process: asyncio.subprocess.Process | None = None
        self._tasks = Tasks()

    async def start(self) -> None:
        with suppress(OSError):
            self._process = await asyncio.create_subprocess_exec(
                *("pactl", "subscribe"),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env={**os.environ, "LC_ALL": "C.UTF-8"},
            )
            self._tasks.start(self._read(self._process), name="watch the sound server")

    async def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            if process.returncode is None:
                process.kill()
            await process.wait()
        await self._tasks.close()

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            if any(mark in line for mark in self._marks):
                self._on_change()


def _device(entry: dict[str, object], default: object) -> ServerDevice:
    key = str(entry.get("name", ""))
    return ServerDevice(key, str(entry.get("description") or key), key == default)


def _is_monitor(entry: dict[str, object]) -> bool:
    properties = entry.get("properties")
    return isinstance(properties, dict) and properties.get("device.class") == "monitor"


def _ask(question: str) -> dict[str, list[dict[str, object]]]:
    try:
        answer = subprocess.run(
            ["pactl", "--format=json", *question.split()],
            capture_output=True,
            timeout=_DEADLINE,
            check=True,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
        said = json.loads(answer.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return {}
    return said if isinstance(said, dict) else {"entries": said}


@contextmanager
def pinned(kind: Kind, key: str) -> Iterator[None]:
    """Streams opened within go to the server's device ``key``; "" leaves it to the server."""
    variable = _VARIABLE[kind]
    before = os.environ.get(variable)
    if key:
        os.environ[variable] = key
    try:
        yield
    finally:
        if key and before is None:
            os.environ.pop(variable, None)
        elif key and before is not None:
            os.environ[variable] = before
