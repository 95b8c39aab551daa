"""A transformer at work for somebody who has to answer for it: held to begins, ends and a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from companion.errors import OutputLimit, RouteError, StreamClosed
from companion.stream import MessageChunk, Routes, Stream, Transformer
from companion.stream.growing import GrowingStreamBuilder


class Child:
    """Feeds ``work`` and reads what it makes.

    name: for errors, as "the voice of 'ann'". patience: seconds it may take from the end of its feed to its own.
    """

    def __init__(self, name: str, work: Transformer, patience: float) -> None:
        self._name = name
        self._work = work
        self._patience = patience
        self._feed = GrowingStreamBuilder()
        self._limit: asyncio.Timeout | None = None
        self._has_all = False

    def add(self, *chunks: MessageChunk) -> None:
        """Feed it. What it does not take any more, or cannot take in time, is for ``run`` to tell."""
        with suppress(StreamClosed, OutputLimit):
            self._feed.add(*chunks)

    def finish(self) -> None:
        """No more comes; from now on it has so much time."""
        self._has_all = True
        self._feed.done()
        self._set_deadline()

    async def run(self, take: Callable[[MessageChunk], None]) -> None:
        """Give ``take`` all that it makes.

        Raises:
            RouteError: its begins and ends do not pair up, or it did not end in time.
            CompanionError: it failed, or ``take`` did.
        """
        try:
            async with asyncio.timeout(None) as self._limit:
                self._set_deadline()
                made = await self._work.transform(self._feed.stream)
                try:
                    await self._read(made, take)
                finally:
                    await made.close()
        except TimeoutError:
            raise RouteError(f"{self._name} did not end within {self._patience:g} s") from None
        finally:
            self._limit = None
            await self._feed.stream.close()

    async def _read(self, made: Stream, take: Callable[[MessageChunk], None]) -> None:
        routes = Routes(begin_first=True)
        try:
            async for chunk in made:
                routes.accept(chunk)
                take(chunk)
            routes.finish()
        except RouteError as error:
            raise RouteError(f"{self._name}: {error}") from error
        if not self._has_all:
            raise RouteError(f"{self._name} ended before all was given to it")

    def _set_deadline(self) -> None:
        if self._has_all and self._limit is not None:
            self._limit.reschedule(asyncio.get_running_loop().time() + self._patience)
