"""The index, reached from the event loop: one thread writes, one reads, and neither waits for the other.

A damaged index is thrown away and made anew; ``problems`` says so, and the next look at the files fills it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from companion.errors import StorageError
from companion.knowledge.index_file import (
    Entry,
    IndexDamaged,
    Known,
    drop_files,
    index_error,
    known_files,
    open_index,
    open_reader,
    put_file,
    remove_index,
    touch_file,
)
from companion.knowledge.scan import FileKey

if TYPE_CHECKING:
    import apsw

logger = logging.getLogger(__name__)

T = TypeVar("T")

READ_DEADLINE = 5.0
"""Seconds for one question, waiting included."""
MOST_WAITING = 64
"""Questions that may wait at a time."""
_LAST_WORD = 5.0
_MOST_PROBLEMS = 20
_AT_ONCE = 200
"""Files that are taken out in one transaction."""


class Index:
    """The passages of the user's files. Made by ``open``. Every method may raise StorageError."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.problems: deque[str] = deque(maxlen=_MOST_PROBLEMS)
        """What a person should know of the index, oldest first."""
        self._writing = ThreadPoolExecutor(1, "knowledge-writer")
        self._reading = ThreadPoolExecutor(1, "knowledge-reader")
        self._writer: apsw.Connection | None = None
        self._reader: apsw.Connection | None = None
        self._is_closed = False
        self._waiting = 0
        self._renewing = asyncio.Lock()
        self._renewals = 0

    @classmethod
    async def open(cls, file: Path) -> Self:
        """The index in ``file``; where the disk does not let us in, ``problems`` says so and later calls try again."""
        index = cls(file)
        try:
            await index._write(lambda connection: None)
        except StorageError as error:
            index._tell(str(error))
        return index

    async def known(self) -> dict[FileKey, Known]:
        """Every file of the index."""
        return await self._write(known_files)

    async def put(self, key: FileKey, entry: Entry) -> None:
        """Put a file into the index, in the place of what is there of it."""
        await self._write(lambda connection: put_file(connection, key, entry))

    async def touch(self, key: FileKey, mark: str) -> None:
        """The file is what it was, under another mark."""
        await self._write(lambda connection: touch_file(connection, key, mark))

    async def drop(self, keys: Sequence[FileKey]) -> None:
        """Take files out of the index."""
        for start in range(0, len(keys), _AT_ONCE):
            await self._write(partial(drop_files, keys=keys[start : start + _AT_ONCE]))

    async def ask(self, work: Callable[[apsw.Connection], T]) -> T:
        """Run ``work`` on the connection that reads.

        Raises:
            StorageError: the index cannot be read, or it took too long.
        """
        renewals = self._renewals
        try:
            return await self._read(work)
        except IndexDamaged as error:
            await self._renew(str(error), renewals)
            return await self._read(work)

    async def close(self) -> None:
        """Finish what runs. May be called twice."""
        if self._is_closed:
            return
        self._is_closed = True
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._reading, self._close_reader)
            await loop.run_in_executor(self._writing, self._close_writer)
        finally:
            self._writing.shutdown(wait=False)
            self._reading.shutdown(wait=False)

    async def _write(self, work: Callable[[apsw.Connection], T]) -> T:
        """A caller who is cancelled waits for the end of it, so that writes keep their order."""
        renewals = self._renewals
        try:
            return await self._finish(self._writing, lambda: self._on_writer(work))
        except IndexDamaged as error:
            await self._renew(str(error), renewals)
        try:
            return await self._finish(self._writing, lambda: self._on_writer(work))
        except IndexDamaged as error:
            raise StorageError(f"{self.file} could not be used: {error}", file=str(self.file)) from error

    async def _finish(self, where: Executor, work: Callable[[], T]) -> T:
        self._check_open()
        job = asyncio.get_running_loop().run_in_executor(where, work)
        try:
            return await asyncio.shield(job)
        except asyncio.CancelledError:
            await asyncio.wait([job])
            raise

    async def _read(self, work: Callable[[apsw.Connection], T]) -> T:
        self._check_open()
        if self._waiting >= MOST_WAITING:
            raise StorageError(
                "too many questions to your documents wait", file=str(self.file), mend="Try again in a moment."
            )
        self._waiting += 1
        job = asyncio.get_running_loop().run_in_executor(self._reading, lambda: self._on_reader(work))
        job.add_done_callback(self._has_ended)
        done, _ = await asyncio.wait([job], timeout=READ_DEADLINE)
        if not done:
            if self._reader is not None:
                self._reader.interrupt()
            done, _ = await asyncio.wait([job], timeout=_LAST_WORD)
        if not done:
            raise StorageError(f"{self.file} could not be read in time", file=str(self.file), mend="Try again.")
        return job.result()

    async def _renew(self, why: str, renewals: int) -> None:
        """Throw the file away, unless that was done since there were so many renewals."""
        async with self._renewing:
            if renewals != self._renewals:
                return
            self._renewals += 1
            self._tell(f"the index of your documents was damaged and is made anew ({why})")
            await self._finish(self._reading, self._close_reader)
            await self._finish(self._writing, self._remove)

    def _has_ended(self, job: asyncio.Future[T]) -> None:
        self._waiting -= 1
        if not job.cancelled():
            job.exception()  # whoever asked may have gone

    def _on_writer(self, work: Callable[[apsw.Connection], T]) -> T:
        import apsw

        try:
            if self._writer is None:
                self._writer = open_index(self.file)
            return work(self._writer)
        except (apsw.Error, OSError) as error:
            raise index_error(self.file, error) from error

    def _on_reader(self, work: Callable[[apsw.Connection], T]) -> T:
        import apsw

        try:
            if self._reader is None:
                self._reader = open_reader(self.file)
            return work(self._reader)
        except (apsw.Error, OSError) as error:
            raise index_error(self.file, error) from error

    def _remove(self) -> None:
        self._close_writer()
        remove_index(self.file)
        self._writer = open_index(self.file)

    def _close_writer(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _check_open(self) -> None:
        if self._is_closed:
            raise StorageError("knowledge is closed", file=str(self.file), mend="Restart the companion.")

    def _tell(self, problem: str) -> None:
        logger.error("%s", problem)
        if problem not in self.problems:
            self.problems.append(problem)
