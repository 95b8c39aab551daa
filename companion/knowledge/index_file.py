"""The file of the index: which files there are, their passages, and the words these are found by. Blocking work.

It holds nothing that the user's files do not, and can be thrown away at any time: a damaged one is, and one that
another version wrote. Each file enters in one transaction, so that a crash leaves it as it was or as it is.
``synchronous=NORMAL``: after a power cut the newest files may have to be read again, and nothing is worse.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import StorageError, reason_of
from companion.knowledge.scan import FileKey
from companion.knowledge.terms import index_text
from companion.knowledge.wire import Prepared

if TYPE_CHECKING:
    import apsw

VERSION = 1
"""Of the tables, and of what readers and splitting make of a file: another one means that all is read anew."""
_BUSY_MS = 5_000
_TABLES = """
CREATE TABLE files(
  id INTEGER PRIMARY KEY, root BLOB NOT NULL, path BLOB NOT NULL, kind TEXT NOT NULL, mark TEXT NOT NULL,
  digest BLOB NOT NULL, title TEXT NOT NULL, notes TEXT NOT NULL, problem TEXT NOT NULL, passages INTEGER NOT NULL,
  UNIQUE(root, path));
CREATE TABLE passages(
  id INTEGER PRIMARY KEY, file INTEGER NOT NULL REFERENCES files(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  headings TEXT NOT NULL, page INTEGER NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL, UNIQUE(file, number));
CREATE VIRTUAL TABLE words USING fts5(
  body, headings, title, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
INSERT INTO words(words, rank) VALUES('rank', 'bm25(1.0, 1.0, 1.0)');
"""


class IndexDamaged(Exception):
    """The file of the index is damaged. Never leaves the room: the index is made anew."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the index knows of a file. mark: of the moment it was read; problem: why it has no passages."""

    id: int
    kind: str
    mark: str
    digest: bytes
    title: str
    notes: tuple[str, ...]
    problem: str
    passages: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A file on its way into the index."""

    kind: str
    mark: str
    digest: bytes
    title: str = ""
    notes: tuple[str, ...] = ()
    problem: str = ""
    passages: tuple[Prepared, ...] = ()


def open_index(file: Path) -> apsw.Connection:
    """A connection that may write; the tables are there.

    Raises:
        IndexDamaged: it has to be removed first.
        StorageError: the disk does not let us.
    """
    import apsw

    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        connection = apsw.Connection(str(file))
    except (apsw.Error, OSError) as error:
        raise index_error(file, error) from error
    try:
        _prepare(connection)
        file.chmod(0o600)
    except (apsw.Error, OSError) as error:
        connection.close()
        raise index_error(file, error) from error
    return connection


def open_reader(file: Path) -> apsw.Connection:
    """A connection that cannot write. Raises as ``open_index`` does."""
    import apsw

    try:
        connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
        connection.set_busy_timeout(_BUSY_MS)
    except apsw.Error as error:
        raise index_error(file, error) from error
    return connection


def remove_index(file: Path) -> None:
    """Throw the index away.

    Raises:
        StorageError: the disk does not let us.
    """
    try:
        for part in (file, *(file.with_name(file.name + ending) for ending in ("-wal", "-shm"))):
            part.unlink(missing_ok=True)
    except OSError as error:
        raise index_error(file, error) from error


def index_error(file: Path, error: Exception) -> Exception:
    """What an error of SQLite or of the disk means."""
    import apsw

    if isinstance(error, apsw.CorruptError | apsw.NotADBError):
        return IndexDamaged(str(error))
    reason = reason_of(error)
    return StorageError(
        f"{file} could not be used: {reason}",
        file=str(file),
        mend="Free some space or allow writing there; your files are as they were.",
    )


def _prepare(connection: apsw.Connection) -> None:
    connection.set_busy_timeout(_BUSY_MS)
    for name, value in (("journal_mode", "wal"), ("synchronous", "normal"), ("foreign_keys", "on")):
        connection.pragma(name, value)
    found = int(str(connection.pragma("user_version")))
    if found == VERSION:
        return
    if found or connection.execute("SELECT count(*) FROM sqlite_schema").get:
        raise IndexDamaged("another version wrote it")
    with connection:
        connection.execute(_TABLES)
        connection.pragma("user_version", VERSION)


def known_files(connection: apsw.Connection) -> dict[FileKey, Known]:
    """Every file of the index."""
    rows = connection.execute("SELECT root, path, id, kind, mark, digest, title, notes, problem, passages FROM files")
    return {
        FileKey(Path(os.fsdecode(root)), os.fsdecode(path)): Known(
            id_, kind, mark, digest, title, tuple(json.loads(notes)), problem, passages
        )
        for root, path, id_, kind, mark, digest, title, notes, problem, passages in rows
    }


def put_file(connection: apsw.Connection, key: FileKey, entry: Entry) -> None:
    """Put a file into the index, in the place of what is there of it."""
    with connection:
        _drop(connection, key)
        connection.execute(
            "INSERT INTO files(root, path, kind, mark, digest, title, notes, problem, passages)"
            " VALUES(?,?,?,?,?,?,?,?,?)",
            (
                *_blobs(key), entry.kind, entry.mark, entry.digest, entry.title, json.dumps(entry.notes), entry.problem,
                len(entry.passages),
            ),
        )  # fmt: skip
        _put_passages(connection, connection.last_insert_rowid(), key, entry)


def _put_passages(connection: apsw.Connection, file: int, key: FileKey, entry: Entry) -> None:
    first = int(str(connection.execute("SELECT coalesce(max(id), 0) + 1 FROM passages").get))
    connection.executemany(
        "INSERT INTO passages(id, file, number, headings, page, line, text) VALUES(?,?,?,?,?,?,?)",
        (
            (first + number, file, number, json.dumps(each.passage.headings, ensure_ascii=False), each.passage.page,
             each.passage.line, each.passage.text)
            for number, each in enumerate(entry.passages)
        ),
    )  # fmt: skip
    title = index_text(f"{entry.title} {_name_words(key)}")
    connection.executemany(
        "INSERT INTO words(rowid, body, headings, title) VALUES(?,?,?,?)",
        ((first + number, each.words, each.title_words, title) for number, each in enumerate(entry.passages)),
    )


def _name_words(key: FileKey) -> str:
    """The words in the name of a file, and of the folder it lies in."""
    place = Path(os.fsencode(key.path).decode("utf-8", "replace"))
    return f"{place.parent.name} {place.stem}".replace("_", " ").replace("-", " ")


def touch_file(connection: apsw.Connection, key: FileKey, mark: str) -> None:
    """The file is what it was, under another mark."""
    with connection:
        connection.execute("UPDATE files SET mark=? WHERE root=? AND path=?", (mark, *_blobs(key)))


def drop_files(connection: apsw.Connection, keys: Iterable[FileKey]) -> None:
    """Take files out of the index."""
    with connection:
        for key in keys:
            _drop(connection, key)


def _drop(connection: apsw.Connection, key: FileKey) -> None:
    found = connection.execute("SELECT id FROM files WHERE root=? AND path=?", _blobs(key)).get
    if found is None:
        return
    connection.execute("DELETE FROM words WHERE rowid IN (SELECT id FROM passages WHERE file=?)", (found,))
    connection.execute("DELETE FROM files WHERE id=?", (found,))


def _blobs(key: FileKey) -> tuple[bytes, bytes]:
    # As bytes: a file's name need not be text.
    return os.fsencode(key.root), os.fsencode(key.path)
