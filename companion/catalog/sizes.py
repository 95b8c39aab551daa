"""Bytes: of a file that may not be there yet, and as a person reads them."""

from __future__ import annotations

from pathlib import Path


def in_words(count: int) -> str:
    """``145217532`` becomes ``145.2 MB``."""
    for unit, size in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} bytes"


def bytes_in(part: Path) -> int:
    """What there is of a file so far."""
    try:
        return part.stat().st_size
    except FileNotFoundError:
        return 0
