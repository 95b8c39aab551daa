"""Work of others with a time limit, which holds even where the work ignores that it is cancelled."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

logger = logging.getLogger(__name__)

T = TypeVar("T")

GRACE_SECONDS = 0.1
"""How long work that is over its limit may clean up."""


class Overdue:
    """Runs work as tasks of its own, and keeps an eye on those that do not end in time."""

    def __init__(self) -> None:
        self._overdue: set[asyncio.Task[Any]] = set()

    async def ended(self, work: Coroutine[Any, Any, T], *, name: str, seconds: float) -> asyncio.Task[T]:
        """The task of ``work``, once it is done; whether it has failed is for the caller to see.

        Cancelling this ends the work.

        Raises:
            TimeoutError: it took longer; it was cancelled, and what it may still return is dropped.
        """
        task = asyncio.get_running_loop().create_task(work, name=name)
        try:
            await asyncio.wait([task], timeout=seconds)
            if not task.done():
                raise TimeoutError(f"the {name} took longer than {seconds:g} s")
        finally:
            if not task.done():
                await self._end(task)
        return task

    async def _end(self, task: asyncio.Task[T]) -> None:
        self._overdue.add(task)
        task.add_done_callback(self._drop)
        task.cancel()
        await asyncio.wait([task], timeout=GRACE_SECONDS)
        if not task.done():
            logger.warning("the %s does not end when it is cancelled", task.get_name())

    def _drop(self, task: asyncio.Task[Any]) -> None:
        self._overdue.discard(task)
        if not task.cancelled() and task.exception() is not None:
            logger.warning("the %s failed after its end: %s", task.get_name(), type(task.exception()).__name__)
