"""What ``memory.db`` knows of the documents' files: enough to list them, to find cold ones and to search their text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

import apsw

from companion.memory import passages
from companion.memory.document import Document, Source
from companion.memory.passages import Kind, Passage
from companion.memory.store import LONG_DEADLINE, Store

_PIECE = 300
"""Characters up to which lines of a content are one passage."""
_LISTED = "SELECT id, file_stamp FROM documents"


class Listed(NamedTuple):
    """A document as the index knows it."""

    id: str
    stamp: str
    """Of its file when it was indexed."""


class DocumentIndex:
    """In ``store``; every method raises StorageError where the disk refuses, MemoryBusy where too much waits."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def put(self, document_id: str, held: tuple[Document, str] | None) -> None:
        """Know a document with the stamp of its file; None where there is none any more."""
        await self._store.write(lambda db: _put(db, document_id, held), deadline=LONG_DEADLINE)

    async def touch(self, document: Document, stamp: str) -> None:
        """Know that a document was asked for, and nothing else of it is new."""
        row = (document.access_count, _micros(document.last_access), stamp, document.id)
        sql = "UPDATE documents SET access_count = ?, last_access = ?, file_stamp = ? WHERE id = ?"
        await self._store.write(lambda db: db.execute(sql, row).fetchall())

    async def all(self) -> list[Listed]:
        return await self._listed(_LISTED, ())

    async def newest(self, most: int) -> list[Listed]:
        """Newest first."""
        return await self._listed(f"{_LISTED} ORDER BY created_at DESC, id DESC LIMIT ?", (most,))

    async def cold(self, before: datetime, accesses: int, most: int) -> list[Listed]:
        """Last asked for before that moment, and not more often than that; the coldest first."""
        sql = f"{_LISTED} WHERE last_access < ? AND access_count <= ? ORDER BY last_access LIMIT ?"
        return await self._listed(sql, (_micros(before), accesses, most))

    async def with_hash(self, hashed: str) -> list[str]:
        return [listed.id for listed in await self._listed(f"{_LISTED} WHERE hash = ?", (hashed,))]

    async def count(self) -> int:
        return await self._store.read(lambda db: sum(int(n) for (n,) in db.execute("SELECT count(*) FROM documents")))

    async def _listed(self, sql: str, given: tuple[str | int, ...]) -> list[Listed]:
        return await self._store.read(
            lambda db: [Listed(str(name), str(stamp)) for name, stamp in db.execute(sql, given)]
        )


def _put(connection: apsw.Connection, document_id: str, held: tuple[Document, str] | None) -> None:
    if held is None:
        connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))
        passages.remove(connection, Kind.DOCUMENT, document_id)
        return
    document, stamp = held
    times = tuple(map(_micros, (document.created_at, document.updated_at)))
    row = (document.id, document.hash, document.source, document.summary, *times, document.access_count)
    connection.execute(
        "INSERT OR REPLACE INTO documents VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*row, _micros(document.last_access), stamp),
    )
    passages.replace(connection, Kind.DOCUMENT, document.id, _pieces(document))


def _pieces(document: Document) -> Iterator[Passage]:
    """Its summary with its tags, then its content piece by piece; of an archive each line is one."""
    head = " ".join((document.summary, *document.tags, *document.entities))
    if document.source != Source.ARCHIVED:
        yield Passage(head, document.created_at)
    piece = ""
    for line in filter(None, map(str.strip, re.split(r"\n+", document.content))):
        if piece and (document.source == Source.ARCHIVED or len(piece) + len(line) > _PIECE):
            yield Passage(piece, document.created_at)
            piece = ""
        piece = f"{piece}\n{line}" if piece else line
    if piece:
        yield Passage(piece, document.created_at)


def _micros(moment: datetime) -> int:
    """Microseconds since 1970: as exactly as files have it, so that nothing is cold by rounding."""
    return round(moment.timestamp() * 1_000_000)
