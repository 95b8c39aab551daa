"""Pairs of entities that may be the same, to be asked about.

Looked at are the entities that changed last. Names that are nearly alike share more than half of their pairs of
characters, so that one of the rarer half is among them: only those that share one of these are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import apsw

from companion.memory.facts import Entity
from companion.memory.graph.names import WORD, bigrams, keys_of, words_of
from companion.memory.graph.rows import entity, numbers
from companion.memory.graph.similarity import Alike, jaccard, untitled, why_alike

MOST_CHANGED = 100
"""Entities that are looked at in one go."""
MOST_COMPARED = 400
"""Names that one is compared with; a part that more have tells nothing."""
_PAIR = 2
_NAMES = 8
"""Of one entity, that are looked for."""
NEAR = 0.8
"""A nearness by meaning from which on two are asked about."""

Nearness = Callable[[str, Sequence[str]], Sequence[float]]
"""How near in meaning a name is to each of others, 0 to 1; blocking, called on a thread of the store."""


class Verdict(StrEnum):
    """What was answered about a pair; neither is asked again until something new is said about one of them."""

    DIFFERENT = "different"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Two entities that may be the same; the one with more mentions is the target of a merge."""

    source: Entity
    target: Entity
    why: Alike
    score: float
    """0 to 1."""


def candidates(connection: apsw.Connection, *, limit: int, nearness: Nearness | None = None) -> list[Candidate]:
    """The best pairs among what changed last, none that was answered and has nothing new since."""
    found: dict[tuple[int, int], tuple[float, Alike]] = {}
    changed = connection.execute("SELECT id FROM entities ORDER BY updated_at DESC, id DESC LIMIT ?", (MOST_CHANGED,))
    for number in numbers(changed):
        for other, why, score in _alike(connection, number, nearness):
            pair = (min(number, other), max(number, other))
            if pair not in found or found[pair][0] < score:
                found[pair] = (score, why)
    chosen: list[Candidate] = []
    for pair in sorted(found, key=lambda pair: (-found[pair][0], pair)):
        if len(chosen) >= limit:
            break
        if not _is_answered(connection, *pair):
            chosen.append(_candidate(connection, pair, *found[pair]))
    return chosen


def answer(connection: apsw.Connection, one: int, other: int, verdict: Verdict, at: int) -> None:
    """Write down what was answered about a pair."""
    low, high = min(one, other), max(one, other)
    given = (low, high, verdict.value, _evidence(connection, low, high), at)
    connection.execute("INSERT OR REPLACE INTO verdicts VALUES(?, ?, ?, ?, ?)", given)


def _candidate(connection: apsw.Connection, pair: tuple[int, int], score: float, why: Alike) -> Candidate:
    one, other = (entity(connection, number) for number in pair)
    assert one is not None
    assert other is not None
    source, target = sorted((one, other), key=lambda each: (each.mentions, -each.id))
    return Candidate(source, target, why, score)


def _is_answered(connection: apsw.Connection, low: int, high: int) -> bool:
    rows = connection.execute("SELECT evidence FROM verdicts WHERE low = ? AND high = ?", (low, high)).fetchall()
    return _evidence(connection, low, high) in numbers(rows)


def _evidence(connection: apsw.Connection, low: int, high: int) -> int:
    """A number that grows with every fact about one of the two."""
    sql = "SELECT coalesce(sum(mention_count), 0) FROM entities WHERE id IN (?, ?)"
    return int(connection.execute(sql, (low, high)).get)


def _alike(connection: apsw.Connection, number: int, nearness: Nearness | None) -> Iterator[tuple[int, Alike, float]]:
    own = keys_of(connection, number)
    for other, theirs in _names(connection, sorted(_pool(connection, own) - {number})).items():
        why = why_alike(own[0], theirs[0])
        if why is not None:
            yield other, why, max(jaccard(own[0], theirs[0]), 0.5)
        elif _by_alias(own, theirs):
            yield other, Alike.ALIAS, 0.5
    if nearness is not None:
        yield from _near(connection, number, own[0], nearness)


def _names(connection: apsw.Connection, entities: Sequence[int]) -> dict[int, list[str]]:
    """The keys of each, its own first."""
    marks = ",".join("?" * len(entities))
    found: dict[int, list[str]] = {}
    for sql in (
        f"SELECT id, key FROM entities WHERE id IN ({marks})",  # noqa: S608 - marks only
        f"SELECT entity_id, key FROM aliases WHERE entity_id IN ({marks})",  # noqa: S608
    ):
        for number, key in connection.execute(sql, entities):
            found.setdefault(int(str(number)), []).append(str(key))
    return found


def _by_alias(own: Sequence[str], theirs: Sequence[str]) -> bool:
    return len(own) + len(theirs) > 2 and any(why_alike(one, other) for one in own for other in theirs)


def _pool(connection: apsw.Connection, keys: Sequence[str]) -> set[int]:
    """Entities that share enough with one of ``keys`` to be compared; of too many, those that share what is rare."""
    sharing = [held for key in keys[:_NAMES] for held in _sharing(connection, key)]
    pool: set[int] = set()
    for held in sorted(sharing, key=len):
        if len(pool) + len(held) > MOST_COMPARED:
            break
        pool.update(held)
    return pool


def _sharing(connection: apsw.Connection, key: str) -> list[list[int]]:
    """Who has each of the parts of a name that tell it from others."""
    pairs = [_holders(connection, pair) for pair in sorted(bigrams(key))]
    rarer_half = sorted(pairs, key=len)[: len(pairs) // 2 + 1]
    words = [_holders(connection, WORD + word) for word in words_of(key)]
    return [*rarer_half, *words, *_family(connection, key)]


def _family(connection: apsw.Connection, key: str) -> list[list[int]]:
    """Where a Chinese name of one or two characters is left once the title is off: all whose name has it."""
    bare = untitled(key)
    if len(bare) == _PAIR and bare != key:
        # It may be none of the rarer half: of 张三先生 nobody else has 三先 and 先生.
        return [_holders(connection, bare)]
    if len(bare) != 1:
        return []
    sql = "SELECT DISTINCT entity_id FROM name_parts WHERE part >= ?1 AND part < ?1 || char(1114111) LIMIT ?2"
    return [numbers(connection.execute(sql, (bare, MOST_COMPARED + 1))), _holders(connection, WORD + bare)]


def _holders(connection: apsw.Connection, part: str) -> list[int]:
    sql = "SELECT entity_id FROM name_parts WHERE part = ? LIMIT ?"
    return numbers(connection.execute(sql, (part, MOST_COMPARED + 1)))


def _near(connection: apsw.Connection, number: int, key: str, nearness: Nearness) -> Iterator[tuple[int, Alike, float]]:
    """Entities that stand in the same relation to the same as this one, and are near by meaning."""
    pool = _neighbours(connection, number)
    for (other, _), score in zip(pool.items(), nearness(key, list(pool.values())) if pool else (), strict=True):
        if score >= NEAR:
            yield other, Alike.MEANING, min(score, 1.0)


def _neighbours(connection: apsw.Connection, number: int) -> Mapping[int, str]:
    sql = """
        SELECT DISTINCT e.id, e.key FROM (SELECT relation_type, target_id FROM relations
            WHERE source_id = ?1 AND status = 'active' LIMIT 20) mine
        JOIN relations r ON r.target_id = mine.target_id AND r.relation_type = mine.relation_type
        JOIN entities e ON e.id = r.source_id
        WHERE r.source_id <> ?1 LIMIT 50
    """
    return {int(other): str(key) for other, key in connection.execute(sql, (number,))}
