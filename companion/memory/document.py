"""A document of the second layer of memory, and its file: one JSON object, the source of truth.

A file that is not what it should be is set aside, never written over.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from companion.errors import StorageError, reason_of
from companion.memory.storable import storable
from companion.settings.atomic import write_atomically

LONGEST_SUMMARY = 500
LONGEST_CONTENT = 200_000
"""Characters."""
MOST_TAGS = 32
"""Tags, and entities."""
LARGEST_FILE = 8 << 20
"""Bytes."""
_ID = re.compile(r"doc_\d{1,32}")


class Source(StrEnum):
    """Where a document is from."""

    ARCHIVED = "context_archived"
    GRAPH = "graph"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Document:
    """Something kept in words. Times are with their zones."""

    id: str
    summary: str
    content: str
    source: str
    created_at: datetime
    updated_at: datetime
    last_access: datetime
    """When it was asked for; what is recalled by itself does not count."""
    access_count: int = 1
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    """What JSON carries; ``content_hash`` among it."""

    @property
    def hash(self) -> str:
        return str(self.meta.get("content_hash", ""))


class DamagedDocument(Exception):
    """The file is no document. Never leaves this room."""


def is_id(name: str) -> bool:
    """Whether a document may be called that; nothing else becomes part of a path."""
    return _ID.fullmatch(name) is not None


def hash_of(content: str) -> str:
    """What tells contents apart."""
    return hashlib.sha256(content.encode()).hexdigest()


def file_of(folder: Path, document_id: str) -> Path:
    """Where a document is kept. Raises ValueError for what is no id."""
    if not is_id(document_id):
        raise ValueError("no document is called that")
    return folder / f"{document_id}.json"


def stamp_of(file: Path) -> str:
    """Changes when the file does. Raises OSError."""
    known = file.stat()
    return f"{known.st_mtime_ns}:{known.st_size}"


def write(folder: Path, document: Document) -> str:
    """Write the file and return its stamp.

    Raises:
        StorageError: the disk refused; the file is as it was.
    """
    file = file_of(folder, document.id)
    write_atomically(file, storable(json.dumps(_row(document), ensure_ascii=False, indent=1)))
    try:
        return stamp_of(file)
    except OSError as error:
        raise storage_error(file, error) from error


def read(file: Path) -> Document:
    """The document in a file.

    Raises:
        DamagedDocument: it is none.
        StorageError: it cannot be read.
        FileNotFoundError: it is not there.
    """
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise DamagedDocument("it is larger than a document may be")
        raw = file.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise storage_error(file, error) from error
    try:
        return parsed(raw, file.stem)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DamagedDocument(f"it is no document: {type(error).__name__}") from error


def parsed(raw: bytes, name: str) -> Document:
    """The document ``name`` in the bytes of its file.

    Raises ValueError, KeyError, TypeError, AttributeError or RecursionError where they hold none.
    """
    return _document(json.loads(raw), name)


def storage_error(file: Path, error: OSError) -> StorageError:
    """The disk does not let us at ``file``."""
    return StorageError(
        f"{file} could not be reached: {reason_of(error)}",
        file=str(file),
        mend="Free some space or allow reading and writing there.",
    )


def _row(document: Document) -> dict[str, Any]:
    return {
        "id": document.id,
        "summary": document.summary,
        "content": document.content,
        "tags": list(document.tags),
        "entities": list(document.entities),
        "created_at": document.created_at.isoformat(),
        "updated_at": document.updated_at.isoformat(),
        "source": document.source,
        "meta": dict(document.meta),
        "access_count": document.access_count,
        "last_access": document.last_access.isoformat(),
    }


def _document(row: dict[str, Any], name: str) -> Document:
    if row["id"] != name or not is_id(name):
        raise ValueError("its name and its id differ")
    meta = row.get("meta", {})
    if not isinstance(meta, dict):
        raise TypeError("meta is no object")
    content = _text(row["content"])
    return Document(
        id=name,
        summary=_text(row["summary"]),
        content=content,
        source=_text(row["source"]),
        created_at=_time(row["created_at"]),
        updated_at=_time(row["updated_at"]),
        last_access=_time(row["last_access"]),
        access_count=max(0, int(row["access_count"])),
        tags=tuple(map(str, row.get("tags", ())))[:MOST_TAGS],
        entities=tuple(map(str, row.get("entities", ())))[:MOST_TAGS],
        meta={**meta, "content_hash": hash_of(content)},
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is no text")
    value.encode()  # half a letter cannot be stored
    return value


def _time(value: object) -> datetime:
    moment = datetime.fromisoformat(_text(value))
    if moment.tzinfo is None:
        raise ValueError("a time without a zone")
    return moment
