"""The one place where memory is kept: ``memory.db``, reached from the event loop.

Laws:

1. One writer. Writes run one after the other, each in a transaction of its own, in the order they were asked for.
2. What ``write`` returned is on the disk. What it raised for is not in the file, but for one whose deadline passed
   while the disk was at work: that one may be.
3. A caller who is cancelled waits for the end of a write that has begun; one that has not begun never runs.
4. Trouble with the disk never stops the store: every later call tries again.
5. A damaged file is set aside and the newest good backup takes its place; ``problems`` says so.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Generic, Self, TypeVar

from companion.errors import MemoryBusy, NewerFile, StorageError
from companion.memory.database import READERS, Damaged, Database, Work, owes_wiping, storage_error, wiped
from companion.memory.migrations import MIGRATIONS, Migration

logger = logging.getLogger(__name__)

T = TypeVar("T")

MOST_WAITING = 256
"""Writes, and reads, that may wait at a time."""
DEADLINE = 30.0
"""Seconds for one write or read, waiting included."""
LONG_DEADLINE = 600.0
"""Seconds for a backup, a check or a restore."""
_LAST_WORD = 5.0
"""Seconds in which a statement that was given up ends."""
_MOST_PROBLEMS = 20


class Store:
    """``memory.db`` in a folder. Made by ``open``."""

    def __init__(self, database: Database, problems: deque[str]) -> None:
        self._database = database
        self._problems = problems
        self._writer = ThreadPoolExecutor(1, "memory-writer")
        self._readers = ThreadPoolExecutor(READERS, "memory-reader")
        self._waiting = 0
        self._trouble = ""
        self._is_closed = False
        self.wiped: Sequence[Callable[[], Awaitable[None]]] = ()
        """Called when something was deleted for good: who else may know of it forgets it too."""

    @classmethod
    async def open(
        cls, folder: Path, clock: Callable[[], datetime], *, migrations: Sequence[Migration] = MIGRATIONS
    ) -> Self:
        """The store in ``folder``; where the disk does not let us in, ``problems`` says so and later calls try again.

        clock: the local time with its zone.

        Raises:
            NewerFile: a newer companion has written it.
        """
        problems: deque[str] = deque(maxlen=_MOST_PROBLEMS)
        database = Database(folder, clock, migrations, _telling(problems))
        store = cls(database, problems)
        try:
            await store._run(store._writer, database.open, LONG_DEADLINE)
        except NewerFile:
            await store.close()
            raise
        except StorageError as error:
            logger.error("%s", error)
            store._trouble = str(error)
        return store

    @property
    def problems(self) -> tuple[str, ...]:
        """What a person should know about the file: that it was restored, and that it cannot be written, while so."""
        return (*self._problems, self._trouble) if self._trouble else tuple(self._problems)

    @property
    def trouble(self) -> str:
        """Why nothing could be written the last time; empty where it could."""
        return self._trouble

    @property
    def file(self) -> Path:
        return self._database.file

    async def write(self, work: Work[T], *, deadline: float = DEADLINE) -> T:
        """Run ``work`` in one transaction on the writer's thread; it is on the disk when this returns.

        ``work`` may run twice, where the file had to be mended in between. deadline: seconds.

        Raises:
            StorageError: the disk is full, the folder read-only, or it took too long.
            MemoryBusy: too many wait already.
            Exception: what ``work`` raised.
        """
        until = time.monotonic() + deadline
        try:
            result = await self._mended(self._writer, lambda: self._database.write(work, until=until), deadline)
        except StorageError as error:
            self._trouble = str(error)
            raise
        self._trouble = ""
        return result

    async def read(self, work: Work[T], *, deadline: float = DEADLINE) -> T:
        """Run ``work`` on a connection that cannot write; it sees one moment of the file. deadline: seconds.

        Raises:
            StorageError: the file cannot be read, or it took too long.
            MemoryBusy: too many wait already.
            Exception: what ``work`` raised.
        """
        until = time.monotonic() + deadline
        return await self._mended(self._readers, lambda: self._database.read(work, until=until), deadline)

    async def backup(self) -> Path:
        """Copy the file as it is now, and let go of copies by their age.

        Raises:
            StorageError: it could not be copied.
        """
        return await self._run(self._readers, self._saved, LONG_DEADLINE)

    async def backups(self) -> tuple[Path, ...]:
        """The copies there are, oldest first."""
        return tuple(await self._run(self._readers, self._database.backups.all, DEADLINE))

    async def restore(self) -> Path:
        """Put the newest good backup in the place of the file, which is set aside; the backup that was taken.

        Raises:
            StorageError: the disk does not let us, or no backup is good; the file stays as it is.
        """
        why = "a backup was asked for"
        taken = await self._run(self._writer, lambda: self._database.restore(why, is_asked_for=True), LONG_DEADLINE)
        assert taken is not None
        return taken

    def spare(self, name: str) -> bytes | None:
        """A file that lies beside ``memory.db``, as the newest good backup has it; None where none has. It blocks."""
        import apsw

        try:
            return self._database.backups.spare(name)
        except (apsw.Error, OSError) as error:
            logger.warning("a backup could not be read: %s", type(error).__name__)
            return None

    async def check(self) -> tuple[str, ...]:
        """What was wrong with the file, one line each, nothing in a good one; it is mended when this returns.

        Raises:
            StorageError: it cannot be read, or not be mended.
        """
        try:
            until = time.monotonic() + LONG_DEADLINE
            wrong = await self._run(self._readers, lambda: self._database.check(until=until), LONG_DEADLINE)
        except Damaged as error:
            wrong = (str(error),)
        if wrong:
            await self._run(self._writer, lambda: self._database.mend("it was damaged"), LONG_DEADLINE)
        return wrong

    async def wipe(self) -> None:
        """Make sure that nothing of what was deleted is on the disk: in the log, in backups, in files set aside.

        Raises:
            StorageError: the disk refused; some of it may still be there, and ``wipe_if_owed`` tries again.
        """
        for follower in self.wiped:
            await follower()
        await self._run(self._writer, self._wiped, LONG_DEADLINE)
        await self.write(wiped)

    async def wipe_if_owed(self) -> bool:
        """Wipe where something was deleted for good and no wipe has gone well since; whether it was so.

        Raises:
            StorageError: the disk refused.
        """
        is_owed = await self.read(owes_wiping)
        if is_owed:
            await self.wipe()
        return is_owed

    async def close(self) -> None:
        """Finish what runs and leave one whole file behind. May be called twice."""
        if self._is_closed:
            return
        self._is_closed = True
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._writer, self._database.close)
        finally:
            self._writer.shutdown(wait=False)
            self._readers.shutdown(wait=False)

    def _saved(self) -> Path:
        import apsw

        try:
            return self._database.backups.make()
        except (apsw.Error, OSError) as error:
            raise storage_error(self.file, "copied", error) from error

    def _wiped(self) -> None:
        self._database.wipe()
        kept = self._saved()
        try:
            self._database.backups.drop_before(kept)
        except OSError as error:
            raise storage_error(self.file, "wiped from every backup", error) from error

    async def _mended(self, where: Executor, work: Callable[[], T], deadline: float) -> T:
        """The result of ``work``; if the file was damaged, it is mended and ``work`` runs once more."""
        try:
            return await self._run(where, work, deadline)
        except Damaged as error:
            why = str(error)
        await self._run(self._writer, lambda: self._database.mend(why), LONG_DEADLINE)
        try:
            return await self._run(where, work, deadline)
        except Damaged as error:
            raise storage_error(self.file, "used", error) from error

    async def _run(self, where: Executor, work: Callable[[], T], deadline: float) -> T:
        if self._is_closed:
            raise StorageError("memory is closed", file=str(self.file), mend="Restart the companion.")
        if self._waiting >= MOST_WAITING:
            raise MemoryBusy("too much waits to be stored or recalled", mend="Try again in a moment.")
        self._waiting += 1
        job = _Job(work)
        running = asyncio.get_running_loop().run_in_executor(where, job)
        running.add_done_callback(self._has_ended)
        try:
            done, _ = await asyncio.wait([running], timeout=deadline)
        except asyncio.CancelledError:
            if job.withdraw():
                raise
            await asyncio.wait([running], timeout=deadline)
            raise
        if not done and not job.withdraw():
            done, _ = await asyncio.wait([running], timeout=_LAST_WORD)
        if done:
            return running.result()
        raise storage_error(self.file, "reached", TimeoutError("the disk takes too long"))

    def _has_ended(self, running: asyncio.Future[T]) -> None:
        self._waiting -= 1
        if not running.cancelled():
            running.exception()  # whoever asked may have gone


class _Job(Generic[T]):
    """Work that can be withdrawn until it begins."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._turns = deque([None])

    def withdraw(self) -> bool:
        """Whether it had not begun; it never will then."""
        try:
            self._turns.pop()
        except IndexError:
            return False
        return True

    def __call__(self) -> T:
        if not self.withdraw():
            raise asyncio.CancelledError
        return self._work()


def _telling(problems: deque[str]) -> Callable[[str], None]:
    def tell(problem: str) -> None:
        logger.error("%s", problem)
        if problem not in problems:
            problems.append(problem)

    return tell
