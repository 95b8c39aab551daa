"""What lies beside ``memory.db`` as files, the context and the documents, within a backup of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw

from companion.settings.atomic import LEFT_OVER

CONTEXT = "context.json"
DOCUMENTS = "documents"
LARGEST = 64 << 20
"""Bytes of one file."""
_READING = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


def enclose(copy: Path, folder: Path) -> None:
    """Write the files of ``folder`` into the database ``copy``, which nobody else uses.

    Raises:
        apsw.Error: it could not be written.
        OSError: a file could not be read.
    """
    with closing(apsw.Connection(str(copy))) as connection:
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
        with connection:
            connection.execute("CREATE TABLE enclosed(name TEXT PRIMARY KEY, content BLOB NOT NULL)").fetchall()
            for name in _names(folder):
                content = _content(folder / name)
                if content is not None:
                    connection.execute("INSERT INTO enclosed VALUES(?, ?)", (name, content))


def take_out(copy: Path) -> None:
    """Take the files out of a copy that becomes the database.

    Raises:
        apsw.Error: it could not be written.
    """
    with closing(apsw.Connection(str(copy))) as connection:
        connection.execute("PRAGMA journal_mode = DELETE; PRAGMA secure_delete = ON").fetchall()
        connection.execute("DROP TABLE IF EXISTS enclosed").fetchall()


def bring_back(copy: Path, folder: Path) -> None:
    """Write those files of ``copy`` that are not in ``folder`` any more; what is there is newer, and stays.

    Raises:
        OSError: one could not be written.
    """
    for name, content in _held(copy):
        file = folder / name
        if not file.exists():
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh = file.with_name(file.name + LEFT_OVER)
            with open(fresh, "wb", opener=_for_owner) as out:
                out.write(content)
                out.flush()
                os.fsync(out.fileno())
            fresh.replace(file)


def spare(copy: Path, name: str) -> bytes | None:
    """One file of ``copy``; None where it has none of that name."""
    return next((content for held, content in _held(copy, name) if held == name), None)


def _names(folder: Path) -> Iterator[str]:
    yield CONTEXT
    yield from (f"{DOCUMENTS}/{file.name}" for file in sorted((folder / DOCUMENTS).glob("doc_*.json")))


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes() if file.stat().st_size <= LARGEST else None
    except FileNotFoundError:
        return None


def _held(copy: Path, name: str = "") -> Iterator[tuple[str, bytes]]:
    with closing(apsw.Connection(f"{copy.absolute().as_uri()}?immutable=1", flags=_READING)) as connection:
        if not connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'enclosed'").get:
            return  # A copy from before files were enclosed.
        sql = "SELECT name, content FROM enclosed WHERE ?1 = '' OR name = ?1"
        for held, content in connection.execute(sql, (name,)):
            yield str(held), bytes(content) if isinstance(content, bytes) else b""


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
