"""Room on the disk: asked for before a download, and told the same way when it runs out in the middle."""

from __future__ import annotations

import contextlib
import errno
import shutil
from collections.abc import Iterator
from pathlib import Path

from companion.catalog.sizes import in_words
from companion.errors import DiskFull, ShelfError, reason_of

_FULL = {errno.ENOSPC, errno.EDQUOT}


def free_bytes(folder: Path) -> int:
    """Free bytes on the disk of ``folder``, which need not exist yet."""
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free


def ensure_room(folder: Path, needed: int, *, what: str) -> None:
    """Refuse to start what cannot fit.

    Raises:
        DiskFull: fewer than ``needed`` bytes are free.
    """
    if needed > free_bytes(folder):
        raise disk_full(folder, needed, what=what)


def disk_full(folder: Path, needed: int, *, what: str) -> DiskFull:
    """The error, with what is free now."""
    free = free_bytes(folder)
    return DiskFull(
        f"{what} needs {in_words(needed)} ({needed} bytes) in {folder}, but {in_words(free)} ({free} bytes) are free",
        needed=needed,
        free=free,
        mend="Free some space there, or set COMPANION_HOME to a folder on a larger disk.",
    )


def is_full(error: OSError) -> bool:
    """Whether the system refused a write for lack of room."""
    return error.errno in _FULL


@contextlib.contextmanager
def shelf_writes(folder: Path, *, full_passes: bool = True) -> Iterator[None]:
    """Say what the system has against the shelf's folder.

    full_passes: whether a full disk is left to the handling of the caller.

    Raises:
        ShelfError: the folder cannot be written.
    """
    try:
        yield
    except OSError as error:
        if full_passes and is_full(error):
            raise
        raise ShelfError(
            f"{error.filename or folder}: {reason_of(error)}",
            mend="Allow your user to write there, or set COMPANION_HOME to another folder.",
        ) from error
