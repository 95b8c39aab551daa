"""The memory of one companion: opened on first use, off the event loop, and gone without where it cannot be."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import CompanionError, MemoryFault, StorageError

if TYPE_CHECKING:
    from companion.app.minding.doomed import Elsewhere
    from companion.memory.context import Context
    from companion.memory.documents import Documents
    from companion.memory.graph import Graph
    from companion.memory.recall import Recall
    from companion.memory.store import Store
    from companion.memory.text_index import TextIndex

logger = logging.getLogger(__name__)

DOCUMENTS = "documents"
CONTEXT = "context.json"

Tell = Callable[[CompanionError], None]
"""Told what a person should know."""


@dataclass(frozen=True, slots=True)
class OpenMemory:
    """A memory that can be used."""

    store: Store
    graph: Graph
    documents: Documents
    context: Context
    texts: TextIndex
    recall: Recall
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a turn is added, and while something is forgotten: what is on its way is forgotten too."""
    elsewhere: Sequence[Elsewhere] = ()
    """Who else forgets turns that are to be forgotten."""

    @property
    def problems(self) -> tuple[str, ...]:
        """What a person should know of it."""
        return (*self.store.problems, *self.documents.problems, *self.context.problems)


class MemoryRoom:
    """Opens ``memory.db`` in ``folder`` when it is first asked for, and once.

    clock: the local time, with its zone. tell: told of trouble with the file, once each.
    """

    def __init__(self, folder: Path, clock: Callable[[], datetime], tell: Tell = lambda problem: None) -> None:
        self._folder = folder
        self._clock = clock
        self._tell = tell
        self._told: set[str] = set()
        self._opening = asyncio.Lock()
        self._open: OpenMemory | None = None
        self._failure: CompanionError | None = None
        self._is_closed = False
        self.wiped: list[Callable[[], Awaitable[None]]] = []
        """Called when something was forgotten for good, by whoever knows of it besides the memory."""
        self.elsewhere: list[Elsewhere] = []
        """Who knows of turns besides the memory."""

    @property
    def now(self) -> Callable[[], datetime]:
        return self._clock

    @property
    def open_now(self) -> OpenMemory | None:
        """The memory, where it is open already; asking opens nothing."""
        return self._open

    async def opened(self) -> OpenMemory:
        """The memory; it is opened where it is not.

        Raises:
            StorageError: it cannot be used; a newer companion has written it, or it was closed.
        """
        if self._open is None:
            async with self._opening:
                await self._try_to_open()
        assert self._open is not None
        self._tell_problems(self._open)
        return self._open

    async def close(self) -> None:
        """Finish what runs. May be called twice."""
        self._is_closed = True
        async with self._opening:
            opened, self._open = self._open, None
            if opened is not None:
                await _closed(opened)

    async def _try_to_open(self) -> None:
        if self._open is not None:
            return
        if self._is_closed:
            raise StorageError("memory is closed", file=str(self._folder), mend="Restart the companion.")
        if self._failure is not None:
            raise self._failure
        try:
            self._open = opened = await _opened(self._folder, self._clock, self.elsewhere)
            opened.store.wiped = self.wiped
        except CompanionError as failure:
            self._failure = failure
            raise

    def _tell_problems(self, opened: OpenMemory) -> None:
        for problem in opened.problems:
            if problem not in self._told:
                self._told.add(problem)
                self._tell(_told(problem, opened.store))


def _told(problem: str, store: Store) -> CompanionError:
    """What is over, and what is not."""
    if problem == store.trouble:
        return StorageError(problem, file=str(store.file), mend="Free some space or allow writing there.")
    return MemoryFault(problem, mend="Nothing else needs to be done.")


async def _closed(opened: OpenMemory) -> None:
    try:
        await opened.graph.close()
    finally:
        await opened.store.close()


async def _opened(folder: Path, clock: Callable[[], datetime], elsewhere: Sequence[Elsewhere]) -> OpenMemory:
    # The libraries take a moment to come in, and whoever is called off does not wait for them.
    await asyncio.to_thread(_import)
    from companion.memory.context import Context
    from companion.memory.documents import Documents
    from companion.memory.graph import Graph
    from companion.memory.recall import Recall
    from companion.memory.store import Store
    from companion.memory.text_index import TextIndex

    store = await Store.open(folder, clock)
    try:
        documents = await Documents.open(folder / DOCUMENTS, store, clock)
        context = await Context.open(folder / CONTEXT, spare=lambda: store.spare(CONTEXT))
    except BaseException:
        await store.close()
        raise
    graph, texts = Graph(store, clock), TextIndex(store)
    return OpenMemory(store, graph, documents, context, texts, Recall(graph, texts, context), elsewhere=elsewhere)


def _import() -> None:
    import companion.memory.context
    import companion.memory.documents
    import companion.memory.graph
    import companion.memory.recall
    import companion.memory.store
    import companion.memory.text_index  # noqa: F401
