"""Tasks with an owner, for work that outlives the function that starts it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

logger = logging.getLogger(__name__)


class Tasks:
    """Owns background tasks: keeps them alive, tells of failures, ends them all on ``close``.

    on_failure: called at once, on the loop, with what a task failed with; it must not raise.
    """

    def __init__(self, *, on_failure: Callable[[BaseException], None] | None = None) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._on_failure = on_failure
        self._failure: BaseException | None = None

    def __len__(self) -> int:
        return len(self._tasks)

    def start(self, work: Coroutine[Any, Any, None], *, name: str) -> asyncio.Task[None]:
        """Run ``work`` until it ends or ``close`` is called."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        failure = None if task.cancelled() else task.exception()
        if failure is None:
            return
        logger.error("%s failed: %s", task.get_name(), type(failure).__name__, exc_info=failure)
        self._failure = self._failure or failure
        if self._on_failure is not None:
            self._on_failure(failure)

    async def settle(self, seconds: float) -> None:
        """Wait for those that run, so long at most."""
        if running := [task for task in self._tasks if task is not asyncio.current_task()]:
            await asyncio.wait(running, timeout=seconds)

    async def close(self) -> None:
        """Cancel what still runs and wait for it. One of the tasks may call it; that one goes on.

        Raises:
            BaseException: the first failure of any of the tasks.
        """
        while running := [task for task in self._tasks if task is not asyncio.current_task()]:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
