"""Who has the microphone and the loudspeaker: the conversation, or a trial that borrows them for a while."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import TypeAlias

from companion.errors import ControlError

LET_GO_WITHIN = 6.0
"""Seconds a conversation has to end a reply and close its devices."""

Borrow: TypeAlias = Callable[[], AbstractAsyncContextManager[None]]
"""Both devices are the borrower's while the context is open."""


class Loan:
    """One pair of devices. A sound card without a sound server opens only once, so two cannot have it."""

    def __init__(self) -> None:
        self._borrowers = 0
        self._was_asked_for = False
        self._returned = asyncio.Event()
        self._returned.set()
        self._unused = asyncio.Event()
        self._unused.set()

    @property
    def was_asked_for(self) -> bool:
        """Whether somebody wanted them since they were last taken into use: what used them did not end by itself."""
        return self._was_asked_for

    @property
    def is_out(self) -> bool:
        """Whether somebody has borrowed them."""
        return self._borrowers > 0

    async def over(self) -> None:
        """Wait until nobody has borrowed them."""
        await self._returned.wait()

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """The conversation has them open meanwhile."""
        self._unused.clear()
        self._was_asked_for = False
        try:
            yield
        finally:
            self._unused.set()

    @asynccontextmanager
    async def out(self, let_go: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
        """Have the conversation ``let_go``, wait until it has, and lend them while the block runs.

        Raises:
            ControlError: it does not let go.
        """
        self._borrowers += 1
        self._was_asked_for = True
        self._returned.clear()
        try:
            await self._let_go(let_go)
            yield
        finally:
            self._borrowers -= 1
            if not self._borrowers:
                self._returned.set()

    async def _let_go(self, let_go: Callable[[], Awaitable[None]]) -> None:
        try:
            async with asyncio.timeout(LET_GO_WITHIN):
                await let_go()
                await self._unused.wait()
        except TimeoutError as error:
            raise ControlError(
                "the companion does not let go of the microphone", mend="Try again in a moment."
            ) from error


@asynccontextmanager
async def nobody_has_them() -> AsyncIterator[None]:
    """A ``Borrow`` where no conversation goes on."""
    yield
