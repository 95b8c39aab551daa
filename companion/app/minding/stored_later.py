"""Tells of trouble with the disk of the memory, and stores what waits as soon as the disk lets us."""

from __future__ import annotations

import asyncio

from companion.app.events import Problem, Solved, Telling
from companion.app.minding.memory_room import MemoryRoom
from companion.app.minding.upkeep import store_waiting
from companion.errors import CompanionError, StorageError
from companion.stream.tasks import Tasks

TOPIC = "memory"
FIRST_PAUSE, LONGEST_PAUSE = 10.0, 300.0
"""Seconds between two tries."""


class StoredLater:
    """Called with what went wrong. room: the memory; it is made after this, and told here."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._tasks = Tasks()
        self.room: MemoryRoom | None = None

    def __call__(self, problem: CompanionError) -> None:
        self._telling.tell(Problem(TOPIC, str(problem), problem.mend))
        if isinstance(problem, StorageError) and not len(self._tasks):
            self._tasks.start(self._store(), name="what waits to be stored")

    async def close(self) -> None:
        """Try no more; what is still here is stored where the memory is closed, if it can be."""
        await self._tasks.close()

    async def _store(self) -> None:
        pause = FIRST_PAUSE
        while self.room is not None and (opened := self.room.open_now) is not None:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
            if await store_waiting(opened) and not opened.store.trouble:
                self._telling.tell(Solved(TOPIC))
                return
