"""A limit of time of which whoever works inside can tell that it ran out.

To be called off looks the same whatever the reason. Who guards an endpoint has to know it: that the user spoke says
nothing of the endpoint, that it let one wait too long does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar

_limits: ContextVar[tuple[asyncio.Timeout, ...]] = ContextVar("companion_patience", default=())


@asynccontextmanager
async def patience(seconds: float | None) -> AsyncIterator[asyncio.Timeout]:
    """As ``asyncio.timeout``: what is inside is called off after ``seconds``; None: never.

    Raises:
        TimeoutError: it was.
    """
    async with asyncio.timeout(seconds) as limit:
        token = _limits.set((*_limits.get(), limit))
        try:
            yield limit
        finally:
            _limits.reset(token)


def has_run_out() -> bool:
    """Whether the patience of somebody who waits for what is done here has run out."""
    return any(limit.expired() for limit in _limits.get())
