"""Writing facts down: triples in, rows out, and what they end.

A relation that holds one thing at a time has its older facts ended when a newer one comes, by when they began: by
what was told, else by when it was said. So a text that is read late changes nothing that is newer than itself. A fact
that is doubtful ends none that is sure, and one that somebody else said ends none of the user's own: beside that it is
doubtful itself. What seems to have been said later than now was said before the clock was put back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

import apsw

from companion.errors import FactRefused
from companion.memory.facts import (
    CONCEPT,
    LONGEST_NAME,
    MOST_AT_ONCE,
    USER,
    Committed,
    Fact,
    Provenance,
    Refusal,
    Status,
    Triple,
)
from companion.memory.graph.names import clean, find, index_name, key_of
from companion.memory.graph.rows import facts_by_id, maybe_stamp, stamp
from companion.memory.predicates import LONGEST_RELATION, predicate, relation_name
from companion.memory.secrecy import why_secret
from companion.memory.storable import storable

MOST_FACTS = 5_000_000
_LONGEST_SOURCE = 200
"""Characters of who said it, of a session and of a turn."""
_SURE = 0.5
_DOUBTFUL = 0.4
_A_MONTH = 31 * 24 * 60 * 60_000
"""Milliseconds."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A triple on its way into the file."""

    subject: int
    relation: str
    object: int
    confidence: float
    start: int
    until: int | None
    told_start: int | None


class _Counting(NamedTuple):
    """A fact that counts."""

    id: int
    object: int
    start: int
    end: int
    """Far off where none was told."""
    confidence: float
    is_users: int
    is_as_said: int
    """Whether it counts from when it was said."""


def cleaned(triple: Triple) -> Triple | None:
    """The triple as it would be stored; None where a part of it is empty."""
    subject, relation, thing = clean(triple.subject), relation_name(clean(triple.relation)), clean(triple.object)
    if not (key_of(subject) and relation and key_of(thing)):
        return None
    sure = triple.confidence
    return replace(
        triple,
        subject=subject,
        relation=relation,
        object=thing,
        subject_type=clean(triple.subject_type)[:LONGEST_RELATION] or CONCEPT,
        object_type=clean(triple.object_type)[:LONGEST_RELATION] or CONCEPT,
        confidence=sure if 0 < sure <= 1 else 1.0,
    )


def why_refused(triple: Triple) -> str:
    """Why a cleaned triple is not stored; empty where it is."""
    if max(len(triple.subject), len(triple.object)) > LONGEST_NAME:
        return f"a name is longer than {LONGEST_NAME} characters"
    if len(triple.relation) > LONGEST_RELATION:
        return f"a relation is longer than {LONGEST_RELATION} characters"
    if key_of(triple.subject) == key_of(triple.object):
        return "it ties something to itself"
    if triple.valid_from and triple.valid_until and triple.valid_until < triple.valid_from:
        return "it ends before it begins"
    return why_secret(triple.subject, triple.relation, triple.object)


def check(triples: Sequence[Triple], provenance: Provenance) -> None:
    """Whether this many may come at once, and whether it is said where they are from.

    Raises:
        FactRefused: no; nothing of it is stored.
    """
    if len(triples) > MOST_AT_ONCE:
        raise FactRefused(f"{len(triples)} facts at once are more than {MOST_AT_ONCE}", mend="Store them in parts.")
    told = (provenance.said_by, provenance.session, provenance.turn)
    if not provenance.said_by or max(map(len, told)) > _LONGEST_SOURCE:
        raise FactRefused("a fact needs to say in a few words who said it", mend="Name whoever said it.")
    times = [provenance.at, *(at for triple in triples for at in (triple.valid_from, triple.valid_until) if at)]
    if any(at.tzinfo is None for at in times):
        raise FactRefused("a time of a fact has no zone", mend="Give times with their zone.")


def commit(connection: apsw.Connection, triples: Sequence[Triple], source: Provenance, now: datetime) -> Committed:
    """Store what can be stored; the rest is in ``refused``."""
    writing = _Writing(connection, source, stamp(now))
    refused = []
    for place, triple in enumerate(triples):
        fresh = cleaned(triple)
        if fresh is None:
            continue
        if why := why_refused(fresh):
            refused.append(Refusal(place, why))
        else:
            writing.take(fresh)
    return Committed(writing.entities, len(writing.added), tuple(writing.ended), tuple(refused), tuple(writing.added))


class _Writing:
    """One commit."""

    def __init__(self, connection: apsw.Connection, source: Provenance, now: int) -> None:
        self._connection = connection
        said_by, session, turn = map(storable, (source.said_by, source.session, source.turn))
        self._source = replace(source, said_by=said_by, session=session, turn=turn)
        self._at = stamp(source.at)
        self._now = max(now, self._at)
        self.entities = 0
        self.added: list[int] = []
        self.ended: list[Fact] = []

    def take(self, triple: Triple) -> None:
        if triple.ends:
            self._end(triple)
            return
        subject, thing = find(self._connection, triple.subject), find(self._connection, triple.object)
        if subject is not None and subject == thing:
            return  # by its aliases it ties something to itself
        if subject is not None and thing is not None and self._is_settled(subject, triple.relation, thing):
            return
        row = _Row(
            subject=self._mention(subject, triple.subject, triple.subject_type),
            relation=triple.relation,
            object=self._mention(thing, triple.object, triple.object_type),
            confidence=triple.confidence,
            start=self._at if triple.valid_from is None else stamp(triple.valid_from),
            until=maybe_stamp(triple.valid_until),
            told_start=maybe_stamp(triple.valid_from),
        )
        if not self._is_known(row):
            self._add(row)

    def _is_settled(self, subject: int, relation: str, thing: int) -> bool:
        """Whether this very turn was stored before, or the fact was forgotten since it was said."""
        sql = """
            SELECT 1 FROM relations WHERE source_id = ? AND relation_type = ? AND target_id = ? AND (
                (session_id = ? AND turn_id = ? AND turn_id <> '' AND said_at = ?)
                OR (status = 'deleted' AND updated_at > ? AND updated_at <= ?)
            ) LIMIT 1
        """
        source = self._source
        given = (subject, relation, thing, source.session, source.turn, self._at, self._at, self._now)
        return self._has(sql, given)

    def _is_known(self, row: _Row) -> bool:
        """Whether this session has said so already, of the same time, and it still holds."""
        sql = """
            SELECT 1 FROM relations
            WHERE source_id = ?1 AND relation_type = ?2 AND target_id = ?3 AND session_id = ?4 AND status = 'active'
                AND (valid_from IS NULL OR ?5 IS NULL OR valid_from = ?5)
            LIMIT 1
        """
        given = (row.subject, row.relation, row.object, self._source.session, row.told_start)
        return self._has(sql, given)

    def _has(self, sql: str, given: tuple[object, ...]) -> bool:
        return self._connection.execute(sql, given).fetchone() is not None

    def _mention(self, number: int | None, name: str, kind: str) -> int:
        self.entities += 1
        if number is None:
            key = key_of(name)
            sql = "INSERT INTO entities(name, key, type, created_at, updated_at) VALUES(?, ?, ?, ?, ?)"
            self._connection.execute(sql, (name, key, kind, self._now, self._now))
            number = self._connection.last_insert_rowid()
            index_name(self._connection, key, number)
            return number
        sql = """
            UPDATE entities SET mention_count = mention_count + 1, updated_at = ?,
                type = CASE WHEN type = 'Concept' THEN ? ELSE type END
            WHERE id = ?
        """
        self._connection.execute(sql, (self._now, kind, number))
        return number

    def _add(self, row: _Row) -> None:
        if not self._is_users and self._denied(row):
            row = replace(row, confidence=min(row.confidence, _DOUBTFUL))
        number = self._insert(row)
        self.added.append(number)
        if row.until is None or row.until > self._now:
            self._settle(number, row)

    def _insert(self, row: _Row) -> int:
        is_past = row.until is not None and row.until <= self._now
        source = self._source
        self._connection.execute(
            """
            INSERT INTO relations(source_id, target_id, relation_type, confidence, status, said_by, session_id, turn_id,
                said_at, date_bucket, valid_from, valid_until, created_at, updated_at)
            VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            (
                *(row.subject, row.object, row.relation, row.confidence),
                (Status.SUPERSEDED if is_past else Status.ACTIVE).value,
                *(source.said_by, source.session, source.turn, self._at, source.at.date().isoformat()),
                *(row.told_start, row.until, self._now, self._now),
            ),
        )
        return self._connection.last_insert_rowid()

    @property
    def _is_users(self) -> bool:
        return self._source.said_by == USER

    def _denied(self, row: _Row) -> bool:
        """Whether the user has said something that this cannot be true beside."""
        return any(other.is_users for other in self._others(row))

    def _others(self, row: _Row) -> list[_Counting]:
        """What counts and cannot be true beside a fact."""
        known = predicate(row.relation)
        others = self._active(row.subject, row.relation) if known.is_single else []
        others = [other for other in others if other.object != row.object]
        if known.opposite:
            others += self._active(row.subject, known.opposite, row.object)
        return others

    def _settle(self, number: int, row: _Row) -> None:
        """Have one thing hold at a time, and nothing beside its opposite."""
        others = self._may_end(self._others(row), row.confidence)
        ended = self._end_rows((other for other in others if other.start <= row.start), row.start, number)
        if ended and row.told_start is None:
            self._connection.execute("UPDATE relations SET valid_from = ? WHERE id = ?", (row.start, number))
        for other in others:
            if self._is_overtaken(other, row):
                self._end_rows([other], other.start, number)
        later = (other for other in others if other.start > row.start and not self._is_overtaken(other, row))
        newer = min(later, key=lambda one: one.start, default=None)
        if newer is not None and (row.until is None or newer.start < row.until):
            self._close(number, newer.start, by=newer.id)

    def _is_overtaken(self, other: _Counting, row: _Row) -> bool:
        """Whether it was said without a time before this, which began a little earlier: "I live in Paris", and then "I
        moved to Lyon last week". What began long before is how things were.
        """
        is_before = row.start < other.start <= min(self._at, row.start + _A_MONTH)
        return is_before and bool(other.is_as_said) and row.until is None

    def _active(self, subject: int, relation: str, thing: int | None = None) -> list[_Counting]:
        sql = """
            SELECT id, target_id,
                CASE WHEN said_at > ?4 AND coalesce(valid_from, said_at) = said_at THEN min(said_at, ?5)
                    ELSE coalesce(valid_from, said_at) END,
                coalesce(valid_until, 1 << 60), confidence, said_by = ?6, coalesce(valid_from, said_at) = said_at
            FROM relations
            WHERE source_id = ?1 AND relation_type = ?2 AND (?3 IS NULL OR target_id = ?3) AND status = 'active'
        """
        given = (subject, relation, thing, self._now, self._at, USER)
        return [_Counting._make(row) for row in self._connection.execute(sql, given)]

    def _may_end(self, rows: Iterable[_Counting], confidence: float) -> list[_Counting]:
        """What this speaker may end with a fact of that confidence."""
        surer = [row for row in rows if self._is_users or not row.is_users]
        return [row for row in surer if confidence >= _SURE or row.confidence < _SURE]

    def _end_rows(self, rows: Iterable[_Counting], at: int, by: int | None) -> int:
        going = [row for row in rows if row.start <= at < row.end]
        self.ended += facts_by_id(self._connection, (row.id for row in going))
        for row in going:
            self._close(row.id, at, by=by)
        return len(going)

    def _close(self, number: int, at: int, *, by: int | None) -> None:
        status = Status.SUPERSEDED if at <= self._now else Status.ACTIVE
        sql = "UPDATE relations SET valid_until = ?, status = ?, superseded_by = ?, updated_at = ? WHERE id = ?"
        self._connection.execute(sql, (at, status.value, by, self._now, number))

    def _end(self, triple: Triple) -> None:
        subject, thing = find(self._connection, triple.subject), find(self._connection, triple.object)
        if subject is not None and thing is not None:
            at = self._at if triple.valid_until is None else stamp(triple.valid_until)
            rows = self._may_end(self._active(subject, triple.relation, thing), triple.confidence)
            self._end_rows(rows, at, None)
            self._call_off([row.id for row in rows if row.start > at])

    def _call_off(self, facts: Sequence[int]) -> None:
        """What was to begin later and is ended before never holds: an appointment that has another day now."""
        self.ended += facts_by_id(self._connection, facts)
        goes_on = """
            UPDATE relations SET valid_until = NULL, superseded_by = NULL, updated_at = ?1
            WHERE superseded_by = ?2 AND status = 'active'
                AND source_id = (SELECT source_id FROM relations WHERE id = ?2)
                AND valid_until = (SELECT coalesce(valid_from, said_at) FROM relations WHERE id = ?2)
        """
        for number in facts:
            # What it would have ended goes on.
            self._connection.execute(goes_on, (self._now, number))
            sql = """
                UPDATE relations SET valid_until = coalesce(valid_from, said_at), status = ?, updated_at = ?
                WHERE id = ?
            """
            self._connection.execute(sql, (Status.SUPERSEDED.value, self._now, number))
