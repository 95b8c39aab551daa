"""What of the graph a picture shows: around somebody, or those who are mentioned most."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import apsw

from companion.memory.graph.names import number_of
from companion.memory.graph.rows import numbers, stamp
from companion.memory.picture import MOST_EDGES, MOST_NODES, Edge, Node, draw

_AROUND = 40
"""Facts of one entity that lead to others."""


def sketch(connection: apsw.Connection, name: str, now: datetime, *, seed: int = 0) -> str:
    """An SVG of what is around ``name``, two steps far; of the most mentioned where it is empty.

    Raises:
        UnknownEntity: nothing is known under that name.
    """
    shown = _around(connection, name, stamp(now)) if name.strip() else _most_mentioned(connection)
    nodes = {number: _node(connection, number) for number in shown[:MOST_NODES]}
    edges = _edges(connection, nodes, stamp(now))
    return draw(list(nodes.values()), edges, title=name.strip(), seed=seed)


def _most_mentioned(connection: apsw.Connection) -> list[int]:
    sql = """
        SELECT id FROM entities e WHERE EXISTS(SELECT 1 FROM relations WHERE source_id = e.id AND status = 'active')
            OR EXISTS(SELECT 1 FROM relations WHERE target_id = e.id AND status = 'active')
        ORDER BY mention_count DESC, id LIMIT ?
    """
    return numbers(connection.execute(sql, (MOST_NODES,)))


def _around(connection: apsw.Connection, name: str, now: int) -> list[int]:
    found = dict.fromkeys([number_of(connection, name)])
    for _ in range(2):
        for number in list(found):
            found |= dict.fromkeys(_others(connection, number, now))
            if len(found) >= MOST_NODES:
                return list(found)
    return list(found)


def _others(connection: apsw.Connection, number: int, now: int) -> list[int]:
    counts = "status = 'active' AND (valid_until IS NULL OR valid_until > ?2) ORDER BY said_at DESC LIMIT ?3"
    ends: list[int] = []
    for own, other in (("source_id", "target_id"), ("target_id", "source_id")):
        sql = f"SELECT {other} FROM relations WHERE {own} = ?1 AND {counts}"  # noqa: S608 - our own words
        ends += numbers(connection.execute(sql, (number, now, _AROUND)))
    return ends


def _node(connection: apsw.Connection, number: int) -> Node:
    name, mentions = connection.execute("SELECT name, mention_count FROM entities WHERE id = ?", (number,)).get
    return Node(str(name), float(mentions))


def _edges(connection: apsw.Connection, nodes: dict[int, Node], now: int) -> list[Edge]:
    edges: list[Edge] = []
    for number, node in nodes.items():
        found = connection.execute(_FACTS_OF, (number, now, MOST_EDGES))
        rows: Iterable[tuple[str, int]] = ((str(relation), int(str(target))) for relation, target in found)
        edges += [Edge(node.name, nodes[target].name, relation) for relation, target in rows if target in nodes]
    return edges


_FACTS_OF = """
    SELECT relation_type, target_id FROM relations
    WHERE source_id = ?1 AND status = 'active' AND (valid_until IS NULL OR valid_until > ?2)
    ORDER BY said_at DESC LIMIT ?3
"""
