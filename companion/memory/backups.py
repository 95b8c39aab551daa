"""Copies of ``memory.db``, kept by age, and the newest good one put in its place when it is damaged.

Kept are the newest of each of the last seven days, of the last four weeks and of the last six months that have any.
Copies are numbered, so that the newest is told from the others whatever the clock said. Each holds the context and
the documents as well, which are files of their own.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import apsw

from companion.memory.damage import look_for_damage
from companion.memory.enclosed import bring_back, enclose, spare, take_out
from companion.memory.migrations import OURS
from companion.settings.atomic import LEFT_OVER, sync_folder

logger = logging.getLogger(__name__)

DAYS, WEEKS, MONTHS = 7, 4, 6
MOST_ASIDE = 3
"""Files of one kind that are set aside; the newest are kept."""
DAMAGED, REPLACED = "damaged", "replaced"
"""What a file was that was set aside: useless, or good and in the way of a backup that was asked for."""
LEAST = 512
"""Bytes. SQLite takes less for a new file."""
_STAMP = "%Y%m%dT%H%M%S%fZ"
_NAME = re.compile(r"memory-(?:(\d{6,12})-)?(\d{8}T\d{12}Z)\.db")
_COMPANIONS = ("-wal", "-shm")


class Backups:
    """The copies in ``folder`` of the database ``file``."""

    def __init__(self, folder: Path, file: Path, clock: Callable[[], datetime]) -> None:
        self._folder = folder
        self._file = file
        self._clock = clock

    def all(self) -> list[Path]:
        """Oldest first."""
        if not self._folder.is_dir():
            return []
        return sorted((file for file in self._folder.iterdir() if _NAME.fullmatch(file.name)), key=_place)

    def newest(self) -> Path | None:
        return next(reversed(self.all()), None)

    def newest_good(self) -> Path | None:
        """The newest copy that can take the place of the file."""
        return next((file for file in reversed(self.all()) if not _wrong(file)), None)

    def spare(self, name: str) -> bytes | None:
        """The file ``name`` beside the database as the newest good copy holds it; None where none does."""
        good = self.newest_good()
        return None if good is None else spare(good, name)

    def make(self) -> Path:
        """Copy the database while others use it, and let go of copies that are too old.

        Raises:
            apsw.Error: it could not be copied; a damaged one cannot.
            OSError: the same.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._drop_left_overs()
        number = max((_place(file)[0] for file in self.all()), default=0) + 1
        made = self._folder / f"memory-{number:06d}-{self._clock().astimezone(UTC).strftime(_STAMP)}.db"
        fresh = made.with_name(made.name + LEFT_OVER)
        try:
            with closing(apsw.Connection(str(self._file), flags=apsw.SQLITE_OPEN_READWRITE)) as source:
                source.set_busy_timeout(5_000)
                source.execute("VACUUM INTO ?", (str(fresh),))
            fresh.chmod(0o600)
            enclose(fresh, self._file.parent)
            _settle(fresh)
            if wrong := _wrong(fresh):
                raise apsw.CorruptError(wrong[0])
            fresh.replace(made)
        except BaseException:
            self._drop_left_overs()
            raise
        sync_folder(self._folder)
        self._let_go()
        return made

    def _drop_left_overs(self) -> None:
        """What a copy that was cut off has left."""
        for left in self._folder.glob(f"memory-*.db{LEFT_OVER}*"):
            left.unlink(missing_ok=True)

    def _let_go(self) -> None:
        files = self.all()
        kept = to_keep([made_at(file) for file in files])
        for place, file in enumerate(files):
            if place not in kept:
                file.unlink(missing_ok=True)

    def drop_before(self, kept: Path | None) -> None:
        """Remove every copy but ``kept``, and every file that was set aside: something was to be forgotten for good.

        Raises:
            OSError: one could not be removed.
        """
        self._drop_left_overs()
        beside = self._file.parent
        replaced = beside.glob(f"{self._file.name}.{REPLACED}-*")
        aside = [*beside.glob("*.damaged*"), *beside.glob("documents/*.damaged*"), *replaced, self._left_over]
        for file in [*self.all(), *aside]:
            if file != kept:
                file.unlink(missing_ok=True)

    @property
    def _left_over(self) -> Path:
        return self._file.with_name(self._file.name + LEFT_OVER)

    def restore(self, why: str, good: Path | None, *, kind: str = DAMAGED) -> str:
        """Put the copy ``good`` in the place of the database, which is set aside; what happened, for a person.

        Without a copy the place is left empty. Nobody may have the database open. kind: what the database is.

        Raises:
            OSError: the disk does not let us; the database is where it was.
        """
        fresh = self._copied(good) if good is not None else None
        aside = self._set_aside(kind, is_replaced=fresh is not None)
        fate = "was replaced" if kind == REPLACED else "could not be used"
        told = f"{self._file.name} {fate}: {why}. It is kept as {aside}"
        if good is None or fresh is None:
            return f"{told}; no good backup was found, so a new one was begun"
        fresh.replace(self._file)
        sync_folder(self._file.parent)
        try:
            bring_back(good, self._file.parent)
        except OSError as error:
            logger.warning("a document could not be brought back: %s", type(error).__name__)
        taken = f"the backup of {made_at(good):%Y-%m-%d %H:%M} UTC took its place"
        return f"{told}; {taken}, and what came after it is missing"

    def _copied(self, good: Path) -> Path:
        """The copy beside the database, whole and on the disk."""
        fresh = self._left_over
        try:
            shutil.copyfile(good, fresh)
            fresh.chmod(0o600)
            take_out(fresh)
            _settle(fresh)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
        return fresh

    def _set_aside(self, kind: str, *, is_replaced: bool) -> str:
        """Keep the database under another name. Where one ``is_replaced``, its own name is never without a file."""
        aside = self._free_name(kind)
        for ending in _COMPANIONS:
            part = self._file.with_name(self._file.name + ending)
            if part.exists():
                part.replace(aside.with_name(aside.name + ending))
        if self._file.exists() and not (is_replaced and _is_linked(self._file, aside)):
            self._file.replace(aside)
        sync_folder(self._file.parent)
        self._drop_aside(kind, aside.name)
        return aside.name

    def _drop_aside(self, kind: str, newest: str) -> None:
        """Keep only so many of the files that were set aside, by when they were, and ``newest`` in any case."""
        found = self._file.parent.glob(f"{self._file.name}.{kind}-*")
        names = {re.sub(f"({'|'.join(_COMPANIONS)})$", "", file.name) for file in found} - {newest}
        for name in sorted(names, reverse=True)[MOST_ASIDE - 1 :]:
            for ending in ("", *_COMPANIONS):
                with suppress(OSError):  # the next time
                    self._file.with_name(name + ending).unlink(missing_ok=True)

    def _free_name(self, kind: str) -> Path:
        stamp = self._clock().astimezone(UTC).strftime(_STAMP)
        names = (f"{self._file.name}.{kind}-{stamp}{f'-{more}' if more else ''}" for more in count())
        return next(file for name in names if not (file := self._file.with_name(name)).exists())


def made_at(file: Path) -> datetime:
    """When a copy was made, by its name; in UTC."""
    found = _NAME.fullmatch(file.name)
    assert found is not None
    return datetime.strptime(found[2], _STAMP).replace(tzinfo=UTC)


def _place(file: Path) -> tuple[int, datetime]:
    """What copies are ordered by: their numbers; those without are older than all that have one."""
    found = _NAME.fullmatch(file.name)
    assert found is not None
    return int(found[1] or 0), made_at(file)


def to_keep(made: Sequence[datetime]) -> set[int]:
    """The places of the copies that are kept: the newest of each day, week and month that has one.

    made: when each was made, by the clock of then, in the order they were made in.
    """
    kept: set[int] = set()
    for span, most in (("%Y-%m-%d", DAYS), ("%G-%V", WEEKS), ("%Y-%m", MONTHS)):
        newest: dict[str, int] = {}
        for place in reversed(range(len(made))):
            newest.setdefault(made[place].strftime(span), place)
        kept.update(list(newest.values())[:most])
    return kept


def _wrong(file: Path) -> tuple[str, ...]:
    """What is wrong with a copy, also one that is a sound database and none of ours."""
    try:
        if file.stat().st_size < LEAST:
            return ("it is empty",)
        with closing(apsw.Connection(f"{file.absolute().as_uri()}?immutable=1", flags=_LOOKING)) as copy:
            if copy.pragma("application_id") not in (0, OURS):
                return ("it is another program's",)
            if not copy.execute("SELECT count(*) FROM migrations").get:
                return ("nothing was ever stored in it",)
            return look_for_damage(copy, whole=True)
    except (apsw.Error, OSError) as error:
        return (str(error),)


_LOOKING = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


def _is_linked(file: Path, name: Path) -> bool:
    """Whether the file could get a second name; some disks do not know such a thing."""
    try:
        name.hardlink_to(file)
    except OSError:
        return False
    return True


def _settle(file: Path) -> None:
    handle = os.open(file, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
