"""Gives memory that was let go of back to the system. The allocator of glibc keeps what lies between other things."""

from __future__ import annotations

import ctypes


def give_back() -> None:
    """Takes some milliseconds, in which others go on; does nothing where the allocator has no such door."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another libc, macOS, Windows
        return
    trim(0)
