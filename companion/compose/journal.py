"""The file of a conversation: one JSON object a line, only ever appended to."""

from __future__ import annotations

import os
import shutil
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from companion.compose.entry import Entry, from_line
from companion.settings.atomic import LEFT_OVER, sync_folder

_BLOCK = 256 * 1024
"""Bytes read from the end of the file at first."""


class Recovered(NamedTuple):
    """What a journal holds."""

    entries: list[Entry]
    """The newest ones, oldest first."""
    problems: tuple[str, ...]
    """What was mended or left out, one line each."""


class Journal:
    """Blocking work on one file, for one writer. Every method may raise OSError."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def append(self, lines: str) -> None:
        """Add whole lines; they are on the disk when this returns, or not in the file at all."""
        is_new = not self._file.exists()
        handle = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            size = os.fstat(handle).st_size
            try:
                _write_all(handle, lines.encode())
                os.fsync(handle)
            except OSError:
                # Half a line must not stand before the next one.
                os.ftruncate(handle, size)
                raise
        finally:
            os.close(handle)
        if is_new:
            sync_folder(self._file.parent)

    def remove(self) -> None:
        """Remove the file, if there is one."""
        self._file.unlink(missing_ok=True)

    def drop_latest(self, count: int) -> None:
        """Take the newest ``count`` entries off the end. A crash leaves the file as it was, or as it shall be."""
        if count <= 0 or not self._file.exists():
            return
        size = _BLOCK
        while True:
            raw, is_all = self._tail(size)
            kept, dropped = _without_latest(raw, count)
            if is_all or dropped == count:
                break
            size *= 4
        self._replace_tail(len(raw), kept)

    def _replace_tail(self, length: int, tail: bytes) -> None:
        fresh = self._file.with_name(self._file.name + LEFT_OVER)
        try:
            with self._file.open("rb") as old, fresh.open("wb") as new:
                fresh.chmod(0o600)
                shutil.copyfileobj(old, new)
                new.truncate(new.seek(-length, os.SEEK_END))
                new.write(tail)
                new.flush()
                os.fsync(new.fileno())
            fresh.replace(self._file)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
        sync_folder(self._file.parent)

    def recover(self, want: int) -> Recovered:
        """The newest ``want`` entries (all for zero or less), once a torn last line is out of the way."""
        if not self._file.exists():
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            return Recovered([], ())
        problems = self._mend_last_line()
        size = _BLOCK
        while True:
            raw, is_all = self._tail(size)
            entries, unreadable = _read(raw)
            if is_all or (0 < want <= len(entries)):
                break
            size *= 4
        if unreadable:
            problems += (f"{self._file.name}: {unreadable} unreadable lines were left out",)
        return Recovered(entries[-want:] if want > 0 else entries, problems)

    def _tail(self, size: int) -> tuple[bytes, bool]:
        """The whole lines in the last ``size`` bytes, and whether they are all."""
        with self._file.open("rb") as reading:
            start = max(reading.seek(0, os.SEEK_END) - size, 0)
            reading.seek(start)
            raw = reading.read()
        return (raw[raw.find(b"\n") + 1 :], False) if start else (raw, True)

    def _mend_last_line(self) -> tuple[str, ...]:
        """End the last line if it is whole, else move it out of the way."""
        with self._file.open("r+b") as mending:
            last = _unended(mending)
            if not last:
                return ()
            if _is_entry(last):
                mending.seek(0, os.SEEK_END)
                mending.write(b"\n")
                problem = f"{self._file.name}: the last line was not ended; it is now"
            else:
                aside = self._file.with_suffix(".torn")
                with aside.open("ab") as keeping:
                    keeping.write(last + b"\n")
                mending.truncate(mending.seek(0, os.SEEK_END) - len(last))
                problem = f"{self._file.name}: the last line was torn; it was moved to {aside.name}"
            mending.flush()
            os.fsync(mending.fileno())
        return (problem,)


def _unended(file: BinaryIO) -> bytes:
    """What stands behind the last line end."""
    end = file.seek(0, os.SEEK_END)
    size = _BLOCK
    while True:
        start = max(end - size, 0)
        file.seek(start)
        raw = file.read()
        if start == 0 or b"\n" in raw:
            return raw[raw.rfind(b"\n") + 1 :]
        size *= 4


def _read(raw: bytes) -> tuple[list[Entry], int]:
    """The entries of the lines in ``raw``, and how many lines are none."""
    entries: list[Entry] = []
    unreadable = 0
    for line in raw.split(b"\n"):
        try:
            if line:
                entries.append(from_line(line))
        except ValueError:
            unreadable += 1
    return entries, unreadable


def _without_latest(raw: bytes, count: int) -> tuple[bytes, int]:
    """The lines of ``raw`` without its newest ``count`` entries, and how many those were; what is no entry stays."""
    lines = raw.split(b"\n")
    entries = (place for place in range(len(lines) - 1, -1, -1) if lines[place] and _is_entry(lines[place]))
    dropped = set(islice(entries, count))
    return b"\n".join(line for place, line in enumerate(lines) if place not in dropped), len(dropped)


def _is_entry(line: bytes) -> bool:
    try:
        from_line(line)
    except ValueError:
        return False
    return True


def _write_all(handle: int, content: bytes) -> None:
    while content:
        content = content[os.write(handle, content) :]
