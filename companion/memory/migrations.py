"""The steps by which ``memory.db`` came to its present form, oldest first.

A step that users have run is never changed: what must change comes in a new one. Each runs once, in its own
transaction, and its number is written down with it. Numbers 1 to 9 are the graph's, 10 to 19 the documents' and their
text index, 20 to 29 the consolidation's.
"""

from __future__ import annotations

from typing import NamedTuple


class Migration(NamedTuple):
    """One step."""

    number: int
    title: str
    sql: str
    """Statements; no transaction of their own."""


GRAPH: tuple[Migration, ...] = ()
DOCUMENTS: tuple[Migration, ...] = ()
CONSOLIDATION: tuple[Migration, ...] = ()

MIGRATIONS = (*GRAPH, *DOCUMENTS, *CONSOLIDATION)
