"""A disk of its own for a test: small, to be filled, or read-only for a while. Needs to be root."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path


class SmallDisk:
    """A tmpfs of some kilobytes, mounted on ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filling = folder / "filling"

    def fill(self) -> None:
        """Leave no byte of room."""
        with self._filling.open("ab", buffering=0) as filling, contextlib.suppress(OSError):
            while True:
                filling.write(b"\0" * 4096)

    def make_room(self) -> None:
        self._filling.unlink(missing_ok=True)

    def let_write(self, *, allowed: bool) -> None:
        """Make it read-only, or writable again; nobody may have a file open for writing."""
        subprocess.run(["mount", "-o", f"remount,{'rw' if allowed else 'ro'}", str(self.folder)], check=True)


@contextlib.contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[SmallDisk]:
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)], check=True)
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
