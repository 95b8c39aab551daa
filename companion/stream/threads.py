"""Short blocking work, as a write to disk, kept off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def finish_in_thread(work: Callable[[], T]) -> T:
    """Run ``work`` on a thread. A caller who is cancelled still waits for its end, so that work keeps its order."""
    job = asyncio.get_running_loop().run_in_executor(None, work)
    try:
        return await asyncio.shield(job)
    except asyncio.CancelledError:
        await asyncio.wait([job])
        raise
