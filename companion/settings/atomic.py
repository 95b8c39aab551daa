"""Replacing a file so that a reader, a crash or a full disk sees the old one or the new one whole."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

from companion.errors import StorageError, reason_of

LEFT_OVER = ".new"


def write_atomically(file: Path, text: str) -> None:
    """Write ``text`` beside ``file``, flush it to the disk, then move it into place.

    A link is followed, and the mode of a file that is already there is kept; a new one is for its owner alone.

    Raises:
        StorageError: the disk is full, the folder read-only or the like; ``file`` is as it was.
    """
    try:
        _replace(file.resolve(), text.encode())
    except (OSError, RuntimeError) as error:  # RuntimeError: a link that leads to itself
        reason = reason_of(error)
        raise StorageError(
            f"{file} could not be written: {reason}",
            file=str(file),
            mend="Free some space or allow writing there; the file is as it was.",
        ) from error


def _replace(target: Path, content: bytes) -> None:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=LEFT_OVER)
    fresh = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        if target.exists():
            fresh.chmod(target.stat().st_mode & 0o777)
        put_in_place(fresh, target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def put_in_place(fresh: Path, file: Path) -> None:
    """Move ``fresh`` to where ``file`` is or shall be.

    Raises:
        OSError: the disk refused, or what is there is a device, a pipe or the like.
    """
    if file.exists() and not file.is_file():
        raise OSError(errno.EINVAL, "what is there is no file")
    fresh.replace(file)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk.

    Raises:
        OSError: the disk refused.
    """
    if os.name == "nt":  # a folder cannot be opened there, and its entries are written through
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
