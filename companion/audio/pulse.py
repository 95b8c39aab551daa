"""The microphones and loudspeakers a PulseAudio or PipeWire server knows, by the names people see.

PortAudio shows such a server as one device called "pulse". Its devices are listed by ``pactl``, and one
is picked by PULSE_SOURCE or PULSE_SINK, which libpulse reads whenever a stream is opened.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

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


def server_devices(kind: Kind) -> list[ServerDevice]:
    """What the server has; empty without a server or without ``pactl``. Monitors are no microphones."""
    devices = _ask(f"list {kind}s")
    default = _ask("info").get("default_" + kind + "_name") if devices else None
    return [_device(entry, default) for entry in devices.get("entries", ()) if not _is_monitor(entry)]


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
