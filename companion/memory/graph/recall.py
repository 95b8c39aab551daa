"""Recalling facts within a turn: entities first, then their facts, each step bounded.

Of an entity come: the facts it shares with others that were asked about, those whose relation was asked for, and its
newest. From what those lead to, facts come again, ``depth`` levels in all, worth half as much a level. So what is
known of somebody with a hundred thousand facts is found as fast as of somebody with ten.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

import apsw

from companion.memory.facts import Fact, Found, Hit
from companion.memory.graph.lookup import entities_for, keywords_in
from companion.memory.graph.names import has_chinese, pieces
from companion.memory.graph.rows import FACT, entity, fact, facts_by_id, numbers, stamp
from companion.memory.predicates import predicate, relations_asked_by

MOST_SEEDS = 8
MOST_DEPTH = 4
MOST_HITS = 100
MOST_ENTITIES = 50
NEWEST = 30
_WIDE = (24, 8, 4, 2)
"""Facts of one entity at each end, by the level."""
_FRONTIER = (MOST_SEEDS, 16, 8, 8)
"""Entities of a level."""
_SCANNED = 200
"""Facts that are looked at to find those between two."""
_ASKED = 3.0
"""What it counts that the relation was asked for."""
_BETWEEN = 2.0
_PINNED = 0.5
_LONGEST_CUE = 4
"""Characters of a Chinese word that asks for a relation."""
_HALF_LIFE_DAYS = 365.0


class _Row(NamedTuple):
    id: int
    source: int
    relation: str
    target: int
    confidence: float
    said_at: int
    pinned: int
    start: int


_COLUMNS = """
    SELECT id, source_id, relation_type, target_id, confidence, said_at, pinned, coalesce(valid_from, said_at)
    FROM relations
"""
_COUNTS = "status = 'active' AND (valid_until IS NULL OR valid_until > ?2)"
_LIVES = """
    EXISTS(SELECT 1 FROM relations WHERE source_id = e.id AND status <> 'deleted')
    OR EXISTS(SELECT 1 FROM relations WHERE target_id = e.id AND status <> 'deleted')
"""
"""Of an entity ``e``: it was not forgotten."""


@dataclass(slots=True)
class _Recalling:
    """One recall."""

    connection: apsw.Connection
    now: int
    asked: frozenset[str]
    """Relations the question asks for."""
    words: frozenset[str]
    hits: dict[int, tuple[float, int, str, _Row]] = field(default_factory=dict)
    """Score, distance, reason and row by the id of a fact."""

    def of(self, number: int, wide: int) -> list[_Row]:
        """The newest facts at both ends of an entity."""
        by = f"{_COLUMNS} WHERE source_id = ?1 AND {_COUNTS} ORDER BY said_at DESC LIMIT ?3"
        to = f"{_COLUMNS} WHERE target_id = ?1 AND {_COUNTS} ORDER BY said_at DESC LIMIT ?3"
        return [*self.rows(by, number, wide), *self.rows(to, number, wide)]

    def asked_of(self, number: int) -> list[_Row]:
        """The facts of an entity whose relation was asked for."""
        sql = f"{_COLUMNS} WHERE source_id = ?1 AND relation_type = ?4 AND {_COUNTS} ORDER BY said_at DESC LIMIT ?3"
        return [row for relation in sorted(self.asked) for row in self.rows(sql, number, _WIDE[0], relation)]

    def between(self, number: int, others: Iterable[int]) -> list[_Row]:
        """The facts of which an entity is the object and one of ``others`` the subject, among its newest."""
        sql = f"{_COLUMNS} WHERE target_id = ?1 AND {_COUNTS} ORDER BY said_at DESC LIMIT ?3"
        wanted = set(others)
        return [row for row in self.rows(sql, number, _SCANNED) if row.source in wanted]

    def rows(self, sql: str, number: int, most: int, *more: object) -> list[_Row]:
        return [_Row._make(row) for row in self.connection.execute(sql, (number, self.now, most, *more))]

    def add(self, row: _Row, score: float, distance: int, reason: str) -> None:
        known = self.hits.get(row.id)
        if known is None or known[0] < score:
            self.hits[row.id] = (score, distance, reason, row)

    def drop_what_is_to_come(self) -> None:
        """What holds only from later on is no answer to how things are now; what is planned for then is."""
        going = [
            number
            for number, hit in self.hits.items()
            if hit[3].start > max(self.now, hit[3].said_at) and predicate(hit[3].relation).is_single
        ]
        for number in going:
            del self.hits[number]

    def worth(self, row: _Row) -> float:
        """What a fact counts by itself: sure, asked for, pinned, and newer rather than older."""
        days = max(0, self.now - row.said_at) / 86_400_000
        fits = row.relation in self.asked or bool(self.words.intersection(row.relation.split("_")))
        newness: float = 0.5 ** (days / _HALF_LIFE_DAYS)
        return row.confidence * (1 + _ASKED * fits + _PINNED * row.pinned) + 0.2 * newness


def recall(
    connection: apsw.Connection,
    *,
    keywords: Sequence[str],
    seeds: Sequence[str],
    depth: int,
    limit: int,
    now: datetime,
) -> Found:
    """What is known about a question; with neither keywords nor seeds the most mentioned and the newest."""
    if not any(map(str.strip, (*keywords, *seeds))):
        return overview(connection, limit=NEWEST, now=now)
    words = keywords_in(keywords)
    asked = frozenset(relation for word in words for relation in _asked_by(word))
    going = _Recalling(connection, stamp(now), asked, frozenset(words))
    level = entities_for(connection, keywords, seeds, MOST_SEEDS)
    starts = dict(level)
    seen = set(level)
    for distance in range(max(1, min(depth, MOST_DEPTH))):
        _gather(going, level, distance)
        level = _next_level(going, level, seen, distance)
        if not level:
            break
        seen |= level.keys()
    going.drop_what_is_to_come()
    living = _living(connection, starts, going.hits.values())
    found = [one for number in starts if number in living and (one := entity(connection, number)) is not None]
    return Found(tuple(found), tuple(_best(going, min(max(limit, 1), MOST_HITS))))


def overview(connection: apsw.Connection, *, limit: int, now: datetime) -> Found:
    """The entities that are mentioned most, and the newest facts."""
    sql = f"SELECT id FROM entities e WHERE {_LIVES} ORDER BY mention_count DESC, id LIMIT ?"  # noqa: S608 - our words
    top = connection.execute(sql, (MOST_ENTITIES,))
    entities = [one for number in numbers(top) if (one := entity(connection, number)) is not None]
    hits = (Hit(one, 0.0, "among the newest") for one in newest(connection, limit=limit, now=now))
    return Found(tuple(entities), tuple(hits))


def _living(
    connection: apsw.Connection, numbers: Iterable[int], hits: Iterable[tuple[float, int, str, _Row]]
) -> set[int]:
    """Those that were not forgotten: facts were found of them, or there are some that are over."""
    living = {end for hit in hits for end in (hit[3].source, hit[3].target)}
    sql = f"SELECT 1 FROM entities e WHERE id = ? AND ({_LIVES})"  # noqa: S608 - our words
    unsure = [number for number in numbers if number not in living]
    return living | {number for number in unsure if connection.execute(sql, (number,)).fetchone() is not None}


def newest(connection: apsw.Connection, *, limit: int, now: datetime) -> list[Fact]:
    """The facts that were stored last and count, newest first."""
    rows = connection.execute(
        f"{FACT} WHERE r.status = 'active' AND (r.valid_until IS NULL OR r.valid_until > ?) ORDER BY r.id DESC LIMIT ?",
        (stamp(now), limit),
    )
    return [fact(row) for row in rows]


def about(connection: apsw.Connection, number: int, *, limit: int, now: datetime, ended: bool) -> list[Fact]:
    """The facts of one entity, newest first; with ``ended`` those too that hold no more."""
    wanted = "status <> 'deleted' AND ?2 IS NOT NULL" if ended else _COUNTS
    given = (number, stamp(now), limit)
    found: dict[int, int] = {}
    for end in ("source_id", "target_id"):
        sql = f"SELECT id, said_at FROM relations WHERE {end} = ?1 AND {wanted} ORDER BY said_at DESC LIMIT ?3"  # noqa: S608 - our own words
        found |= {int(row[0]): int(row[1]) for row in connection.execute(sql, given)}
    newest = sorted(found, key=lambda one: (-found[one], -one))
    return facts_by_id(connection, newest[:limit])


def _asked_by(word: str) -> set[str]:
    """The relations a word asks for; a run of Chinese characters is searched for every word in it."""
    within = pieces(word, _LONGEST_CUE) if has_chinese(word) else (word,)
    return {relation for one in within for relation in relations_asked_by(one)}


def _gather(going: _Recalling, level: dict[int, float], distance: int) -> None:
    for number, score in level.items():
        weight = score * 0.5**distance
        for row in going.of(number, _WIDE[distance]):
            reason = "asked" if row.relation in going.asked else "about"
            going.add(row, weight * going.worth(row), distance, "" if distance else reason)
        if distance == 0:
            for row in going.asked_of(number):
                going.add(row, weight * going.worth(row), 0, "asked")
            for row in going.between(number, level.keys() - {number}):
                both = weight + _BETWEEN * level[row.source]
                going.add(row, both * going.worth(row), 0, "between")


def _next_level(going: _Recalling, level: dict[int, float], seen: set[int], distance: int) -> dict[int, float]:
    """The entities at the other ends of the best facts so far."""
    if distance + 1 >= len(_FRONTIER):
        return {}
    ends: dict[int, float] = {}
    rows = sorted(going.hits.values(), key=lambda hit: -hit[0])
    for _, at, _, row in rows:
        if at != distance:
            continue
        for one, other in ((row.source, row.target), (row.target, row.source)):
            if one in level and other not in seen:
                ends[other] = max(ends.get(other, 0.0), level[one])
        if len(ends) >= _FRONTIER[distance + 1]:
            break
    return ends


def _best(going: _Recalling, limit: int) -> list[Hit]:
    """The best hits, each fact once whoever said it how often."""
    ranked = sorted(going.hits.values(), key=lambda hit: (-hit[0], -hit[3].said_at, -hit[3].id))
    chosen: dict[tuple[int, str, int], tuple[float, int, str, _Row]] = {}
    for hit in ranked:
        row = hit[3]
        chosen.setdefault((row.source, row.relation, row.target), hit)
        if len(chosen) >= limit:
            break
    facts = {one.id: one for one in facts_by_id(going.connection, (hit[3].id for hit in chosen.values()))}
    return [_hit(facts[hit[3].id], *hit[:3]) for hit in chosen.values()]


def _hit(one: Fact, score: float, distance: int, reason: str) -> Hit:
    told = {
        "about": f"about {one.subject}",
        "asked": f"asked for {one.relation.replace('_', ' ')} of {one.subject}",
        "between": f"between {one.subject} and {one.object}",
    }
    return Hit(one, score, told.get(reason) or f"{distance} steps from what was asked", distance)
