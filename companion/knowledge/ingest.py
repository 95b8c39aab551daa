"""Brings the index up to date with the files: what changed is read, what went is taken out, the rest is left alone.

Laws:

1. A file whose mark (size, times, number) is what it was is not opened; one whose bytes are what they were is not
   read again.
2. Trouble with a file is told by that file and stops no other. It is not tried again before the file changes.
3. What is still being written waits; ``pending`` counts it.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from companion.errors import CompanionError, FileUnreadable
from companion.knowledge.index import Index
from companion.knowledge.index_file import Entry, Known
from companion.knowledge.limits import USUAL, Limits
from companion.knowledge.opened import StillChanging, read_bytes
from companion.knowledge.reader_process import FileReader
from companion.knowledge.scan import FileKey, Root, Scan, Seen, scan, seen_at
from companion.stream.threads import finish_in_thread

logger = logging.getLogger(__name__)

Marks = dict[FileKey, str]


@dataclass(frozen=True, slots=True)
class Progress:
    """done of total files that have to be read; file: the one that was read last."""

    done: int
    total: int
    file: Path


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a look at the files came to.

    pending: files that were changing and wait for the next look. walk_seconds: for finding out what there is.
    """

    read: int = 0
    removed: int = 0
    unchanged: int = 0
    failed: int = 0
    pending: int = 0
    walk_seconds: float = 0.0


async def at_once() -> None:
    """Nobody is in the way."""


class Ingest:
    """One look at a time, and one file at a time; a single file comes in between the files of a look.

    on_progress: called on the loop after each file; it must not raise.
    before_each: awaited before each file is read; it may hold back for whom the machine is needed.
    """

    def __init__(
        self,
        index: Index,
        reader: FileReader,
        limits: Limits = USUAL,
        *,
        on_progress: Callable[[Progress], None] = lambda progress: None,
        before_each: Callable[[], Awaitable[None]] = at_once,
    ) -> None:
        self._index = index
        self._reader = reader
        self._limits = limits
        self._on_progress = on_progress
        self._before_each = before_each
        self._looking = asyncio.Lock()
        self._taking = asyncio.Lock()
        self._passages = 0
        self.seen: Marks = {}
        """The marks of the last look."""
        self.walk_problems: dict[Path, str] = {}
        """What could not be looked into, or was left out, at the last look."""
        self._unwanted: set[Path] = set()

    async def look(self, roots: tuple[Root, ...], *, settled_since: Marks | None = None) -> Refreshed:
        """Bring the index up to date.

        settled_since: the marks of an earlier look; what is not as it was then is still changing, and waits.

        Raises:
            StorageError: the index cannot be written.
            SetupError: there is nobody to read files.
        """
        async with self._looking:
            try:
                return await self._look(roots, settled_since)
            finally:
                async with self._taking:
                    await self._reader.close()

    def leave_out(self, folders: Iterable[Path]) -> None:
        """A look that goes on reads no more of these."""
        self._unwanted.update(folders)

    async def look_at(self, key: FileKey) -> None:
        """Bring the index up to date with one file of ours, which was just written. Raises as ``look`` does."""
        seen = await finish_in_thread(lambda: seen_at(key))
        known = (await self._index.known()).get(key)
        try:
            await self._take(key, seen, known)
        finally:
            if not self._looking.locked():
                async with self._taking:
                    await self._reader.close()

    async def _look(self, roots: tuple[Root, ...], settled_since: Marks | None) -> Refreshed:
        clock = asyncio.get_running_loop().time
        # Before the walk: what comes in between the two is then not taken for gone.
        known = await self._index.known()
        self._passages = sum(entry.passages for entry in known.values())
        began = clock()
        found = await finish_in_thread(lambda: scan(roots, self._limits))
        walked = clock() - began
        self.seen = {key: seen.mark for key, seen in found.files.items()}
        self.walk_problems = found.problems
        gone = [key for key in known if key not in found.files and not self._may_come_back(key, roots, found)]
        await self._index.drop(gone)
        changed = [key for key, seen in found.files.items() if key not in known or known[key].mark != seen.mark]
        settled = [key for key in changed if settled_since is None or settled_since.get(key) == found.files[key].mark]
        outcomes: list[str] = []
        self._unwanted.clear()
        for key in settled:
            await self._before_each()
            if key.root in self._unwanted:
                outcomes.append("pending")
                continue
            outcomes.append(await self._take(key, found.files[key], known.get(key)))
            self._on_progress(Progress(len(outcomes), len(settled), key.file))
        return Refreshed(
            read=outcomes.count("read"),
            removed=len(gone),
            unchanged=len(found.files) - len(changed) + outcomes.count("same"),
            failed=outcomes.count("failed"),
            pending=len(changed) - len(settled) + outcomes.count("pending"),
            walk_seconds=walked,
        )

    def _may_come_back(self, key: FileKey, roots: tuple[Root, ...], found: Scan) -> bool:
        return any(root.folder == key.root for root in roots) and found.may_hide(key)

    async def _take(self, key: FileKey, seen: Seen, known: Known | None) -> str:
        async with self._taking:
            try:
                return await self._read(key, seen, known)
            except StillChanging:
                return "pending"
            except FileUnreadable as error:
                # The names of the user's files are no matter for the log.
                logger.info("a %s file cannot be read: %s", seen.kind, error)
                await self._index.put(key, Entry(seen.kind, seen.mark, b"", problem=str(error)))
                return "failed"
            except CompanionError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever is odd about it, it stops no other file
                logger.error("a %s file cannot be taken in: %s", seen.kind, type(error).__name__)
                await self._index.put(key, Entry(seen.kind, seen.mark, b"", problem="it cannot be taken in"))
                return "failed"

    async def _read(self, key: FileKey, seen: Seen, known: Known | None) -> str:
        raw, mark = await finish_in_thread(lambda: read_bytes(key, seen, self._limits))
        digest = await finish_in_thread(lambda: hashlib.sha256(raw).digest())
        if known is not None and known.digest == digest and known.kind == seen.kind:
            await self._index.touch(key, mark)
            return "same"
        if self._passages >= self._limits.all_passages:
            raise FileUnreadable(f"the index holds {self._limits.all_passages:,} passages, and no more")
        read = await self._reader.read(seen.kind, raw)
        self._passages += len(read.passages) - (known.passages if known else 0)
        await self._index.put(key, Entry(seen.kind, mark, digest, read.title, read.notes, "", read.passages))
        return "read"
