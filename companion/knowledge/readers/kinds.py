"""Which reader reads which file."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

from companion.knowledge.limits import Limits
from companion.knowledge.text import Extract

Reader = Callable[[bytes, Limits], Extract]

_KINDS = {
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".docx": "docx",
    ".pdf": "pdf",
}
# By name, so that only the process that reads loads what reads.
_READERS = {
    "text": ("plain", "read_text"),
    "markdown": ("plain", "read_markdown"),
    "html": ("web_page", "read_html"),
    "docx": ("word", "read_docx"),
    "pdf": ("pdf", "read_pdf"),
}
PACKED = frozenset({"docx", "pdf"})
"""Kinds that hold more than their size says."""


def kind_of(name: str) -> str:
    """The kind of a file by the ending of its name; empty where there is no reader for it."""
    before, dot, ending = name.rpartition(".")
    return _KINDS.get(dot + ending.lower(), "") if before else ""


def read(kind: str, raw: bytes, limits: Limits) -> Extract:
    """The text of a file.

    Raises:
        FileUnreadable: it cannot be taken out.
        Exception: whatever a broken file makes of its reader.
    """
    module, name = _READERS[kind]
    reader = cast(Reader, getattr(import_module(f"companion.knowledge.readers.{module}"), name))
    return reader(raw, limits)
