"""Copies of ``memory.db``, kept by age, and the newest good one put in its place when it is damaged.

Kept are the newest of each of the last seven days, of the last four weeks and of the last six months that have any.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import apsw

from companion.memory.damage import look_for_damage
from companion.settings.atomic import LEFT_OVER, sync_folder

logger = logging.getLogger(__name__)

DAYS, WEEKS, MONTHS = 7, 4, 6
_STAMP = "%Y%m%dT%H%M%S%fZ"
_NAME = re.compile(r"memory-(\d{8}T\d{12}Z)\.db")
_COMPANIONS = ("", "-wal", "-shm")


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
        return sorted(file for file in self._folder.iterdir() if _NAME.fullmatch(file.name))

    def newest(self) -> Path | None:
        return next(reversed(self.all()), None)

    def make(self) -> Path:
        """Copy the database while others use it, and let go of copies that are too old.

        Raises:
            apsw.Error: it could not be copied; a damaged one cannot.
            OSError: the same.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = self._folder / f"memory-{self._clock().astimezone(UTC).strftime(_STAMP)}.db"
        fresh = made.with_name(made.name + LEFT_OVER)
        fresh.unlink(missing_ok=True)
        try:
            with closing(apsw.Connection(str(self._file), flags=apsw.SQLITE_OPEN_READWRITE)) as source:
                source.set_busy_timeout(5_000)
                source.execute("VACUUM INTO ?", (str(fresh),))
            fresh.chmod(0o600)
            _settle(fresh)
            if wrong := _wrong(fresh):
                raise apsw.CorruptError(wrong[0])
            fresh.replace(made)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
        sync_folder(self._folder)
        self._let_go()
        return made

    def _let_go(self) -> None:
        files = self.all()
        kept = to_keep(map(made_at, files))
        for file in files:
            if made_at(file) not in kept:
                file.unlink(missing_ok=True)

    def drop_before(self, kept: Path | None) -> None:
        """Remove every copy but ``kept``, and every file that was set aside: something was to be forgotten for good.

        Raises:
            OSError: one could not be removed.
        """
        for file in [*self.all(), *self._file.parent.glob(f"{self._file.name}.damaged-*")]:
            if file != kept:
                file.unlink(missing_ok=True)

    def restore(self, why: str) -> str:
        """Set the database aside, put the newest good copy in its place; what happened, for a person.

        Nobody may have the database open.

        Raises:
            OSError: the disk does not let us; what was set aside stays so.
        """
        good = next((file for file in reversed(self.all()) if not _wrong(file)), None)
        aside = self._set_aside()
        if good is None:
            return (
                f"{self._file.name} could not be used: {why}. It is kept as {aside}; "
                "no good backup was found, so a new one was begun"
            )
        fresh = self._file.with_name(self._file.name + LEFT_OVER)
        shutil.copyfile(good, fresh)
        fresh.chmod(0o600)
        _settle(fresh)
        fresh.replace(self._file)
        sync_folder(self._file.parent)
        return (
            f"{self._file.name} could not be used: {why}. It is kept as {aside}; "
            f"the backup of {made_at(good):%Y-%m-%d %H:%M} UTC took its place, and what came after it is missing"
        )

    def _set_aside(self) -> str:
        stamp = self._clock().astimezone(UTC).strftime(_STAMP)
        for ending in _COMPANIONS:
            part = self._file.with_name(self._file.name + ending)
            if part.exists():
                part.replace(part.with_name(f"{self._file.name}.damaged-{stamp}{ending}"))
        sync_folder(self._file.parent)
        return f"{self._file.name}.damaged-{stamp}"


def made_at(file: Path) -> datetime:
    """When a copy was made, by its name; in UTC."""
    found = _NAME.fullmatch(file.name)
    assert found is not None
    return datetime.strptime(found[1], _STAMP).replace(tzinfo=UTC)


def to_keep(made: Iterable[datetime]) -> set[datetime]:
    """Which copies are kept: the newest of each day, week and month that has one, as many as the module says."""
    newest_first = sorted(made, reverse=True)
    kept: set[datetime] = set()
    for span, most in (("%Y-%m-%d", DAYS), ("%G-%V", WEEKS), ("%Y-%m", MONTHS)):
        newest: dict[str, datetime] = {}
        for moment in newest_first:
            newest.setdefault(moment.strftime(span), moment)
        kept.update(list(newest.values())[:most])
    return kept


def _wrong(file: Path) -> tuple[str, ...]:
    try:
        with closing(apsw.Connection(f"{file.absolute().as_uri()}?immutable=1", flags=_LOOKING)) as copy:
            return look_for_damage(copy, whole=True)
    except apsw.Error as error:
        return (str(error),)


_LOOKING = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


def _settle(file: Path) -> None:
    handle = os.open(file, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
