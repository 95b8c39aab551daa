"""How much the knowledge room takes on, so that no folder and no file can wear the machine out."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what is read. What lies beyond one is left out and told."""

    files: int = 20_000
    """In one folder with all that is in it."""
    looked_at: int = 200_000
    """Entries of one folder, of any kind."""
    depth: int = 16
    """Folders within folders."""
    text_bytes: int = 16 * MEBIBYTE
    """Of a text, Markdown or HTML file."""
    packed_bytes: int = 64 * MEBIBYTE
    """Of a PDF or Word file."""
    unpacked_bytes: int = 128 * MEBIBYTE
    """Of one part of a packed file, once unpacked."""
    characters: int = 8_000_000
    """Of the text of one file."""
    passages: int = 40_000
    """Of one file."""
    all_passages: int = 1_000_000
    """Of all files together."""
    folders: int = 64
    """That the user may name."""
    pages: int = 3_000
    """Of one file."""
    seconds: float = 30.0
    """Of processor time for one file."""
    patience: float = 120.0
    """Seconds that may pass for one file, waiting for the processor included."""
    memory_bytes: int = 1_024 * MEBIBYTE
    """Address space of the process that reads files."""


USUAL = Limits()
