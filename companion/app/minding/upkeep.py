"""Looks after the memory while nobody talks: stores what waited, and copies the file once a day."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import NoReturn, Protocol

from companion.app.minding.memory_room import MemoryRoom, OpenMemory
from companion.errors import CompanionError, MemoryBusy, StorageError

logger = logging.getLogger(__name__)

A_DAY = 24 * 60 * 60.0
LOOK = 60.0
"""Seconds until it looks again, where it may not work now."""

More = Callable[[OpenMemory], Awaitable[None]]
"""Something else to be done at each round."""


class Quiet(Protocol):
    """Knows when nobody talks."""

    async def wait(self) -> None: ...


class Upkeep:
    """Works every ``seconds`` as long as it is let.

    may_run: whether it may work now, besides that nobody talks. more: what else is done at each round.
    """

    def __init__(
        self,
        room: MemoryRoom,
        quiet: Quiet,
        may_run: Callable[[], bool],
        *,
        seconds: float,
        more: Sequence[More] = (),
    ) -> None:
        self._room = room
        self._quiet = quiet
        self._may_run = may_run
        self._seconds = seconds
        self._more = more
        self._saved_at: float | None = None

    async def run(self) -> NoReturn:
        """Go on until cancelled. Trouble is noted, and the next round tries again."""
        while True:
            await asyncio.sleep(self._seconds)
            await self._quiet.wait()
            while not self._may_run():
                await asyncio.sleep(LOOK)
                await self._quiet.wait()
            try:
                await self.once()
            except CompanionError as error:
                logger.warning("the memory could not be looked after: %s", error)
            except Exception:
                logger.exception("looking after the memory failed")

    async def once(self) -> None:
        """One round.

        Raises:
            CompanionError: it could not be ended.
        """
        opened = await self._room.opened()
        await store_waiting(opened)
        await self._save(opened)
        for work in self._more:
            await self._quiet.wait()
            await work(opened)

    async def _save(self, opened: OpenMemory) -> None:
        """Copy the file, once a day."""
        now = asyncio.get_running_loop().time()
        if self._saved_at is not None and now - self._saved_at < A_DAY:
            return
        try:
            await opened.store.backup()
        except StorageError as error:
            logger.warning("no backup could be made: %s", error)
            return
        self._saved_at = now


async def store_waiting(opened: OpenMemory) -> bool:
    """Store what a full disk has refused, and remove what it has kept from being removed for good; whether all of it
    went well.
    """
    steps: tuple[Callable[[], Awaitable[object]], ...] = (
        opened.graph.store_waiting,
        opened.context.store_waiting,
        opened.texts.store_waiting,
        opened.documents.store_waiting,
        opened.store.wipe_if_owed,
    )
    is_all = True
    for step in steps:
        try:
            await step()
        except (StorageError, MemoryBusy) as error:
            logger.warning("something still waits to be stored: %s", type(error).__name__)
            is_all = False
    return is_all
