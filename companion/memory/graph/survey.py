"""The graph as a whole: in numbers, and where it contradicts itself."""

from __future__ import annotations

from datetime import datetime

import apsw

from companion.memory.facts import Fact, Overview, Status
from companion.memory.graph.recall import overview
from companion.memory.graph.rows import facts_by_id, numbers, stamp
from companion.memory.predicates import PREDICATES, predicate

_TOP = 10
_FAVOURITES = "favo%"


def survey(connection: apsw.Connection, now: datetime) -> Overview:
    """How much is known, about whom most, and what was learned last."""
    counts = {str(status): int(count) for status, count in connection.execute(_BY_STATUS)}
    entities = int(connection.execute("SELECT count(*) FROM entities").get)
    found = overview(connection, limit=_TOP, now=now)
    return Overview(
        entities=entities,
        facts=counts.get(Status.ACTIVE.value, 0),
        superseded=counts.get(Status.SUPERSEDED.value, 0),
        deleted=counts.get(Status.DELETED.value, 0),
        most_mentioned=found.entities[:_TOP],
        newest=tuple(hit.fact for hit in found.facts),
    )


_BY_STATUS = "SELECT status, count(*) FROM relations GROUP BY status"


def contradictions(connection: apsw.Connection, *, limit: int, now: datetime) -> list[tuple[Fact, ...]]:
    """Facts that cannot all be true: several things where one holds at a time, or something and its opposite.

    Doubtful facts cause them, and so do facts of which nobody can say which came first.
    """
    single = [name for name, one in PREDICATES.items() if one.is_single]
    marks = ",".join("?" * len(single))
    sql = f"""
        SELECT source_id, relation_type FROM relations
        WHERE status = 'active' AND (valid_until IS NULL OR valid_until > ?)
            AND (relation_type IN ({marks}) OR relation_type LIKE ?)
        GROUP BY source_id, relation_type HAVING count(DISTINCT target_id) > 1 LIMIT ?
    """  # noqa: S608 - marks only
    rows = connection.execute(sql, (stamp(now), *single, _FAVOURITES, limit)).fetchall()
    found = [
        tuple(facts_by_id(connection, _of(connection, int(str(source)), str(relation), now)))
        for source, relation in rows
        if predicate(str(relation)).is_single
    ]
    return [facts for facts in [*found, *_opposites(connection, limit)] if len(facts) > 1][:limit]


def _of(connection: apsw.Connection, source: int, relation: str, now: datetime) -> list[int]:
    sql = """
        SELECT id FROM relations WHERE source_id = ? AND relation_type = ? AND status = 'active'
            AND (valid_until IS NULL OR valid_until > ?) ORDER BY said_at DESC LIMIT 20
    """
    return numbers(connection.execute(sql, (source, relation, stamp(now))))


def _opposites(connection: apsw.Connection, limit: int) -> list[tuple[Fact, ...]]:
    found: list[tuple[Fact, ...]] = []
    for name, one in PREDICATES.items():
        if one.opposite and name < one.opposite:
            sql = """
                SELECT a.id, b.id FROM relations a JOIN relations b
                    ON b.source_id = a.source_id AND b.relation_type = ? AND b.target_id = a.target_id
                WHERE a.relation_type = ? AND a.status = 'active' AND b.status = 'active' LIMIT ?
            """
            pairs = connection.execute(sql, (one.opposite, name, limit)).fetchall()
            found += [tuple(facts_by_id(connection, map(int, map(str, pair)))) for pair in pairs]
    return found
