"""Waits for timers and has them announced."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from companion.errors import StorageError
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
            all_said = await self._announce_due()
            await self._wait(self._until_next() if all_said else self._nap)

    async def _announce_due(self) -> bool:
        for due in self._timers.due(self._clock()):
            if not await self._announce(due):
                return False
            try:
                await self._timers.acknowledge(due)
            except StorageError as error:
                logger.error("a timer that was announced could not be removed: %s", error)
        return True

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
