"""What could not be stored yet: kept in order, bounded, and stored when the disk lets us.

Nothing of it counts as stored. What does not fit any more is refused, and whoever said it is told.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from companion.errors import KeptForLater, StorageError
from companion.memory.facts import Committed, Provenance, Triple

logger = logging.getLogger(__name__)

MOST_TRIPLES = 2_000
"""That are kept at a time."""


@dataclass(frozen=True, slots=True)
class Letter:
    """One commit on its way."""

    triples: tuple[Triple, ...]
    source: Provenance


class Outbox:
    """write: stores one letter; a StorageError means that it may go well later."""

    def __init__(self, write: Callable[[Letter], Awaitable[Committed]]) -> None:
        self._write = write
        self._letters: deque[Letter] = deque()
        self._sending = asyncio.Lock()

    def __len__(self) -> int:
        """How many commits wait."""
        return len(self._letters)

    async def send(self, letter: Letter) -> Committed:
        """Store what waits, then ``letter``.

        Raises:
            KeptForLater: it could not be stored; it waits here.
            StorageError: it could not be stored, and there is no room here either.
        """
        async with self._sending:
            try:
                await self._empty()
                return await self._write(letter)
            except StorageError as error:
                raise self._kept(letter, error) from error

    async def flush(self) -> int:
        """Store what waits; how many commits were stored.

        Raises:
            StorageError: the disk still does not let us; what was not stored waits on.
        """
        async with self._sending:
            return await self._empty()

    def drop(self, is_meant: Callable[[Triple, Provenance], bool]) -> int:
        """Forget what waits and is meant; how many facts that were."""
        before = self._count()
        letters = list(self._letters)
        self._letters.clear()
        for letter in letters:
            kept = tuple(triple for triple in letter.triples if not is_meant(triple, letter.source))
            if kept:
                self._letters.append(Letter(kept, letter.source))
        return before - self._count()

    async def _empty(self) -> int:
        stored = 0
        while self._letters:
            letter = self._letters[0]
            await self._write(letter)
            # A purge may have changed the letter while it was on its way.
            if self._letters and self._letters[0] is letter:
                self._letters.popleft()
            stored += 1
        if stored:
            logger.info("%d commits that had waited are stored", stored)
        return stored

    def _kept(self, letter: Letter, error: StorageError) -> StorageError:
        if self._count() + len(letter.triples) > MOST_TRIPLES:
            return StorageError(f"{error}, and no more can be kept until it can", file=error.file, mend=error.mend)
        self._letters.append(letter)
        logger.warning("a commit could not be stored; %d wait", len(self._letters))
        return KeptForLater(f"{error}; it is kept until it can", file=error.file, mend=error.mend)

    def _count(self) -> int:
        return sum(len(letter.triples) for letter in self._letters)
