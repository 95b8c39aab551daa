"""The bytes of one file as it stood still: the one that was seen, whole, and not while it was being written."""

from __future__ import annotations

import os
import stat

from companion.errors import FileUnreadable, reason_of
from companion.knowledge.limits import Limits
from companion.knowledge.readers import PACKED
from companion.knowledge.scan import FileKey, Seen, mark_of

_BLOCK = 1 << 20


class StillChanging(Exception):
    """The file is being written, or is no longer the one that was seen; it is looked at again."""


def read_bytes(key: FileKey, seen: Seen, limits: Limits) -> tuple[bytes, str]:
    """The bytes of a file, and its mark while they were read. Blocks.

    Raises:
        StillChanging: look again later.
        FileUnreadable: it is too large, or may not be read.
    """
    most = limits.packed_bytes if seen.kind in PACKED else limits.text_bytes
    if seen.size > most:
        raise FileUnreadable(f"it is larger than {most >> 20} MB")
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(key.file, flags)
    except FileNotFoundError as error:
        raise StillChanging from error
    except OSError as error:
        raise FileUnreadable(f"it cannot be opened: {reason_of(error)}") from error
    try:
        return _read_still(handle, seen, most)
    except OSError as error:
        raise FileUnreadable(f"it cannot be read: {reason_of(error)}") from error
    finally:
        os.close(handle)


def _read_still(handle: int, seen: Seen, most: int) -> tuple[bytes, str]:
    before = os.fstat(handle)
    # A name may meanwhile lead to a link, a device or a file elsewhere; this number is that of what was seen.
    if not stat.S_ISREG(before.st_mode) or (before.st_dev, before.st_ino) != (seen.device, seen.inode):
        raise StillChanging
    blocks, size = [], 0
    while block := os.read(handle, _BLOCK):
        blocks.append(block)
        size += len(block)
        if size > most:
            raise FileUnreadable(f"it is larger than {most >> 20} MB")
    mark = mark_of(before)
    if mark_of(os.fstat(handle)) != mark or size != before.st_size:
        raise StillChanging
    return b"".join(blocks), mark
