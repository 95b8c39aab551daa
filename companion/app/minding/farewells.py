"""Forgetting by hand, which can be taken back for a moment and is for good after that.

What was set aside by a companion that ended before the moment was over goes for good when the memory is next tended.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from companion.app.minding.keeper import Keeper
from companion.app.minding.memory_room import MemoryRoom
from companion.errors import CompanionError
from companion.stream.tasks import Tasks

if TYPE_CHECKING:
    from companion.memory.facts import Criteria
    from companion.memory.graph.leaving import Farewell

logger = logging.getLogger(__name__)

GRACE = 12.0
"""Seconds in which it can be taken back; a little more than is shown."""


class Farewells:
    """grace: seconds until what was set aside goes for good."""

    def __init__(self, room: MemoryRoom, keeper: Keeper, *, grace: float = GRACE) -> None:
        self._room = room
        self._keeper = keeper
        self._grace = grace
        self._tasks = Tasks()
        self._until: dict[int, float] = {}
        """When each that was set aside since the start goes, in seconds of the loop."""
        self._asked = 0
        """How often something was set aside."""

    async def set_aside(self, criteria: Criteria) -> Farewell:
        """Have what fits count no more, and go for good after the moment of grace.

        Raises:
            CompanionError: it cannot be.
        """
        opened = await self._room.opened()
        farewell = await opened.graph.set_aside(criteria)
        self._until[farewell.id] = asyncio.get_running_loop().time() + self._grace
        self._asked += 1
        self.tend()
        return farewell

    async def put_back(self, number: int) -> int:
        """Take it back; how many facts count again.

        Raises:
            CompanionError: it is gone for good.
        """
        return await (await self._room.opened()).graph.put_back(number)

    def tend(self) -> None:
        """See to it that all that is set aside goes when its time has come."""
        if not len(self._tasks):
            self._tasks.start(self._let_go_of_all(), name="farewells")

    async def settle(self, seconds: float) -> None:
        """Wait for those that go now, so long at most."""
        await self._tasks.settle(seconds)

    async def close(self) -> None:
        """Leave what is not due yet for the next time."""
        await self._tasks.close()

    async def _let_go_of_all(self) -> None:
        while True:
            asked = self._asked
            waiting = await self._waiting()
            if not waiting:
                if asked == self._asked:
                    return
                continue
            now = asyncio.get_running_loop().time()
            due = [one for one in waiting if self._until.get(one.id, now) <= now]
            if not due:
                await asyncio.sleep(min(self._until[one.id] for one in waiting) - now)
                continue
            for farewell in due:
                if not await self._let_go(farewell):
                    return

    async def _waiting(self) -> list[Farewell]:
        try:
            return await (await self._room.opened()).graph.farewells()
        except CompanionError as error:
            logger.warning("what is to be forgotten could not be looked up: %s", error)
            return []

    async def _let_go(self, farewell: Farewell) -> bool:
        """Whether it is gone; where not, the next time tries again."""
        try:
            await self._keeper.let_go(farewell)
        except CompanionError as error:
            logger.warning("something could not be forgotten for good yet: %s", error)
            return False
        self._until.pop(farewell.id, None)
        return True
