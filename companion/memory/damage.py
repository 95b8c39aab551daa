"""Whether a database is what was written to it, and indexes that are built anew when only they are wrong."""

from __future__ import annotations

import re

import apsw

_MOST = 20
"""Lines that are told of one file."""
_OF_AN_INDEX = re.compile(
    r"row \d+ missing from index|wrong # of entries in index|non-unique entry in index"
    r"|inverted index for FTS5 table|values differ from index"
)


def look_for_damage(connection: apsw.Connection, *, whole: bool) -> tuple[str, ...]:
    """What is wrong, one line each. ``whole`` compares the indexes with their tables too, and takes longer.

    Raises:
        apsw.Error: the disk refused; damage is no error here.
    """
    check = "PRAGMA integrity_check" if whole else "PRAGMA quick_check"
    try:
        told = [str(line) for (line,) in connection.execute(f"{check}({_MOST})")]
    except (apsw.CorruptError, apsw.NotADBError) as error:
        return (str(error),)
    return () if told == ["ok"] else tuple(told)


def mend_indexes(connection: apsw.Connection, wrong: tuple[str, ...]) -> bool:
    """Build every index anew if nothing else is ``wrong``; whether all is well then."""
    if not all(_OF_AN_INDEX.search(line) for line in wrong):
        return False
    try:
        for name in _text_indexes(connection, wrong):
            connection.execute(f'INSERT INTO "{name}"("{name}") VALUES(\'rebuild\')')
        connection.execute("REINDEX")
    except apsw.Error:
        return False
    return not look_for_damage(connection, whole=True)


def _text_indexes(connection: apsw.Connection, wrong: tuple[str, ...]) -> list[str]:
    """Those that are told of; some have no content of their own to be built from."""
    found = connection.execute("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%'")
    return [str(name) for (name,) in found if any(str(name) in line for line in wrong)]
