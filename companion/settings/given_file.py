"""Reads a file that a person has named, which may be anything: a pipe that never ends, a device, something huge."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def read_given(file: Path, most: int) -> bytes:
    """All bytes of a file of at most so many.

    Raises:
        OSError: it is no file, or larger, or may not be read.
    """
    handle = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as reading:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no file")
        raw = reading.read(most + 1)
    if len(raw) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most >> 20} MB")
    return raw
