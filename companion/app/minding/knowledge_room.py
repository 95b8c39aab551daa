"""The user's notes and documents, for one companion: opened on first use, kept up to date while nobody speaks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from companion.agent.stages import Recalled
from companion.errors import StorageError

if TYPE_CHECKING:
    from companion.knowledge import KnowledgeBase, Progress

logger = logging.getLogger(__name__)

MOST_FOUND = 5


async def at_once() -> None:
    """Nobody has to be waited for."""


class KnowledgeRoom:
    """Opens the knowledge of ``folder`` and of the ``folders`` the user has named when it is first asked for.

    cache: where the index lies. before_each: awaited before each file that is read in the background.
    on_progress: told after each.
    """

    def __init__(
        self,
        folder: Path,
        folders: Sequence[str],
        cache: Path,
        *,
        before_each: Callable[[], Awaitable[None]] = at_once,
        on_progress: Callable[[Progress], None] = lambda progress: None,
    ) -> None:
        self._folder = folder
        self._folders = [Path(one) for one in folders]
        self._cache = cache
        self._before_each = before_each
        self._on_progress = on_progress
        self._opening = asyncio.Lock()
        self._base: KnowledgeBase | None = None
        self._is_closed = False
        self.is_watched = False
        """Whether the index is being kept up to date."""

    async def opened(self) -> KnowledgeBase:
        """The knowledge; it is opened where it is not.

        Raises:
            BadInput: too many folders are named.
            StorageError: it was closed.
        """
        async with self._opening:
            if self._is_closed:
                raise StorageError("knowledge is closed", file=str(self._folder), mend="Restart the companion.")
            if self._base is None:
                self._base = await self._open()
            return self._base

    async def search(self, query: str) -> Sequence[Recalled]:
        """The passages that fit best, each with file and place.

        Raises:
            CompanionError: the index cannot be read.
        """
        from companion.knowledge import cite

        hits = await (await self.opened()).search(query, MOST_FOUND)
        return [Recalled(hit.text, cite(hit), hit.score, "words in common") for hit in hits]

    async def watch(self) -> NoReturn:
        """Keep the index up to date until cancelled."""
        base = await self.opened()
        self.is_watched = True
        await base.watch()

    async def close(self) -> None:
        """Give back what was opened. May be called twice."""
        self._is_closed = True
        async with self._opening:
            base, self._base = self._base, None
            if base is not None:
                await base.close()

    async def _open(self) -> KnowledgeBase:
        await asyncio.to_thread(_import)  # whoever is called off does not wait for it
        from companion.knowledge import KnowledgeBase

        return await KnowledgeBase.open(
            self._folder,
            self._folders,
            cache=self._cache,
            before_each=self._before_each,
            on_progress=self._on_progress,
        )


def _import() -> None:
    import companion.knowledge  # noqa: F401
