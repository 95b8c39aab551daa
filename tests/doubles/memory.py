"""Stores and graphs for tests: a clock that is stepped, facts in a few words."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw

from companion.memory.facts import Provenance, Triple
from companion.memory.graph import Graph
from companion.memory.migrations import GRAPH
from companion.memory.store import Store

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


class Wall:
    """A wall clock that stands until it is moved."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def go(self, **step: float) -> datetime:
        self.now += timedelta(**step)
        return self.now


@asynccontextmanager
async def a_store(folder: Path, clock: Wall | None = None) -> AsyncIterator[Store]:
    store = await Store.open(folder, clock or Wall())
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def a_graph(folder: Path, clock: Wall | None = None) -> AsyncIterator[Graph]:
    clock = clock or Wall()
    async with a_store(folder, clock) as store:
        yield Graph(store, clock)


@contextmanager
def a_database() -> Iterator[apsw.Connection]:
    """The tables of the graph in memory, for what is tried a thousand times."""
    with closing(apsw.Connection(":memory:")) as connection:
        for step in GRAPH:
            connection.execute(step.sql).fetchall()
        connection.execute("PRAGMA foreign_keys = ON").fetchall()
        yield connection


def said(at: datetime = NOON, *, session: str = "s", turn: str = "", by: str = "user") -> Provenance:
    return Provenance(by, at, session, turn)


def triples(*lines: str) -> list[Triple]:
    """Each as "Emma | likes | tea"."""
    return [Triple(*(part.strip() for part in line.split("|"))) for line in lines]


async def tell(graph: Graph, clock: Wall, *lines: str, session: str = "s") -> None:
    """Say something a minute later, in a turn of its own."""
    at = clock.go(minutes=1)
    await graph.commit(triples(*lines), said(at, session=session, turn=at.isoformat()))


async def known(graph: Graph, name: str, *, ended: bool = False) -> list[str]:
    """What counts about somebody, newest first."""
    return [f"{one.subject} {one.relation} {one.object}" for one in await graph.about(name, ended=ended)]
