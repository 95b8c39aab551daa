"""The body of an answer as it comes over its line, read by tasks that nobody cancels.

A task that is cancelled while httpx gives a connection back leaves the connection lost to its pool for ever. So a wait
is given up and not the read behind it; and a line is left by closing its socket, which ends the read.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from companion.stream.tasks import Tasks

if TYPE_CHECKING:
    import httpx

logger = logging.getLogger(__name__)

_MERCY = 5.0
"""Seconds a read may take to see that its socket is closed, before it is cancelled all the same."""


class Body:
    """Reads the body of ``response``. One reader at a time."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._pieces = response.aiter_bytes()
        self._tasks = Tasks()
        self._reading: asyncio.Task[None] | None = None
        self._leaving: asyncio.Task[None] | None = None
        self._piece = b""
        self._error: Exception | None = None

    async def pull(self, seconds: float) -> bytes:
        """The next piece; empty at the end. What a wait that was given up waited for comes with the next one.

        Raises:
            TimeoutError: nothing came within ``seconds``.
            httpx.TransportError, httpx.StreamError, httpx.DecodingError: the line broke, or was closed.
        """
        if self._reading is None:
            self._reading = self._tasks.start(self._read(), name="a piece of an answer")
        done, _ = await asyncio.wait([self._reading], timeout=seconds)
        if not done:
            raise TimeoutError
        self._reading = None
        if self._error is not None:
            raise self._error
        piece, self._piece = self._piece, b""
        return piece

    async def _read(self) -> None:
        try:
            self._piece = await anext(self._pieces, b"")
        except Exception as error:  # noqa: BLE001 - it is raised by ``pull``
            self._error = error

    async def close(self) -> None:
        """Close it. Idempotent, never raises; whoever is cancelled meanwhile still waits for its end."""
        if self._leaving is None:
            self._leaving = self._tasks.start(self._leave(), name="leaving an answer")
        if self._leaving.done():
            return
        try:
            await asyncio.wait([self._leaving])
        except asyncio.CancelledError:
            await asyncio.wait([self._leaving])
            raise

    async def _leave(self) -> None:
        try:
            await self._response.aclose()
            if self._reading is not None:
                await asyncio.wait([self._reading], timeout=_MERCY)
                self._reading.cancel()
            # Generators that httpx leaves half read would be cleaned up by tasks that nobody owns.
            while await anext(self._pieces, b""):
                continue
        except Exception as error:  # noqa: BLE001 - the line is given up; what its end says helps nobody
            logger.debug("a line did not close cleanly: %s", type(error).__name__)
