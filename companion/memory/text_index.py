"""The text memory: every turn of every conversation, and the passages of documents, found by their words.

It is an index. The conversations' files and the documents are the source of truth, and everything here can be built
anew from them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence

import apsw

from companion.errors import ModelError, one_line
from companion.memory import meaning
from companion.memory import passages as table
from companion.memory.meaning import Draft, Embeds, draft
from companion.memory.passages import Kind, Passage, Stored
from companion.memory.ranking import scored
from companion.memory.store import LONG_DEADLINE, Store
from companion.memory.text_search import Question, TextHit, hits_of, look, read, search

logger = logging.getLogger(__name__)

MOST_HITS = 200
AROUND = 2
PATIENCE = 0.5
"""Seconds for vectors; later than that, words alone decide."""


class TextIndex:
    """In ``store``; with ``embeds`` the meaning of words counts too.

    Every method raises StorageError where the disk refuses, MemoryBusy where too much waits.
    """

    def __init__(self, store: Store, embeds: Embeds | None = None) -> None:
        self._store = store
        self._embeds = embeds

    async def add(self, session: str, turns: Sequence[Passage]) -> None:
        """Add turns to a conversation; those it has already, by their ``turn``, are passed over."""
        if turns:
            await self._store.write(lambda db: table.append(db, session, turns))

    async def replace(self, kind: Kind, source: str, passages: Iterable[Passage]) -> None:
        """Let ``passages`` be all there is of a conversation or a document."""
        whole = tuple(passages)
        await self._store.write(lambda db: table.replace(db, kind, source, whole), deadline=LONG_DEADLINE)

    async def remove(self, kind: Kind, source: str) -> int:
        """Take away a conversation or a document; how many passages that were."""
        return await self._store.write(lambda db: table.remove(db, kind, source), deadline=LONG_DEADLINE)

    async def forget_turns(self, session: str, turns: Iterable[str]) -> int:
        """Take single turns out of a conversation for good, so that no byte of them is left; how many passages."""
        named = tuple(turns)
        return await self._forget(lambda db: [row for turn in named for row in table.rows_of_turn(db, session, turn)])

    async def forget_about(self, name: str) -> int:
        """Take all turns away for good that have every word of a name; how many."""
        return await self._forget(lambda db: [row for row, _ in table.holding(db, Kind.TURN, name)])

    async def sources_about(self, kind: Kind, name: str) -> list[str]:
        """The conversations or documents in which some passage has every word of a name."""
        found = await self._store.read(lambda db: table.holding(db, kind, name), deadline=LONG_DEADLINE)
        return list(dict.fromkeys(source for _, source in found))

    async def wipe(self) -> None:
        """Leave no byte of what was taken away."""
        await self._store.write(table.leave_nothing, deadline=LONG_DEADLINE)
        await self._store.wipe()

    async def _forget(self, which: Callable[[apsw.Connection], list[int]]) -> int:
        def work(db: apsw.Connection) -> int:
            rows = which(db)
            if rows:
                table.remove_rows(db, rows)
            return len(rows)

        gone = await self._store.write(work, deadline=LONG_DEADLINE)
        if gone:
            await self.wipe()
        return gone

    async def search(self, kind: Kind, question: Question, most: int = 20) -> list[TextHit]:
        """The best passages of one kind, best first."""
        most = max(1, min(most, MOST_HITS))
        if self._embeds is None or kind is Kind.DOCUMENT:
            return await self._store.read(lambda db: search(db, kind, question, most))
        return await self._search_by_meaning(self._embeds, kind, question, most)

    async def _search_by_meaning(self, embeds: Embeds, kind: Kind, question: Question, most: int) -> list[TextHit]:
        drafted = await self._store.read(lambda db: _drafted(db, kind, question))
        if drafted is None:
            return []
        try:
            async with asyncio.timeout(PATIENCE):
                scores = scored(await meaning.features(drafted, embeds), meaning.WEIGHTS)
        except (ModelError, TimeoutError) as error:
            logger.info("recall goes by words alone: %s", one_line(error))
            scores = scored(drafted.looked.features)
        return await self._store.read(lambda db: hits_of(db, drafted.looked, scores, kind, most))

    async def around(self, row: int, reach: int = AROUND) -> list[Stored]:
        """A passage with its neighbours, in their order."""
        near = range(row - reach, row + reach + 1)
        return await self._store.read(lambda db: list(table.stored(db, near)))


def _drafted(connection: apsw.Connection, kind: Kind, question: Question) -> Draft | None:
    asked = read(connection, question)
    looked = look(connection, kind, asked)
    return None if looked is None else draft(connection, asked, looked)
