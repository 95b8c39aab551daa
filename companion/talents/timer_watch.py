"""Waits for timers and has them announced."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from companion.errors import StorageError
from companion.stream.tasks import Tasks
from companion.talents.timers import Due, Timers

logger = logging.getLogger(__name__)

NAP = 10.0
"""Seconds. The longest wait while timers run: after it a sleep of the machine or a jump of its clock is noticed."""


class TimerWatch:
    """Announces what is due, in order, and forgets it when it was said.

    announce: says one thing and returns whether it could be said; what could not is tried again after a nap.
    clock: the local time, with its zone.
    """

    def __init__(
        self,
        timers: Timers,
        announce: Callable[[Due], Awaitable[bool]],
        clock: Callable[[], datetime],
        *,
        nap: float = NAP,
    ) -> None:
        self._timers = timers
        self._announce = announce
        self._clock = clock
        self._nap = nap

    async def run(self) -> None:
        """Watch until cancelled."""
        while True:
            self._timers.changed.clear()
            all_said = await self._announce_or_survive()
            await self._wait(self._until_next() if all_said else self._nap)

    async def _announce_or_survive(self) -> bool:
        """Announce what is due, and whether all of it was said. A fault in one must not cost the timers to come."""
        try:
            return await self._announce_due()
        except Exception:
            logger.exception("announcing failed")
            return False

    async def _announce_due(self) -> bool:
        all_due = self._timers.due(self._clock())
        await _kept("a timer that was moved with the clock could not be kept", self._timers.keep_moved())
        for due in all_due:
            if not await self._announced_or_cancelled(due):
                return False
        return True

    async def _announced_or_cancelled(self, due: Due) -> bool:
        """Announce it, unless it is cancelled before; whether nothing is left to be said of it."""
        tasks, is_said = Tasks(), False

        async def say() -> None:
            nonlocal is_said
            is_said = await self._announce(due)
            if is_said:
                await _kept("a timer that was announced could not be removed", self._timers.acknowledge(due))

        try:
            saying = tasks.start(say(), name="announce a timer")
            while not saying.done() and not self._timers.is_cancelled(due.id):
                self._timers.changed.clear()
                changing = tasks.start(self._until_changed(), name="see it cancelled")
                await asyncio.wait({saying, changing}, return_when=asyncio.FIRST_COMPLETED)
                changing.cancel()
        finally:
            await tasks.close()
        return is_said or self._timers.is_cancelled(due.id)

    async def _until_changed(self) -> None:
        await self._timers.changed.wait()

    def _until_next(self) -> float | None:
        upcoming = self._timers.next_due()
        if upcoming is None:
            return None
        seconds = (upcoming - self._clock().astimezone(UTC)).total_seconds()
        return min(max(seconds, 0.0), self._nap)

    async def _wait(self, seconds: float | None) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._timers.changed.wait()
        except TimeoutError:
            return


async def _kept(otherwise: str, keeping: Awaitable[None]) -> None:
    try:
        await keeping
    except StorageError as error:
        logger.error("%s: %s", otherwise, error)
