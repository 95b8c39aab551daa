"""Between rows of ``memory.db`` and what travels: facts, entities, times."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import apsw

from companion.memory.facts import Entity, Fact, Status

_START = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_TOGETHER = 500

FACT = """
    SELECT r.id, s.name, r.relation_type, t.name, r.said_by, r.said_at, r.session_id, r.turn_id, r.confidence,
           r.valid_from, r.valid_until, r.status, r.pinned
    FROM relations r JOIN entities s ON s.id = r.source_id JOIN entities t ON t.id = r.target_id
"""
"""Begins every query whose rows ``fact`` reads."""


def stamp(moment: datetime) -> int:
    """Milliseconds since 1970 of a time with its zone."""
    return (moment - _START) // _MILLISECOND


def moment(milliseconds: int) -> datetime:
    """In UTC."""
    return _START + milliseconds * _MILLISECOND


def maybe_stamp(given: datetime | None) -> int | None:
    return None if given is None else stamp(given)


def _maybe_moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else moment(milliseconds)


def fact(row: tuple[Any, ...]) -> Fact:
    """The fact in a row of ``FACT``."""
    return Fact(
        id=row[0],
        subject=row[1],
        relation=row[2],
        object=row[3],
        said_by=row[4],
        at=moment(row[5]),
        session=row[6],
        turn=row[7],
        confidence=row[8],
        valid_from=_maybe_moment(row[9]),
        valid_until=_maybe_moment(row[10]),
        status=Status(row[11]),
        pinned=bool(row[12]),
    )


def numbers(rows: Iterable[Any]) -> list[int]:
    """The ids in rows of one column."""
    return [int(number) for (number,) in rows]


def facts_by_id(connection: apsw.Connection, ids: Iterable[int]) -> list[Fact]:
    """The facts that are there, in the order of ``ids``."""
    wanted = list(dict.fromkeys(ids))
    found: dict[int, Fact] = {}
    for start in range(0, len(wanted), _TOGETHER):
        some = wanted[start : start + _TOGETHER]
        sql = f"{FACT} WHERE r.id IN ({','.join('?' * len(some))})"
        found |= {row[0]: fact(row) for row in connection.execute(sql, some)}
    return [found[one] for one in wanted if one in found]


def entity(connection: apsw.Connection, number: int) -> Entity | None:
    """The entity of that id, with its aliases."""
    for name, kind, mentions in connection.execute(
        "SELECT name, type, mention_count FROM entities WHERE id = ?", (number,)
    ):
        aliases = connection.execute("SELECT name FROM aliases WHERE entity_id = ? ORDER BY key", (number,))
        return Entity(number, name, kind, mentions, tuple(str(alias) for (alias,) in aliases))
    return None
