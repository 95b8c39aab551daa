"""Long pieces of work of a desk: each goes on by itself under a name, and its end is told."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from companion.app.events import Finished, Progress, Telling
from companion.errors import CompanionError, ControlError, one_line
from companion.stream.tasks import Tasks

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 32
TELL_EVERY = 0.2
"""Seconds."""
SETTLES_AFTER = 2.0
"""Seconds after which it can be said how long the rest will take."""
STOPPED = "It was stopped."


class Work:
    """Owns the tasks."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._tasks = Tasks()
        self._going: dict[str, asyncio.Task[None]] = {}

    @property
    def going(self) -> tuple[str, ...]:
        """The names of what goes on."""
        return tuple(self._going)

    def start(self, name: str, work: Callable[[], Awaitable[str]]) -> None:
        """Begin it, unless it goes on already. ``work`` returns what was wrong in the end; empty for nothing.

        Raises:
            ControlError: too much goes on.
        """
        if name in self._going:
            return
        if len(self._going) >= MOST_AT_ONCE:
            raise ControlError("too much is going on at the same time", mend="Wait until some of it is done.")
        self._telling.tell(Progress(name, 0, 0))
        self._going[name] = self._tasks.start(self._told(name, work), name=name)

    async def cancel(self, name: str) -> bool:
        """Stop it; whether it went on."""
        task = self._going.get(name)
        if task is None:
            return False
        task.cancel()
        await asyncio.wait([task])
        if self._going.pop(name, None) is not None:  # it had not even begun
            self._telling.tell(Finished(name, STOPPED))
        return True

    async def close(self) -> None:
        """Stop everything. May be called twice."""
        await self._tasks.close()

    async def _told(self, name: str, work: Callable[[], Awaitable[str]]) -> None:
        end = Finished(name, STOPPED)
        try:
            end = await outcome(name, work)
        finally:
            self._going.pop(name, None)
            self._telling.tell(end)


async def outcome(name: str, work: Callable[[], Awaitable[str]]) -> Finished:
    """How a piece of work has ended, whatever went wrong; else somebody would wait for its end for ever."""
    try:
        return Finished(name, await work())
    except CompanionError as fault:
        return Finished(name, one_line(fault), fault.mend)
    except Exception as error:
        logger.exception("%s failed", name)
        return Finished(name, f"Something went wrong inside ({type(error).__name__}).", "See the log.")


class Meter:
    """Tells how far one piece of work is, a few times a second, and how long the rest will take."""

    def __init__(self, telling: Telling, name: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._telling = telling
        self._name = name
        self._clock = clock
        self._began: tuple[float, float] | None = None
        """When it began, and how much there was by then."""
        self._told_at = -TELL_EVERY
        self._note = ""

    def tell(self, done: float, total: float, note: str = "") -> None:
        """Say so, unless it was said just now."""
        now = self._clock()
        if self._began is None or done < self._began[1]:
            self._began = (now, done)
        if now - self._told_at < TELL_EVERY and note == self._note and done < total:
            return
        self._told_at, self._note = now, note
        self._telling.tell(Progress(self._name, done, total, self._left(now, done, total), note))

    def _left(self, now: float, done: float, total: float) -> float | None:
        assert self._began is not None
        began, before = self._began
        if now - began < SETTLES_AFTER or done <= before:
            return None
        return (total - done) * (now - began) / (done - before)
