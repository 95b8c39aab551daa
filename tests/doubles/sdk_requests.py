"""What an official SDK sends, caught by a server on the loopback device."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

from doubles.provider_server import Asked, ProviderServer, Reply

KEY = "not-a-key"


async def sent_by(ask: Callable[[str], Any], answer: object) -> Asked:
    """The first request that ``ask`` sends to the address it is given; it gets ``answer``.

    ask: async, or blocking; then it runs on a thread.
    """
    async with ProviderServer([Reply.json(answer)]) as server:
        async with asyncio.timeout(20):
            if inspect.iscoroutinefunction(ask):
                await ask(server.url)
            else:
                await asyncio.to_thread(ask, server.url)
        return server.asked[0]
