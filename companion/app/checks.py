"""What the doctor looks at besides sound and models: Python, libraries, settings, room, and who is running."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.app.control import ask
from companion.app.doctor import Check, Finding, bad, of_error, ok, warn
from companion.app.lock import owner
from companion.app.orders import Status
from companion.app.paths import Paths
from companion.errors import CompanionError
from companion.settings.store import SettingsStore

OLDEST_PYTHON = (3, 11)
LITTLE_ROOM = 500_000_000
NO_ROOM = 50_000_000
"""Bytes on the disk."""
LITTLE_MEMORY = 1_000_000_000
"""Bytes free, below which a language model and a recogniser do not fit together."""


def house_checks(paths: Paths) -> list[Check]:
    """The checks of this file, in the order a person reads them."""
    return [
        Check("python", lambda: python(sys.version_info[:3])),
        Check("libraries", lambda: libraries(required())),
        Check("folders", lambda: folders(paths)),
        Check("settings", lambda: settings(paths.settings_file)),
        Check("disk", lambda: disk(shutil.disk_usage(_existing(paths.data)).free)),
        Check("memory", lambda: memory(_free_memory())),
        Check("running", lambda: running(paths)),
        Check("espeak", lambda: espeak(shutil.which("espeak-ng"))),
    ]


def python(version: tuple[int, ...]) -> Iterator[Finding]:
    told = ".".join(map(str, version))
    if version >= OLDEST_PYTHON:
        yield ok("python", told)
    else:
        yield bad("python", f"{told} is too old", f"Install Python {'.'.join(map(str, OLDEST_PYTHON))} or newer.")


def required() -> list[str]:
    """The packages this program needs, by its own word."""
    try:
        lines = importlib.metadata.requires("companion") or []
    except importlib.metadata.PackageNotFoundError:
        return []
    here = [line for line in lines if "sys_platform" not in line or f'"{sys.platform}"' in line]
    return [re.split(r"[^\w.-]", line)[0] for line in here if "extra ==" not in line]


def libraries(names: list[str], version: Callable[[str], str] = importlib.metadata.version) -> Iterator[Finding]:
    missing = [name for name in names if _version(name, version) is None]
    if missing:
        yield bad("libraries", f"not installed: {', '.join(missing)}", f"Run pip install {' '.join(missing)}.")
    else:
        yield ok("libraries", f"{len(names)} of {len(names)} are installed")


def _version(name: str, version: Callable[[str], str]) -> str | None:
    try:
        return version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def folders(paths: Paths) -> Iterator[Finding]:
    for name, folder in (("settings", paths.config), ("data", paths.data), ("log", paths.log)):
        place = _existing(folder)
        if not _is_writable(place):
            yield bad("folders", f"{place} cannot be written", "Allow your user to write there, or set COMPANION_HOME.")
        else:
            yield ok("folders", f"{name} in {folder}")


def settings(file: Path) -> Iterator[Finding]:
    try:
        SettingsStore(file).check()
    except CompanionError as fault:
        yield of_error("settings", fault)
    else:
        yield ok("settings", f"{file}" if file.exists() else "none yet; the defaults are used")
    for kept in sorted(file.parent.glob(f"{file.stem}.broken-*{file.suffix}")):
        yield warn("settings", f"a broken file is kept: {kept}", "Mend it and move it back, or remove it.")


def disk(free: int) -> Iterator[Finding]:
    told = f"{free / 1e9:.1f} GB free"
    if free < NO_ROOM:
        yield bad("disk", told, "Free some space: conversations and timers cannot be kept.")
    elif free < LITTLE_ROOM:
        yield warn("disk", told, "Free some space before you pull models.")
    else:
        yield ok("disk", told)


def memory(free: int) -> Iterator[Finding]:
    told = f"{free / 1e9:.1f} GB free"
    if free < LITTLE_MEMORY:
        yield warn("memory", told, "Close other programs, or choose smaller models: companion models list.")
    else:
        yield ok("memory", told)


def running(paths: Paths) -> Iterator[Finding]:
    pid = owner(paths.lock_file)
    if pid is None:
        yield ok("running", "no companion is running here")
        return
    try:
        answer = ask(paths.control_socket, Status(), patience=3.0)
    except CompanionError as fault:
        yield bad(
            "running", f"process {pid} owns the data folder, but {fault}", f"End it: kill {pid}. Then start again."
        )
        return
    yield ok("running", f"process {pid}: {answer.get('phase', 'running')}")
    for problem in answer.get("problems", ()):
        yield warn("running", str(problem), "See the other findings, or the log.")


def espeak(program: str | None) -> Iterator[Finding]:
    if program:
        yield ok("espeak", f"{program} speaks for languages without a voice on the shelf")
    else:
        yield ok("espeak", "espeak-ng is not installed; only languages with a voice on the shelf are spoken")


def _free_memory() -> int:
    import psutil

    return int(psutil.virtual_memory().available)


def _existing(folder: Path) -> Path:
    return next(place for place in (folder, *folder.parents) if place.exists())


def _is_writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK | os.X_OK)
