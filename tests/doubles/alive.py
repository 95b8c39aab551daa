"""A companion that lives while a block runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from companion.app.companion import Companion


@asynccontextmanager
async def alive(companion: Companion) -> AsyncIterator[Companion]:
    """It has had a second to get up; it is closed in the end."""
    life = asyncio.create_task(companion.run())
    await asyncio.sleep(1.0)
    try:
        yield companion
    finally:
        life.cancel()
        await asyncio.gather(life, return_exceptions=True)
        await companion.close()
