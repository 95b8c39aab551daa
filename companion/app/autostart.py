"""Start with the session: the file, or the entry, by which a desktop starts the companion when its user logs in.

Linux and the like: a desktop entry in ``autostart`` of the user's configuration (the Desktop Application Autostart
Specification). macOS: a property list in ``LaunchAgents``. Windows: a value under ``Run`` of the user's registry.
The last two are written by their documentation and have not been tried on a machine.
"""

from __future__ import annotations

import os
import plistlib
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from companion.errors import StorageError, reason_of
from companion.settings.atomic import write_atomically

NAME = "companion"
LABEL = "org.companion.companion"
"""The name of the job on macOS."""
_RUN = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Run"
_PATIENCE = 10.0
_QUOTED = frozenset(" \t\n\"'\\><~|&;$*?#()`")
"""What makes a word of a desktop entry need quotes."""

Registry = Callable[[Sequence[str]], bool]
"""Runs ``reg`` with these arguments, and says whether it did as it was told."""


class Autostart(Protocol):
    """One desktop's way. All of it is short blocking work."""

    place: str
    """Where it is kept, for people."""

    def is_on(self) -> bool: ...

    def turn(self, *, on: bool) -> None:
        """Have it started with the session, or not.

        Raises:
            StorageError: that cannot be written.
        """


def command(executable: str = sys.executable) -> tuple[str, ...]:
    """What the session is to run: the program beside this Python, else the package itself; with no window at first."""
    script = Path(executable).with_name("companion.exe" if os.name == "nt" else "companion")
    start = (str(script),) if script.is_file() else (executable, "-m", "companion")
    return (*start, "ui", "--hidden")


def autostart(platform: str = sys.platform, environment: Mapping[str, str] = os.environ) -> Autostart:
    """The way of this system."""
    home = Path(environment.get("HOME") or Path.home())
    if platform == "win32":
        return WindowsAutostart(command())
    if platform == "darwin":
        return MacAutostart(home / "Library" / "LaunchAgents", command())
    config = environment.get("XDG_CONFIG_HOME", "")
    folder = Path(config) if Path(config).is_absolute() else home / ".config"
    return DesktopEntry(folder / "autostart", command())


def introduce(application: str, environment: Mapping[str, str] = os.environ) -> None:
    """Have a desktop entry of that name among the user's applications: portals know a program by it.

    One that is there stays as it is; ours is not listed in menus, where the installed one may be.

    Raises:
        StorageError: it cannot be written.
    """
    data = environment.get("XDG_DATA_HOME", "")
    home = Path(environment.get("HOME") or Path.home())
    folder = Path(data) if Path(data).is_absolute() else home / ".local" / "share"
    file = folder / "applications" / f"{application}.desktop"
    if not file.exists():
        line = " ".join(_quoted(word) for word in command()[:-1])
        write_atomically(
            file,
            "[Desktop Entry]\nType=Application\nVersion=1.4\nName=Companion\nNoDisplay=true\n"
            f"Exec={line}\nIcon=audio-input-microphone\nTerminal=false\n",
        )


class DesktopEntry:
    """Implements ``Autostart`` for the desktops that follow freedesktop.org."""

    def __init__(self, folder: Path, start: Sequence[str]) -> None:
        self._file = folder / f"{NAME}.desktop"
        self._start = start
        self.place = str(self._file)

    def is_on(self) -> bool:
        """Whether there is an entry that its user, or a desktop's own settings, have not turned off."""
        lines = {line.strip().replace(" ", "").lower() for line in _read(self._file).splitlines()}
        return "[desktopentry]" in lines and not lines & {"hidden=true", "x-gnome-autostart-enabled=false"}

    def turn(self, *, on: bool) -> None:
        if on:
            write_atomically(self._file, self._entry())
        else:
            _remove(self._file)

    def _entry(self) -> str:
        line = " ".join(_quoted(word) for word in self._start)
        return (
            "[Desktop Entry]\nType=Application\nVersion=1.4\nName=Companion\n"
            "Comment=Listen for the wake word from log-in on\nComment[zh_CN]=登录后即等待唤醒词\n"
            f"Exec={line}\nIcon=audio-input-microphone\nTerminal=false\nX-GNOME-Autostart-enabled=true\n"
        )


class MacAutostart:
    """Implements ``Autostart`` for macOS."""

    def __init__(self, folder: Path, start: Sequence[str]) -> None:
        self._file = folder / f"{LABEL}.plist"
        self._start = start
        self.place = str(self._file)

    def is_on(self) -> bool:
        try:
            job = plistlib.loads(_read(self._file).encode())
        except (plistlib.InvalidFileException, ValueError, OverflowError):
            return False
        return isinstance(job, dict) and bool(job.get("RunAtLoad")) and not job.get("Disabled")

    def turn(self, *, on: bool) -> None:
        if not on:
            _remove(self._file)
            return
        job = {"Label": LABEL, "ProgramArguments": list(self._start), "RunAtLoad": True, "ProcessType": "Interactive"}
        write_atomically(self._file, plistlib.dumps(job).decode())


class WindowsAutostart:
    """Implements ``Autostart`` for Windows."""

    place = _RUN

    def __init__(self, start: Sequence[str], registry: Registry | None = None) -> None:
        self._line = subprocess.list2cmdline(start)
        self._registry = registry or _reg

    def is_on(self) -> bool:
        return self._registry(("query", _RUN, "/v", NAME))

    def turn(self, *, on: bool) -> None:
        if not on and not self.is_on():
            return
        add = ("add", _RUN, "/v", NAME, "/t", "REG_SZ", "/d", self._line, "/f")
        if not self._registry(add if on else ("delete", _RUN, "/v", NAME, "/f")):
            raise StorageError(f"{_RUN} cannot be changed", file=_RUN, mend="Allow your user to change it.")


def _reg(arguments: Sequence[str]) -> bool:
    try:
        done = subprocess.run(["reg", *arguments], capture_output=True, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _quoted(word: str) -> str:
    """A word of an ``Exec`` line, quoted as the Desktop Entry Specification wants it."""
    word = word.replace("%", "%%")
    if not set(word) & _QUOTED:
        return word
    # Once for the quotes, and once more because a backslash is an escape of every value of an entry.
    return '"' + re.sub(r'(["`$\\])', r"\\\1", word).replace("\\", "\\\\") + '"'


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _remove(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(
            f"{file} cannot be removed: {reason_of(error)}", file=str(file), mend="Remove it yourself."
        ) from error
