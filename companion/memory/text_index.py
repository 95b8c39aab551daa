"""The text memory: every turn of every conversation, and the passages of documents, found by their words.

It is an index. The conversations' files and the documents are the source of truth, and everything here can be built
anew from them.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import apsw

from companion.errors import KeptForLater, MemoryBusy, ModelError, StorageError, one_line
from companion.memory import meaning
from companion.memory import passages as table
from companion.memory.database import owe_wiping
from companion.memory.meaning import Draft, Embeds, draft
from companion.memory.naming import naming
from companion.memory.passages import Kind, Passage, Stored
from companion.memory.ranking import scored
from companion.memory.storable import storable
from companion.memory.store import LONG_DEADLINE, Store
from companion.memory.text_search import Question, TextHit, hits_of, look, read, search

logger = logging.getLogger(__name__)

MOST_HITS = 200
MOST_WAITING = 1_000
"""Turns that wait for a disk that takes nothing; of more, the oldest are left to the conversations' files."""
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
        self._waiting: deque[tuple[str, tuple[Passage, ...]]] = deque(maxlen=MOST_WAITING)
        self._adding = asyncio.Lock()

    @property
    def waiting(self) -> int:
        """Additions that could not be stored yet."""
        return len(self._waiting)

    async def add(self, session: str, turns: Sequence[Passage]) -> None:
        """Add turns to a conversation; those it has already, by their ``turn``, are passed over.

        Raises:
            KeptForLater: the disk refused; they are added, in their order, when it does not.
        """
        if not turns:
            return
        self._waiting.append((storable(session), tuple(replace(one, turn=storable(one.turn)) for one in turns)))
        try:
            await self.store_waiting()
        except StorageError as error:
            raise KeptForLater(f"{error}; it is kept until it can", file=error.file, mend=error.mend) from error

    async def store_waiting(self) -> int:
        """Add what could not be added before; how many additions were."""
        async with self._adding:
            stored = 0
            while self._waiting:
                one = self._waiting[0]
                try:
                    await self._append(*one)
                except (StorageError, MemoryBusy):
                    raise
                except Exception:
                    self._let_go(one)  # what cannot be stored shall keep nothing else from it
                    raise
                self._let_go(one)
                stored += 1
            return stored

    async def _append(self, session: str, turns: Sequence[Passage]) -> None:
        await self._store.write(lambda db: table.append(db, session, turns))

    def _let_go(self, one: tuple[str, tuple[Passage, ...]]) -> None:
        # It may have been pushed out while it was written.
        if self._waiting and self._waiting[0] is one:
            self._waiting.popleft()

    async def replace(self, kind: Kind, source: str, passages: Iterable[Passage]) -> None:
        """Let ``passages`` be all there is of a conversation or a document."""
        whole = tuple(passages)
        await self._store.write(lambda db: table.replace(db, kind, source, whole), deadline=LONG_DEADLINE)

    async def remove(self, kind: Kind, source: str) -> int:
        """Take away a conversation or a document; how many passages that were."""
        return await self._store.write(lambda db: table.remove(db, kind, source), deadline=LONG_DEADLINE)

    async def forget_about(self, name: str, *, answers: str = "") -> int:
        """Take all turns away for good that name somebody; all there are for an empty name; how many passages.

        answers: what ends the name of a turn's other side, which goes with it.
        """
        names = naming(name)
        async with self._adding:
            for one in list(self._waiting):
                if any(names(passage.text) for passage in one[1]):
                    self._waiting.remove(one)
        return await self._forget(lambda db: table.naming_rows(db, name, answers))

    async def drop_turns(self, session: str, turns: Iterable[str]) -> int:
        """Take single turns out of a conversation for good, those too that wait; how many passages. ``wipe`` is to
        follow where there were any.
        """
        named = dict.fromkeys(map(storable, turns))
        dropped = 0
        async with self._adding:
            for place, (whose, waiting) in enumerate(self._waiting):
                left = tuple(one for one in waiting if whose != session or one.turn not in named)
                dropped += len(waiting) - len(left)
                self._waiting[place] = (whose, left)
        rows = await self._drop(lambda db: [row for turn in named for row in table.rows_of_turn(db, session, turn)])
        return dropped + rows

    async def wipe(self) -> None:
        """Leave no byte of what was taken away."""
        await self._store.write(table.leave_nothing, deadline=LONG_DEADLINE)
        await self._store.wipe()

    async def _forget(self, which: Callable[[apsw.Connection], list[int]]) -> int:
        gone = await self._drop(which)
        if gone:
            await self.wipe()
        return gone

    async def _drop(self, which: Callable[[apsw.Connection], list[int]]) -> int:
        def work(db: apsw.Connection) -> int:
            rows = which(db)
            if rows:
                table.remove_rows(db, rows)
                owe_wiping(db)
            return len(rows)

        return await self._store.write(work, deadline=LONG_DEADLINE)

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
