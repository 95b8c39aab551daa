"""What a person sees of the graph at one look: whoever is around somebody, what ties them, and since when.

What holds no more is seen too, with its end; what was forgotten is not.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import apsw

from companion.memory.facts import CONCEPT, Fact
from companion.memory.graph.kinds import Kind, kind_of
from companion.memory.graph.names import WORD, has_chinese, key_of, number_of, words_of
from companion.memory.graph.rows import FACT, fact, numbers

MOST_NODES = 5_000
MOST_TIES = 20_000
_AROUND = 300
"""Facts of one entity, at each end, that lead to others."""
_MOST_NAMES = 50
_MOST_BEGINNING = 2_000
MOST_LISTED = 500


class Seen(NamedTuple):
    """Somebody or something."""

    id: int
    name: str
    kind: Kind
    mentions: int


class Tie(NamedTuple):
    """A fact, as it is drawn. Times are milliseconds since 1970; None where none is told."""

    fact: int
    source: int
    target: int
    relation: str
    confidence: float
    said_at: int
    valid_from: int | None
    valid_until: int | None
    is_pinned: bool


class Sight(NamedTuple):
    """A look at the graph. total: everybody there is anything known of."""

    centre: int | None
    nodes: tuple[Seen, ...]
    ties: tuple[Tie, ...]
    total: int


class Month(NamedTuple):
    """How many facts were said in a month, as "2026-03", and the first day of it on which one was."""

    month: str
    facts: int
    first: str


def look(connection: apsw.Connection, name: str, most: int) -> Sight:
    """Whoever is nearest to ``name``, at most so many; the most mentioned where it is empty.

    Raises:
        UnknownEntity: nothing is known under that name.
    """
    most = max(1, min(most, MOST_NODES))
    centre = _centre(connection, name)
    total = int(connection.execute(_COUNT).get)
    found = _nearest(connection, centre, most) if centre is not None else []
    if len(found) < most and not name.strip():
        found += _most_mentioned(connection, most, set(found))
    ties = _ties(connection, found)
    to: dict[int, set[str]] = {}
    of: dict[int, set[str]] = {}
    for tie in ties:
        to.setdefault(tie.target, set()).add(tie.relation)
        of.setdefault(tie.source, set()).add(tie.relation)
    nodes = [_node(connection, number, to.get(number, set()), of.get(number, set())) for number in found]
    return Sight(centre, tuple(nodes), ties, total)


def _centre(connection: apsw.Connection, name: str) -> int | None:
    if name.strip():
        return number_of(connection, name)
    return next(iter(_most_mentioned(connection, 1, set())), None)


def _nearest(connection: apsw.Connection, centre: int, most: int) -> list[int]:
    """The entities around one, a step further each round, until there are so many or no more."""
    found = dict.fromkeys([centre])
    level = [centre]
    while level and len(found) < most:
        level = [other for number in level for other in _others(connection, number)]
        level = [other for other in dict.fromkeys(level) if other not in found][: most - len(found)]
        found |= dict.fromkeys(level)
    return list(found)


def _others(connection: apsw.Connection, number: int) -> list[int]:
    ends: list[int] = []
    for own, other in (("source_id", "target_id"), ("target_id", "source_id")):
        sql = f"""
            SELECT {other} FROM relations WHERE {own} = ? AND status <> 'deleted'
            ORDER BY status = 'active' DESC, said_at DESC LIMIT ?
        """  # noqa: S608 - our own words
        ends += numbers(connection.execute(sql, (number, _AROUND)))
    return ends


_IS_KNOWN = """
    (EXISTS(SELECT 1 FROM relations WHERE source_id = e.id AND status <> 'deleted')
    OR EXISTS(SELECT 1 FROM relations WHERE target_id = e.id AND status <> 'deleted'))
"""


_COUNT = f"SELECT count(*) FROM entities e WHERE {_IS_KNOWN}"  # noqa: S608 - our own words


def _most_mentioned(connection: apsw.Connection, most: int, besides: set[int]) -> list[int]:
    sql = f"SELECT id FROM entities e WHERE {_IS_KNOWN} ORDER BY mention_count DESC, id LIMIT ?"  # noqa: S608
    found = numbers(connection.execute(sql, (most,)))
    return [number for number in found if number not in besides][: most - len(besides)]


def _ties(connection: apsw.Connection, nodes: Sequence[int]) -> tuple[Tie, ...]:
    sql = """
        WITH shown(id) AS MATERIALIZED (SELECT value FROM json_each(?1))
        SELECT r.id, source_id, target_id, relation_type, confidence, said_at, valid_from, valid_until, pinned
        FROM shown CROSS JOIN relations r ON r.source_id = shown.id
        WHERE status <> 'deleted' AND target_id IN (SELECT id FROM shown)
        ORDER BY status = 'active' DESC, said_at DESC LIMIT ?2
    """
    rows = connection.execute(sql, (json.dumps(nodes), MOST_TIES))
    return tuple(_tie(row) for row in rows)


def _tie(row: tuple[Any, ...]) -> Tie:
    return Tie._make((*row[:8], bool(row[8])))


def _node(connection: apsw.Connection, number: int, to: set[str], of: set[str]) -> Seen:
    sql = "SELECT name, type, mention_count FROM entities WHERE id = ?"
    name, kind, mentions = connection.execute(sql, (number,)).get
    return Seen(number, name, kind_of(kind or CONCEPT, to, of, name=name), mentions)


def months(connection: apsw.Connection) -> list[Month]:
    """How many facts were said in each month that has any, oldest first."""
    sql = """
        SELECT substr(date_bucket, 1, 7) AS month, count(*), min(date_bucket) FROM relations WHERE status <> 'deleted'
        GROUP BY month ORDER BY month
    """
    return [Month(str(month), int(str(facts)), str(first)) for month, facts, first in connection.execute(sql)]


def names_beginning(connection: apsw.Connection, typed: str, most: int) -> list[str]:
    """The names that have a word beginning as what was typed, or hold it where it is Chinese; the most mentioned first.

    With nothing typed the most mentioned.
    """
    most = max(1, min(most, _MOST_NAMES))
    words = words_of(key_of(typed))
    if not words:
        rows = connection.execute("SELECT name FROM entities ORDER BY mention_count DESC, id LIMIT ?", (most,))
        return [str(name) for (name,) in rows]
    key, part = key_of(typed), WORD + words[-1]
    begins = "e.id IN (SELECT entity_id FROM name_parts WHERE part >= ?2 AND part < ?3 LIMIT ?4)"
    # A Chinese name has no words to begin with.
    found = "?2 < ?3 AND ?4" if has_chinese(key) else begins
    sql = f"""
        SELECT e.name FROM entities e WHERE {found} AND {_IS_KNOWN} AND (
            instr(e.key, ?1) OR EXISTS(SELECT 1 FROM aliases WHERE entity_id = e.id AND instr(key, ?1))
        ) ORDER BY mention_count DESC, e.id LIMIT ?5
    """  # noqa: S608 - our own words
    given = (key, part, f"{part}\U0010ffff", _MOST_BEGINNING, most)
    return [str(name) for (name,) in connection.execute(sql, given)]


def listed(connection: apsw.Connection, typed: str, *, offset: int, limit: int, ended: bool) -> tuple[list[Fact], int]:
    """Facts of whose names one holds what was typed, newest first, from ``offset`` on; and how many there are in all.

    ended: with those that hold no more.
    """
    wanted = "r.status <> 'deleted'" if ended else "r.status = 'active'"
    condition = f"{wanted} AND (?1 = '' OR instr(s.key, ?1) OR instr(t.key, ?1))"
    key = key_of(typed)
    sql = f"{FACT} WHERE {condition} ORDER BY r.said_at DESC, r.id DESC LIMIT ?2 OFFSET ?3"
    facts = [fact(row) for row in connection.execute(sql, (key, max(1, min(limit, MOST_LISTED)), max(0, offset)))]
    counting = f"""
        SELECT count(*) FROM relations r JOIN entities s ON s.id = r.source_id JOIN entities t ON t.id = r.target_id
        WHERE {condition}
    """  # noqa: S608 - our own words
    return facts, int(connection.execute(counting, (key,)).get)
