"""Lets the closing of a source end whatever its reader waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from companion.errors import EndOfStream

T = TypeVar("T")


class Wakeable:
    """One reader waits, anybody closes."""

    def __init__(self) -> None:
        self._is_closed = False
        self._waiting: asyncio.Timeout | None = None

    async def close(self) -> None:
        """End the wait, and every later one, without waiting. Idempotent."""
        self._is_closed = True
        if self._waiting is not None and not self._waiting.expired():
            self._waiting.reschedule(asyncio.get_running_loop().time())

    def demand_open(self) -> None:
        """See to it that it is open.

        Raises:
            EndOfStream: it was closed.
        """
        if self._is_closed:
            raise EndOfStream

    async def unless_closed(self, wait: Callable[[], Awaitable[T]]) -> T:
        """What ``wait`` gives.

        Raises:
            EndOfStream: it was closed before or meanwhile; the wait was cancelled.
        """
        self.demand_open()
        try:
            async with asyncio.timeout(None) as self._waiting:
                return await wait()
        except TimeoutError:
            self.demand_open()
            raise
        finally:
            self._waiting = None
