"""Forgetting that can be taken back for a moment: what is set aside counts no more at once, and goes for good later.

What was set aside is written down, so that a companion that ended in between finishes when it starts again.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import apsw

from companion.errors import PurgeRefused
from companion.memory.facts import Criteria, Purged
from companion.memory.graph.names import find
from companion.memory.graph.purge import MOST_IDS, check, matching, remove
from companion.memory.graph.rows import numbers

MOST_ASIDE = 5_000
"""Facts of one farewell."""


class Farewell(NamedTuple):
    """What was set aside together."""

    id: int
    name: str
    """Whom or what all of it is about; empty where single facts were named."""
    facts: tuple[int, ...]


def set_aside(connection: apsw.Connection, criteria: Criteria, now: int) -> Farewell:
    """Have the facts that fit no longer count, and write down how they were.

    Raises:
        PurgeRefused: it does not say what, or it is nothing, or too much to be taken back.
    """
    check(criteria)
    found = matching(connection, criteria, deleted=False)
    if not found:
        raise PurgeRefused("there is nothing to forget", mend="It may have been forgotten already.")
    if len(found) > MOST_ASIDE:
        raise PurgeRefused(f"these are more than {MOST_ASIDE} facts", mend="Forget them in parts.")
    status = "SELECT status FROM relations WHERE id = ?"
    was = [(number, str(connection.execute(status, (number,)).get)) for number in found]
    sql = "UPDATE relations SET status = 'deleted', updated_at = ? WHERE id = ?"
    connection.executemany(sql, [(now, number) for number in found])
    kept = (now, criteria.entity, json.dumps(was))
    connection.execute("INSERT INTO farewells(at, name, facts) VALUES(?, ?, ?)", kept)
    return Farewell(connection.last_insert_rowid(), criteria.entity, tuple(found))


def put_back(connection: apsw.Connection, number: int, now: int) -> int:
    """Have what was set aside count as it did; how many facts.

    Raises:
        PurgeRefused: it is gone for good, or was put back already.
    """
    kept = connection.execute("SELECT facts FROM farewells WHERE id = ?", (number,)).get
    if kept is None:
        raise PurgeRefused("it cannot be taken back any more", mend="Tell me again what I should know.")
    was = json.loads(str(kept))
    sql = "UPDATE relations SET status = ?, updated_at = ? WHERE id = ? AND status = 'deleted'"
    connection.executemany(sql, [(status, now, fact) for fact, status in was])
    connection.execute("DELETE FROM farewells WHERE id = ?", (number,))
    return len(was)


def farewells(connection: apsw.Connection) -> list[Farewell]:
    """What is set aside, oldest first."""
    rows = connection.execute("SELECT id, name, facts FROM farewells ORDER BY id")
    return [
        Farewell(int(str(number)), str(name), tuple(int(fact) for fact, _ in json.loads(str(facts))))
        for number, name, facts in rows
    ]


def let_go(connection: apsw.Connection, farewell: Farewell) -> Purged:
    """Remove what was set aside, and the note of it. The store is to be wiped after that.

    Of whom it was all about, what was forgotten before goes too; what was said since then stays.
    """
    going = dict.fromkeys(farewell.facts)
    going |= dict.fromkeys(_forgotten_about(connection, farewell.name))
    doomed, facts, entities = tuple(going), 0, 0
    for start in range(0, len(doomed), MOST_IDS):
        gone = remove(connection, Criteria(ids=doomed[start : start + MOST_IDS]))
        facts, entities = facts + gone.facts, entities + gone.entities
    connection.execute("DELETE FROM farewells WHERE id = ?", (farewell.id,))
    return Purged(facts, entities)


def _forgotten_about(connection: apsw.Connection, name: str) -> list[int]:
    number = find(connection, name) if name else None
    sql = "SELECT id FROM relations WHERE (source_id = ?1 OR target_id = ?1) AND status = 'deleted'"
    return numbers(connection.execute(sql, (number,)))
