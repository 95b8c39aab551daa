"""The details of turns on disk, so that those of older turns can be seen: one JSON object a line, only ever appended to
until the file is too long.

Nothing that was asked or answered stands here: a turn of the conversation finds its details by when it ended. What was
recalled for it does, until anything is forgotten for good.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from companion.app.events import Telling
from companion.app.turn_log import TurnRecord, TurnRecorded, forgotten
from companion.app.turn_rows import record_of, row_of
from companion.compose.journal import Journal
from companion.errors import CompanionError, StorageError, reason_of
from companion.settings.atomic import write_atomically
from companion.stream.tasks import Tasks
from companion.stream.threads import finish_in_thread

logger = logging.getLogger(__name__)

MOST_BYTES = 2 * 1024 * 1024
"""Of the file; of a longer one the newer half is kept. A turn takes about one of a thousand bytes."""
MOST_WAITING = 100
"""Turns that wait to be written."""
CLOSE = timedelta(seconds=5)
"""Between the end of a turn here and in the conversation, which is written a moment later."""
CLOSING_SECONDS = 1.0


class KeptTurns:
    """Blocking work on the file. Callable from any thread."""

    def __init__(self, file: Path, *, most: int = MOST_BYTES) -> None:
        self._file = file
        self._journal = Journal(file)
        self._most = most
        self._lock = threading.Lock()

    def add(self, records: Iterable[TurnRecord]) -> None:
        """Keep them; of one that is there already the newest counts.

        Raises:
            StorageError: the disk is full, or the like.
        """
        with self._lock:
            try:
                self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._journal.append("".join(map(_line, records)))
                is_long = self._file.stat().st_size > self._most
            except OSError as error:
                raise StorageError(
                    f"{self._file} could not be written: {reason_of(error)}",
                    file=str(self._file),
                    mend="Free some space or allow writing there.",
                ) from error
            if is_long:
                self._write(self._newer_half())

    def all(self) -> tuple[TurnRecord, ...]:
        """All that are kept, by their end; none where the file cannot be read."""
        newest = {record.at: record for record in self._read()}
        return tuple(sorted(newest.values(), key=_end))

    def forget_recalled(self) -> None:
        """Let go of what was recalled for them; that there was something stays.

        Raises:
            StorageError: the disk refused.
        """
        with self._lock:
            records = list(self._read())
            if any(one.text or one.reason for record in records for one in record.recalled):
                self._write(map(forgotten, records))

    def _newer_half(self) -> Sequence[TurnRecord]:
        records = self.all()
        return records[len(records) // 2 :]

    def _write(self, records: Iterable[TurnRecord]) -> None:
        write_atomically(self._file, "".join(map(_line, records)))

    def _read(self) -> Iterator[TurnRecord]:
        try:
            lines = self._file.read_bytes().split(b"\n")
        except FileNotFoundError:
            return
        except OSError as error:
            logger.warning("the details of older turns cannot be read: %s", reason_of(error))
            return
        for line in lines:
            record = _record(line)
            if record is not None:
                yield record


class TurnKeeper:
    """Writes down the details of turns as they are told, a moment later, and forgets what is to be forgotten.

    keeps: whether anything is to be written down.
    """

    def __init__(self, kept: KeptTurns, telling: Telling, *, keeps: bool) -> None:
        self._kept = kept
        self._waiting: dict[datetime, TurnRecord] = {}
        self._tasks = Tasks()
        self._writing: asyncio.Task[None] | None = None
        self._unsubscribe = telling.subscribe(self._note) if keeps else _nothing

    async def forget_recalled(self) -> None:
        """Something was forgotten for good, and turns that wait to be written know it already.

        Raises:
            StorageError: the disk refused.
        """
        await self._written()
        await finish_in_thread(self._kept.forget_recalled)

    async def close(self) -> None:
        """Write what waits; what takes longer than a moment is lost. May be called twice."""
        unsubscribe, self._unsubscribe = self._unsubscribe, _nothing
        unsubscribe()
        await self._written()
        await self._tasks.close()

    async def _written(self) -> None:
        if self._writing is not None:
            await asyncio.wait([self._writing], timeout=CLOSING_SECONDS)

    def _note(self, event: object) -> None:
        if not isinstance(event, TurnRecorded):
            return
        self._waiting[event.record.at] = event.record
        while len(self._waiting) > MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]
        if self._writing is None or self._writing.done():
            self._writing = self._tasks.start(self._write(), name="details of turns")

    async def _write(self) -> None:
        while self._waiting:
            records, self._waiting = tuple(self._waiting.values()), {}
            try:
                await finish_in_thread(partial(self._kept.add, records))
            except CompanionError as error:
                logger.warning("the details of a turn are not kept: %s", error)


class EndedTurns:
    """Finds the details of a turn of the conversation. records: by their end."""

    def __init__(self, records: Sequence[TurnRecord]) -> None:
        self._records = records
        self._ends = [_end(record) for record in records]

    def at(self, ended: datetime | None) -> TurnRecord | None:
        """The turn that ended nearest to that moment; None where none did."""
        if ended is None:
            return None
        place = bisect_left(self._ends, ended)
        near = [one for one in (place - 1, place) if 0 <= one < len(self._ends)]
        best = min(near, key=lambda one: abs(self._ends[one] - ended), default=None)
        return self._records[best] if best is not None and abs(self._ends[best] - ended) <= CLOSE else None


def _nothing() -> None: ...


def _end(record: TurnRecord) -> datetime:
    return record.ended or record.at


def _line(record: TurnRecord) -> str:
    """Without a word of what was asked and answered."""
    return json.dumps(row_of(replace(record, asked="", written="", said="")), ensure_ascii=False) + "\n"


def _record(line: bytes) -> TurnRecord | None:
    """The turn of a line; None where it is none."""
    try:
        fields = json.loads(line) if line else None
        return record_of(fields) if isinstance(fields, dict) else None
    except (ValueError, RecursionError):
        return None
