"""Forgetting: softly, so that it no longer counts, or for good, so that it is no longer there.

What a condition does not match is never touched: one that matches nothing forgets nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import apsw

from companion.errors import PurgeRefused
from companion.memory.database import owe_wiping
from companion.memory.facts import Criteria, Provenance, Purged, Triple
from companion.memory.graph.names import find, key_of, keys_of, naming_entities, unindex
from companion.memory.graph.rows import numbers, stamp
from companion.memory.naming import naming
from companion.memory.predicates import relation_name

MOST_IDS = 1_000


def check(criteria: Criteria) -> None:
    """Whether it says what is to be forgotten.

    Raises:
        PurgeRefused: it does not.
    """
    says = (
        *(criteria.entity, criteria.naming, criteria.subject, criteria.relation, criteria.object),
        *(criteria.session, criteria.turn, criteria.said_by),
    )
    if not (any(map(str.strip, says)) or criteria.since or criteria.before or criteria.ids or criteria.everything):
        raise PurgeRefused("it is not said what to forget", mend="Name what or whom it is about.")
    if len(criteria.ids) > MOST_IDS:
        raise PurgeRefused(f"more than {MOST_IDS} facts were named", mend="Name them in parts.")


def matching(connection: apsw.Connection, criteria: Criteria, *, deleted: bool) -> list[int]:
    """The facts that fit; with ``deleted`` those too that no longer count."""
    conditions, given = _conditions(connection, criteria)
    if not deleted:
        conditions.append("status <> 'deleted'")
    sql = f"SELECT id FROM relations WHERE {' AND '.join(conditions) or 'true'}"  # noqa: S608 - our own conditions
    return numbers(connection.execute(sql, given))


def forget(connection: apsw.Connection, criteria: Criteria, now: int) -> Purged:
    """Have the facts that fit no longer count."""
    facts = matching(connection, criteria, deleted=False)
    sql = "UPDATE relations SET status = 'deleted', updated_at = ? WHERE id = ?"
    connection.executemany(sql, [(now, number) for number in facts])
    return Purged(facts=len(facts))


def remove(connection: apsw.Connection, criteria: Criteria) -> Purged:
    """Remove the facts that fit, and the entities that nothing is known of then."""
    facts = matching(connection, criteria, deleted=True)
    touched = _ends(connection, facts)
    if criteria.entity and (named := find(connection, criteria.entity)) is not None:
        touched.add(named)
    if criteria.naming:
        touched.update(naming_entities(connection, criteria.naming))
    if touched:
        owe_wiping(connection)
    connection.executemany("DELETE FROM relations WHERE id = ?", [(number,) for number in facts])
    if criteria.everything and not connection.execute("SELECT EXISTS(SELECT 1 FROM relations)").get:
        return Purged(len(facts), _empty(connection))
    orphans = [number for number in sorted(touched) if _is_orphan(connection, number)]
    for number in orphans:
        _remove_entity(connection, number)
    _forget_merges(connection, facts, orphans)
    return Purged(len(facts), len(orphans))


def fits(criteria: Criteria, triple: Triple, source: Provenance) -> bool:
    """Whether facts that are not stored yet are meant too; names only, since they have no aliases yet."""
    subject, thing = key_of(triple.subject), key_of(triple.object)
    asked = (
        (criteria.subject, (subject,)),
        (criteria.object, (thing,)),
        (criteria.entity, (subject, thing)),
    )
    if any(wanted and key_of(wanted) not in keys for wanted, keys in asked):
        return False
    if criteria.naming and not any(map(naming(criteria.naming), (subject, thing))):
        return False
    if criteria.relation and relation_name(criteria.relation) != relation_name(triple.relation):
        return False
    told = ((criteria.session, source.session), (criteria.turn, source.turn), (criteria.said_by, source.said_by))
    if any(wanted and wanted != given for wanted, given in told) or criteria.ids:
        return False
    return not (criteria.since and source.at < criteria.since) and not (
        criteria.before and source.at >= criteria.before
    )


def _conditions(connection: apsw.Connection, criteria: Criteria) -> tuple[list[str], list[object]]:
    named = {name: find(connection, name) for name in (criteria.subject, criteria.object, criteria.entity) if name}
    since, before, ids = criteria.since, criteria.before, criteria.ids
    meant = naming_entities(connection, criteria.naming) if criteria.naming else []
    marks = ",".join("?" * len(meant))
    possible: list[tuple[object, str, list[object]]] = [
        (criteria.subject, "source_id = ?", [named.get(criteria.subject)]),
        (criteria.object, "target_id = ?", [named.get(criteria.object)]),
        (criteria.entity, "(source_id = ? OR target_id = ?)", [named.get(criteria.entity)] * 2),
        (criteria.naming, f"(source_id IN ({marks}) OR target_id IN ({marks}))", [*meant, *meant]),
        (criteria.relation, "relation_type = ?", [relation_name(criteria.relation)]),
        (criteria.session, "session_id = ?", [criteria.session]),
        (criteria.turn, "turn_id = ?", [criteria.turn]),
        (criteria.said_by, "said_by = ?", [criteria.said_by]),
        (since, "said_at >= ?", [since and stamp(since)]),
        (before, "said_at < ?", [before and stamp(before)]),
        (ids, f"id IN ({','.join('?' * len(ids))})", list(ids)),
        (criteria.spare_pinned, "pinned = 0", []),
    ]
    asked = [(condition, values) for is_asked, condition, values in possible if is_asked]
    return [condition for condition, _ in asked], [value for _, values in asked for value in values]


def _ends(connection: apsw.Connection, numbers: Iterable[int]) -> set[int]:
    sql = "SELECT source_id, target_id FROM relations WHERE id = ?"
    return {int(end) for number in numbers for row in connection.execute(sql, (number,)) for end in row}


def _is_orphan(connection: apsw.Connection, number: int) -> bool:
    ends = ("source_id", "target_id")
    sql = "SELECT 1 FROM relations WHERE {} = ? LIMIT 1"
    return all(connection.execute(sql.format(end), (number,)).fetchone() is None for end in ends)


def _remove_entity(connection: apsw.Connection, number: int) -> None:
    unindex(connection, keys_of(connection, number), number)
    connection.execute("DELETE FROM verdicts WHERE ?1 IN (low, high)", (number,))
    connection.execute("DELETE FROM entities WHERE id = ?", (number,))


def _empty(connection: apsw.Connection) -> int:
    count = int(connection.execute("SELECT count(*) FROM entities").get)
    for table in ("name_parts", "aliases", "verdicts", "merges", "farewells", "entities"):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
    return count


def _forget_merges(connection: apsw.Connection, facts: Iterable[int], entities: Iterable[int]) -> None:
    """What could bring back something of it goes too: such a merge cannot be undone any more."""
    gone, left = set(facts), set(entities)
    rows = connection.execute(
        """
        SELECT m.id, m.target_id, f.value ->> '$[0].id', f.value ->> '$[0].source_id', f.value ->> '$[0].target_id'
        FROM merges m LEFT JOIN json_each(m.undoing, '$.facts') f
        """
    )
    meant = {
        int(merge) for merge, target, fact, *ends in rows if target in left or fact in gone or not left.isdisjoint(ends)
    }
    connection.executemany("DELETE FROM merges WHERE id = ?", [(number,) for number in meant])
