"""Passages as they are stored: turns of conversations and pieces of documents, in groups whose order is kept.

A row's number says where a passage stands, so that its neighbours are found by counting: the kind, then the group,
then the place within the group. A group is a piece of a conversation without a long pause, or a document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum

import apsw

from companion.memory.naming import naming
from companion.memory.shape import shape_of
from companion.memory.storable import storable
from companion.memory.words import words_of

LONGEST_PASSAGE = 4_000
"""Characters; what is longer is not looked up beyond them."""
MOST_IN_GROUP = 400
"""Passages of a conversation in one group. A document may have ``MOST_OF_DOCUMENT``."""
MOST_OF_DOCUMENT = 4_000
PAUSE_MS = 60 * 60_000
"""A pause after which a conversation goes on in a new group."""
PLACE_BITS = 20
_KIND_SHIFT = 60
_FIRST_PLACE = 16
"""So that what stands before the first passage is no other group's last."""


class Kind(IntEnum):
    """What a passage is from."""

    TURN = 0
    DOCUMENT = 1

    @property
    def rows(self) -> tuple[int, int]:
        """The first and the last number its passages may have."""
        return (self << _KIND_SHIFT, (self + 1 << _KIND_SHIFT) - 1)


@dataclass(frozen=True, slots=True)
class Passage:
    """Something that was said or written."""

    text: str
    at: datetime
    """With its zone."""
    speaker: str = ""
    turn: str = ""
    """What names it where it is from."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A passage with where it stands."""

    row: int
    source: str
    """The session's or the document's name."""
    text: str
    at: datetime
    speaker: str
    turn: str


def stamp(moment: datetime) -> int:
    """Milliseconds since 1970."""
    return round(moment.timestamp() * 1000)


def moment(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)


def append(connection: apsw.Connection, source: str, passages: Sequence[Passage]) -> None:
    """Add turns to the end of a conversation; one whose ``turn`` is there already is passed over."""
    for passage in passages:
        if passage.turn and _has_turn(connection, source, passage.turn):
            continue
        group, place = _open_group(connection, source, stamp(passage.at))
        _insert(connection, group, place, passage)


def replace(connection: apsw.Connection, kind: Kind, source: str, passages: Iterable[Passage]) -> None:
    """Let ``passages`` be all there is of ``source``."""
    remove(connection, kind, source)
    if kind is Kind.TURN:
        append(connection, source, list(passages))
        return
    group = _FIRST_PLACE
    for place, passage in enumerate(passages):
        if place == 0:
            group = _new_group(connection, kind, source, stamp(passage.at))
        if place < MOST_OF_DOCUMENT:
            _insert(connection, group, _FIRST_PLACE + place, passage)


def remove(connection: apsw.Connection, kind: Kind, source: str) -> int:
    """Take away all of ``source``; how many passages."""
    sql = "SELECT id FROM text_groups WHERE kind = ? AND source = ?"
    groups = [int(group) for (group,) in connection.execute(sql, (int(kind), source))]
    rows = [row for group in groups for row in _rows_of(connection, group)]
    remove_rows(connection, rows)
    connection.execute("DELETE FROM text_groups WHERE kind = ? AND source = ?", (int(kind), source))
    return len(rows)


def remove_rows(connection: apsw.Connection, rows: Sequence[int]) -> None:
    """Take passages away, their words with them; what stood beside them stays where it is."""
    connection.executemany("DELETE FROM text_words WHERE rowid = ?", [(row,) for row in rows])
    take = (
        "UPDATE text_groups SET words = words - (SELECT words FROM text_passages WHERE id = ?1), "
        "passages = passages - 1 WHERE id = ?1 >> 20"
    )
    connection.executemany(take, [(row,) for row in rows])
    spoken = "UPDATE text_speakers SET turns = turns - 1 WHERE name = (SELECT speaker FROM text_passages WHERE id = ?)"
    connection.executemany(spoken, [(row,) for row in rows])
    connection.execute("DELETE FROM text_speakers WHERE turns <= 0")
    connection.executemany("DELETE FROM text_passages WHERE id = ?", [(row,) for row in rows])


def holding(connection: apsw.Connection, kind: Kind, name: str) -> list[tuple[int, str]]:
    """The passages that have every word of ``name``, each with its source; nothing for a name without words."""
    words = dict.fromkeys(words_of(name))
    if not words:
        return []
    sql = (
        "SELECT w.rowid, g.source FROM text_words w JOIN text_groups g ON g.id = w.rowid >> 20 "
        "WHERE w.text_words MATCH ? AND w.rowid BETWEEN ? AND ?"
    )
    match = " AND ".join(quoted(word) for word in words)
    return [(int(row), str(source)) for row, source in connection.execute(sql, (match, *kind.rows))]


def naming_rows(connection: apsw.Connection, name: str, answers: str) -> list[int]:
    """The turns that name somebody, both sides of each; all of them for an empty name."""
    if not name:
        return [int(row) for (row,) in connection.execute(_ROWS, Kind.TURN.rows)]
    names = naming(name)
    near = [row for row, _ in holding(connection, Kind.TURN, name)]
    if not near:  # a name that is a word of every sentence, as "Will", is in no index
        sql = "SELECT id FROM text_passages WHERE text LIKE '%' || ? || '%' AND id BETWEEN ? AND ?"
        near = [int(row) for (row,) in connection.execute(sql, (storable(name), *Kind.TURN.rows))]
    said = [one for one in stored(connection, near) if names(one.text)]
    named = {(one.source, one.turn.removesuffix(answers)): one.row for one in said}
    sides = [(source, f"{turn}{side}") for source, turn in named for side in ("", answers) if turn]
    rows = dict.fromkeys(row for source, turn in sides for row in rows_of_turn(connection, source, turn))
    return list(rows | dict.fromkeys(named.values()))


_ROWS = "SELECT id FROM text_passages WHERE id BETWEEN ? AND ?"


def quoted(word: str) -> str:
    """A word as FTS5 is asked for it."""
    return '"' + word.replace('"', '""') + '"'


def leave_nothing(connection: apsw.Connection) -> None:
    """Write the words anew, without those of passages that were taken away."""
    connection.execute("INSERT INTO text_words(text_words) VALUES('optimize')").fetchall()


def rows_of_turn(connection: apsw.Connection, source: str, turn: str) -> list[int]:
    """The passages of one turn."""
    # The index holds only what has a name, and is used only where that is said.
    sql = (
        "SELECT id FROM text_passages WHERE turn = ?2 AND turn <> '' AND EXISTS "
        "(SELECT 1 FROM text_groups g WHERE g.id = text_passages.id >> 20 AND g.kind = 0 AND g.source = ?1)"
    )
    return [int(row) for (row,) in connection.execute(sql, (source, turn))]


def stored(connection: apsw.Connection, rows: Iterable[int]) -> Iterator[Stored]:
    """The passages of those numbers that there are, in the order given."""
    sql = (
        "SELECT p.id, g.source, p.text, p.at, p.speaker, p.turn FROM text_passages p "
        "JOIN text_groups g ON g.id = p.id >> 20 WHERE p.id = ?"
    )
    for row in rows:
        for number, source, text, at, speaker, turn in connection.execute(sql, (int(row),)):
            yield Stored(number, source, text, moment(at), speaker, turn)


def speakers(connection: apsw.Connection, most: int) -> list[str]:
    """Who has spoken, those who spoke most first."""
    sql = "SELECT name FROM text_speakers ORDER BY turns DESC LIMIT ?"
    return [str(name) for (name,) in connection.execute(sql, (most,))]


def _has_turn(connection: apsw.Connection, source: str, turn: str) -> bool:
    return bool(rows_of_turn(connection, source, turn))


def _rows_of(connection: apsw.Connection, group: int) -> list[int]:
    first, last = group << PLACE_BITS, (group + 1 << PLACE_BITS) - 1
    sql = "SELECT id FROM text_passages WHERE id BETWEEN ? AND ?"
    return [int(row) for (row,) in connection.execute(sql, (first, last))]


def _open_group(connection: apsw.Connection, source: str, at: int) -> tuple[int, int]:
    """Where the next passage of a conversation goes: its group and its place."""
    newest = connection.execute(
        "SELECT id, last_at, next_place FROM text_groups WHERE kind = 0 AND source = ? ORDER BY id DESC LIMIT 1",
        (source,),
    ).fetchone()
    if newest is not None:
        group, last_at, place = newest
        if 0 <= at - last_at <= PAUSE_MS and place < _FIRST_PLACE + MOST_IN_GROUP:
            return group, place
    return _new_group(connection, Kind.TURN, source, at), _FIRST_PLACE


def _new_group(connection: apsw.Connection, kind: Kind, source: str, at: int) -> int:
    first, last = (row >> PLACE_BITS for row in kind.rows)
    newest = connection.execute("SELECT max(id) FROM text_groups WHERE id BETWEEN ? AND ?", (first, last)).fetchone()
    group = first + 1 if newest is None or newest[0] is None else int(newest[0]) + 1
    sql = "INSERT INTO text_groups VALUES(?, ?, ?, ?, ?, 0, 0, ?)"
    connection.execute(sql, (group, int(kind), source, at, at, _FIRST_PLACE))
    return group


def _insert(connection: apsw.Connection, group: int, place: int, passage: Passage) -> None:
    text = storable(passage.text)[:LONGEST_PASSAGE]
    words, at = words_of(text), stamp(passage.at)
    row = group << PLACE_BITS | place
    connection.execute(
        "INSERT INTO text_passages VALUES(?, ?, ?, ?, ?, ?, ?)",
        (row, at, storable(passage.speaker), passage.turn, len(words), shape_of(text).packed(), text),
    )
    connection.execute("INSERT INTO text_words(rowid, words) VALUES(?, ?)", (row, " ".join(words)))
    connection.execute(
        "UPDATE text_groups SET first_at = min(first_at, ?2), last_at = max(last_at, ?2), words = words + ?3, "
        "passages = passages + 1, next_place = ?4 WHERE id = ?1",
        (group, at, len(words), place + 1),
    )
    if passage.speaker:
        connection.execute(
            "INSERT INTO text_speakers VALUES(?, 1) ON CONFLICT(name) DO UPDATE SET turns = turns + 1",
            (storable(passage.speaker),),
        )
