"""``memory.db`` as blocking work: connections, transactions, migrations, and mending what is damaged.

SQLite by apsw, which brings its own: the system's may have a bug of WAL mode that damages files. One thread writes, a
few read. A write is on the disk when it returns (WAL, ``synchronous=FULL``). What the disk refuses is a StorageError
and leaves the file as it was; the next try opens it anew, so that a folder may become writable again.
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import apsw

from companion.errors import NewerFile, StorageError, reason_of
from companion.memory.backups import DAMAGED, LEAST, REPLACED, Backups
from companion.memory.damage import look_for_damage, mend_indexes
from companion.memory.migrations import OURS, Migration

logger = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[[apsw.Connection], T]

NAME = "memory.db"
READERS = 2
_BUSY_MS = 5_000
_STEPS = 10_000
"""Of SQLite's machine between two looks at the clock."""
_PATIENCE = 60.0
"""Seconds in which the readers give up their connections."""
_SMALL, _MIDDLING = 16 << 20, 64 << 20
"""Bytes. A file up to this is looked through at every start: wholly, and without comparing its indexes."""
_SETTINGS = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -8000;
    PRAGMA journal_size_limit = 16777216;
"""
_READING = "PRAGMA query_only = ON; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY"
_READING_ALONE = "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY"
_REFUSED = (
    apsw.FullError,
    apsw.IOError,
    apsw.ReadOnlyError,
    apsw.CantOpenError,
    apsw.PermissionsError,
    apsw.BusyError,
    apsw.LockedError,
    apsw.InterruptError,
)
"""What is the disk's doing or another process's, and may go well later."""


def owe_wiping(connection: apsw.Connection) -> None:
    """Note, in the transaction that deletes something for good, that no copy of it may be left."""
    connection.pragma("user_version", 1)


def owes_wiping(connection: apsw.Connection) -> bool:
    """Whether something was deleted for good of which copies may be left."""
    return bool(connection.pragma("user_version"))


def wiped(connection: apsw.Connection) -> None:
    """Note that no copy is left."""
    connection.pragma("user_version", 0)


class Damaged(Exception):
    """The file is not what was written to it. Never leaves this room."""


class Database:
    """The file in ``folder``; ``open`` it first.

    One thread may call ``write``, ``mend`` and ``close``, any thread ``read``.
    """

    def __init__(
        self, folder: Path, clock: Callable[[], datetime], migrations: Sequence[Migration], tell: Callable[[str], None]
    ) -> None:
        self.file = folder / NAME
        self.backups = Backups(folder / "backups", self.file, clock)
        self._clock = clock
        self._migrations = tuple(sorted(migrations))
        self._tell = tell
        self._writer: apsw.Connection | None = None
        self._readers: queue.Queue[apsw.Connection | None] = queue.Queue(READERS)
        for _ in range(READERS):
            self._readers.put(None)

    def open(self) -> None:
        """Get the file ready, mending what can be mended.

        Raises:
            StorageError: the disk does not let us; ``write`` tries again.
        """
        try:
            with self._refusals("opened"):
                self._open_writer()
        except Damaged as error:
            self.mend(str(error))

    def write(self, work: Work[T], *, until: float) -> T:
        """The result of ``work``, all of whose changes are on the disk, or none.

        until: seconds of ``time.monotonic`` at which a statement is given up.

        Raises:
            StorageError: the disk refused.
            Damaged: the file is damaged; nothing was written.
            Exception: what ``work`` raised; nothing was written.
        """
        with self._refusals("stored"):
            connection = self._writer or self._open_writer()
            with _deadline(connection, until), _transaction(connection):
                return work(connection)

    def read(self, work: Work[T], *, until: float) -> T:
        """The result of ``work``, which sees the file as it stood at one moment; ``until`` as for ``write``.

        Raises:
            StorageError: the disk refused.
            Damaged: the file is damaged.
            Exception: what ``work`` raised.
        """
        connection = self._free_reader()
        try:
            with self._refusals("read"):
                connection = connection or self._open_reader()
                with _deadline(connection, until), _transaction(connection, "DEFERRED"):
                    return work(connection)
        finally:
            self._readers.put(connection)

    def close(self) -> None:
        """Leave one whole file behind. May be called twice."""
        self._close_readers()
        self._close_writer()

    def mend(self, why: str) -> None:
        """Build indexes anew if only they are wrong, else put the newest good backup in the file's place.

        Raises:
            StorageError: the disk does not let us.
        """
        self._close_readers()
        if self._writer is not None:
            with self._refusals("mended"), closing(apsw.Connection(str(self.file))) as fresh:
                # What the others have in their caches says nothing of the file.
                wrong = look_for_damage(fresh, whole=True)
                if not wrong:
                    return
                if mend_indexes(fresh, wrong):
                    self._tell(f"{NAME} had a damaged index; it was built anew and nothing is lost")
                    return
        self.restore(why)

    def restore(self, why: str, *, is_asked_for: bool = False) -> Path | None:
        """Set the file aside and put the newest good backup in its place, or a new file where there is none.

        is_asked_for: the file may be good; without a good backup it stays. The backup that was taken.

        Raises:
            StorageError: the disk does not let us, or there is no good backup; the file is where it was.
        """
        with self._refusals("restored"):
            good = self.backups.newest_good()
            if good is None and is_asked_for:
                raise StorageError(
                    f"{NAME} stays as it is: no good backup was found",
                    file=str(self.file),
                    mend="Make one: companion memory backup",
                )
            self._close_readers()
            self._close_writer()
            self._tell(self.backups.restore(why, good, kind=REPLACED if is_asked_for else DAMAGED))
            try:
                self._open_writer()
            except Damaged as error:
                raise storage_error(self.file, "restored", error) from error
        return good

    def check(self, *, until: float) -> tuple[str, ...]:
        """What is wrong with the file, one line each; the whole of it is read. ``until`` as for ``write``.

        Raises:
            StorageError: the disk refused.
        """
        return self.read(lambda connection: look_for_damage(connection, whole=True), until=until)

    def wipe(self) -> None:
        """Leave nothing of what was deleted in the write-ahead log.

        Raises:
            StorageError: the disk refused.
        """
        self._close_readers()
        with self._refusals("wiped"):
            connection = self._writer or self._open_writer()
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

    def _open_writer(self) -> apsw.Connection:
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        was_cut_off = _size(self.file.with_name(NAME + "-wal")) > 0
        is_new = not self.file.exists()
        if is_new and self.backups.newest() is not None:
            self._tell(f"{NAME} was gone and a new one was begun; `companion memory restore` brings back a backup")
        if not is_new and _size(self.file) < LEAST and (_size(self.file) or self.backups.newest() is not None):
            raise Damaged("it was empty")
        # Those who read while it could not be written see nothing new.
        self._close_readers()
        connection = apsw.Connection(str(self.file))
        try:
            with suppress(OSError):  # on a read-only disk, or one that has no modes
                self.file.chmod(0o600)
            self._prepare(connection, was_cut_off=was_cut_off)
        except BaseException:
            connection.close(force=True)
            raise
        self._writer = connection
        return connection

    def _prepare(self, connection: apsw.Connection, *, was_cut_off: bool) -> None:
        connection.set_busy_timeout(_BUSY_MS)
        try:
            if connection.readonly("main"):
                raise apsw.ReadOnlyError("the file or its folder is read-only")
            if connection.pragma("application_id") not in (0, OURS):
                raise Damaged("it is another program's")
            # apsw runs what follows a row only when the row is taken.
            connection.execute(_SETTINGS).fetchall()
            size = _size(self.file)
            if was_cut_off or size <= _MIDDLING:
                self._mend_at_start(connection, look_for_damage(connection, whole=was_cut_off or size <= _SMALL))
            connection.pragma("application_id", OURS)
            self._migrate(connection)
        except (apsw.CorruptError, apsw.NotADBError) as error:
            raise Damaged("it was damaged") from error

    def _mend_at_start(self, connection: apsw.Connection, wrong: tuple[str, ...]) -> None:
        if not wrong:
            return
        if not mend_indexes(connection, wrong):
            raise Damaged("it was damaged")
        self._tell(f"{NAME} had a damaged index; it was built anew and nothing is lost")

    def _migrate(self, connection: apsw.Connection) -> None:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations(number INTEGER PRIMARY KEY, title TEXT NOT NULL, at TEXT NOT NULL)"
        )
        done = {number for (number,) in connection.execute("SELECT number FROM migrations")}
        if unknown := done - {step.number for step in self._migrations}:
            raise NewerFile(
                f"{self.file} was written by a newer companion (its step {max(unknown)} is unknown)",
                file=str(self.file),
                mend="Update the companion.",
            )
        if done and any(step.number not in done for step in self._migrations):
            # Without room for a copy the steps run all the same: each is whole or not at all.
            with suppress(apsw.Error, OSError):
                self.backups.make()
        for step in self._migrations:
            if step.number not in done:
                with _transaction(connection):
                    connection.execute(step.sql).fetchall()
                    note = (step.number, step.title, self._clock().isoformat())
                    connection.execute("INSERT INTO migrations VALUES(?, ?, ?)", note)

    def _open_reader(self) -> apsw.Connection:
        try:
            return self._opened(str(self.file), apsw.SQLITE_OPEN_READWRITE, _READING)
        except (apsw.ReadOnlyError, apsw.CantOpenError):
            # No shared memory file can be made there. Whoever owns the data folder is its one user.
            way = "nolock=1" if _size(self.file.with_name(NAME + "-wal")) else "immutable=1"
            uri = f"{self.file.absolute().as_uri()}?mode=ro&{way}"
            flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
            return self._opened(uri, flags, _READING_ALONE)

    def _opened(self, place: str, flags: int, settings: str) -> apsw.Connection:
        connection = apsw.Connection(place, flags=flags)
        try:
            connection.set_busy_timeout(_BUSY_MS)
            connection.execute(settings).fetchall()
            connection.execute("SELECT 1 FROM sqlite_schema").fetchall()
        except BaseException:
            # What one connection holds open the others of this process share.
            connection.close(force=True)
            raise
        return connection

    def _close_readers(self) -> None:
        closed = 0
        try:
            for _ in range(READERS):
                connection = self._free_reader()
                closed += 1
                if connection is not None:
                    connection.close(force=True)
        finally:
            for _ in range(closed):
                self._readers.put(None)

    def _free_reader(self) -> apsw.Connection | None:
        try:
            return self._readers.get(timeout=_PATIENCE)
        except queue.Empty:
            raise storage_error(self.file, "reached", TimeoutError("others read it for too long")) from None

    def _close_writer(self) -> None:
        connection, self._writer = self._writer, None
        if connection is not None:
            # A full disk may refuse to move the log into the file; the next start does it.
            with suppress(apsw.Error):
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            connection.close(force=True)

    @contextmanager
    def _refusals(self, done: str) -> Iterator[None]:
        """Say in our words what SQLite or the system refuses."""
        try:
            yield
        except (apsw.CorruptError, apsw.NotADBError) as error:
            raise Damaged("it was damaged") from error
        except (*_REFUSED, OSError) as error:
            if not isinstance(error, apsw.FullError | apsw.InterruptError | apsw.BusyError) and done != "read":
                # A folder that becomes writable again is seen by opening the file anew.
                self._close_writer()
            raise storage_error(self.file, done, error) from error


def storage_error(file: Path, done: str, error: Exception) -> StorageError:
    """Nothing could be ``done`` with the file."""
    reason = reason_of(error)
    return StorageError(
        f"memory could not be {done} ({file}: {reason})",
        file=str(file),
        mend="Free some space or allow writing there; what is stored is as it was.",
    )


@contextmanager
def _deadline(connection: apsw.Connection, until: float) -> Iterator[None]:
    connection.set_progress_handler(lambda: time.monotonic() >= until, _STEPS)
    try:
        yield
    finally:
        connection.set_progress_handler(None)


@contextmanager
def _transaction(connection: apsw.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    connection.execute(f"BEGIN {kind}")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A full disk has ended it already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
