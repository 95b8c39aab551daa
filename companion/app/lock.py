"""One companion owns a data folder.

The kernel holds the lock, so that one which was killed leaves nothing behind that blocks the next.
The file holds the owner's process number for people to read.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import IO, Self

from companion.errors import AlreadyRunning, StorageError, reason_of

ATTEMPTS = 5
PAUSE = 0.02
"""Seconds; somebody who only looks (``owner``) holds the lock for a moment."""


class Lock:
    """Ownership of a data folder, until ``release`` or the end of the process."""

    def __init__(self, held: IO[str]) -> None:
        self._held = held

    @classmethod
    def take(cls, file: Path) -> Self:
        """Become the owner.

        Raises:
            AlreadyRunning: another companion is.
            StorageError: the lock file cannot be opened.
        """
        held = _opened(file)
        for attempt in range(ATTEMPTS):
            if _locked(held):
                # Only for people to read: on a full disk the lock holds all the same.
                with contextlib.suppress(OSError):
                    held.truncate(0)
                    os.write(held.fileno(), f"{os.getpid()}\n".encode())
                return cls(held)
            if attempt < ATTEMPTS - 1:
                time.sleep(PAUSE)
        pid = _pid(held)
        held.close()
        raise AlreadyRunning(
            f"another companion already runs here{f' (process {pid})' if pid else ''}",
            mend="Talk to it by `companion status`, `talk`, `stop` or `mute`, or end it by `companion shutdown`.",
        )

    def release(self) -> None:
        """Give it up. May be called twice."""
        self._held.close()


def owner(file: Path) -> int | None:
    """The process that owns the data folder, or None where nobody does. 0: somebody, but the file does not say who."""
    if not file.exists():
        return None
    with _opened(file) as held:
        return None if _locked(held) else _pid(held)


def _opened(file: Path) -> IO[str]:
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return file.open("a+", encoding="utf-8")
    except OSError as error:
        raise StorageError(
            f"the lock file {file} cannot be opened: {reason_of(error)}",
            file=str(file),
            mend="Allow your user to write there, or name another folder in COMPANION_HOME.",
        ) from error


def _pid(held: IO[str]) -> int:
    held.seek(0)
    written = held.read(32).strip()
    return int(written) if written.isdecimal() else 0


if os.name == "nt":  # untested
    import msvcrt

    def _locked(held: IO[str]) -> bool:
        held.seek(1 << 20)  # far behind the process number, which others may read
        try:
            msvcrt.locking(held.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        held.seek(0)
        return True
else:
    import fcntl

    def _locked(held: IO[str]) -> bool:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
