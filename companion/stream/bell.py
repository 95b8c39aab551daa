"""How a stream wakes the reader that waits for it."""

from __future__ import annotations

import asyncio

from companion.errors import StreamBusy


class Bell:
    """One waits, anybody rings. A ring that nobody waits for is not kept: look first, then wait."""

    def __init__(self) -> None:
        self._waiting: asyncio.Future[None] | None = None

    def demand_free(self) -> None:
        """Refuse a second reader.

        Raises:
            StreamBusy: one is waiting.
        """
        if self._waiting is not None:
            raise StreamBusy("this stream already has a reader")

    async def wait(self) -> None:
        self._waiting = asyncio.get_running_loop().create_future()
        try:
            await self._waiting
        finally:
            self._waiting = None

    def ring(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)
