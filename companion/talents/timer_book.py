"""The timers, reminders and alarms that are set, and the one file that keeps them.

One timer a line (NDJSON). The file is replaced as a whole, so a crash leaves the old or the new one.
Lines that cannot be read are left out; the file is then kept aside as it was, and that is told.

Timers and reminders "in ten minutes" run by elapsed time. The wall clock may jump while they run, as
on a Raspberry Pi that learns the time from the network after start; they are moved with it. What is
set for a time of day is not.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

from companion.errors import StorageError, reason_of
from companion.settings.atomic import write_atomically
from companion.stream.threads import finish_in_thread

logger = logging.getLogger(__name__)

_JUMP = 5.0
"""Seconds. Less is drift."""
_YEARS = range(1970, 9999)


class Kind(StrEnum):
    """What was asked for."""

    TIMER = "timer"
    REMINDER = "reminder"
    ALARM = "alarm"


@dataclass(frozen=True, slots=True)
class Timer:
    """One thing to announce."""

    kind: Kind
    due: datetime
    """In UTC."""
    language: str
    """BCP 47 tag it was set in, and is announced in."""
    id: int = 0
    """Given by the book."""
    label: str = ""
    """Its name, or what to be reminded of."""
    seconds: int = 0
    """Length of a timer, as it was asked for."""
    elapsing: bool = False
    """Whether it runs by elapsed time rather than for a time of day."""


class TimerBook:
    """All timers, soonest first.

    file: where they are kept.
    steady: seconds on a clock that runs while the machine sleeps and never jumps.

    Raises:
        StorageError: the file is there, but may not be read.
    """

    def __init__(self, file: Path, now: datetime, *, steady: Callable[[], float] | None = None) -> None:
        self._file = file
        self._steady = steady or steady_seconds
        self._seen = (now.astimezone(UTC), self._steady())
        self._changing = asyncio.Lock()
        self._has_moved = False
        self.trouble = ""
        """What was wrong with the file; empty when all was well."""
        self._timers = self._read()
        # An id is never given twice: somebody may still hold that of a timer which is gone.
        self._newest_id = max((timer.id for timer in self._timers), default=0)

    @property
    def timers(self) -> tuple[Timer, ...]:
        return self._timers

    def of_kind(self, kind: Kind) -> tuple[Timer, ...]:
        return tuple(timer for timer in self._timers if timer.kind is kind)

    async def add(self, timer: Timer, now: datetime) -> Timer:
        """Set a timer, by the clock of ``now``; returns it with an id of its own, when it is on disk.

        Raises:
            StorageError: it could not be kept, and is not set.
        """
        async with self._changing:
            # Jumps of the clock from before it was set are not its own.
            self._follow_the_clock(now)
            self._newest_id += 1
            added = replace(timer, id=self._newest_id)
            await self._change((*self._timers, added))
        return added

    async def exchange(self, number: int, timer: Timer, now: datetime) -> Timer:
        """Put a timer in the place of another, by the clock of ``now``; returns it with an id of its own.

        Raises:
            StorageError: it could not be kept, and the other is still set.
        """
        async with self._changing:
            self._follow_the_clock(now)
            self._newest_id += 1
            added = replace(timer, id=self._newest_id)
            await self._change((*(other for other in self._timers if other.id != number), added))
        return added

    async def remove(self, ids: Iterable[int]) -> None:
        """Forget timers.

        Raises:
            StorageError: that could not be kept, and they are still set.
        """
        gone = set(ids)
        async with self._changing:
            await self._change(timer for timer in self._timers if timer.id not in gone)

    def due(self, now: datetime) -> tuple[Timer, ...]:
        """What is due at ``now``; it stays due until it is removed."""
        self._follow_the_clock(now)
        return tuple(timer for timer in self._timers if timer.due <= now.astimezone(UTC))

    async def keep_moved(self) -> None:
        """Have on disk what a jump of the clock has moved.

        Raises:
            StorageError: it could not be kept; the next change tries again.
        """
        async with self._changing:
            if self._has_moved:
                await self._change(self._timers)

    async def _change(self, timers: Iterable[Timer]) -> None:
        after = _sorted(timers)
        lines = "".join(_line(timer) for timer in after)
        kept: list[bool] = []

        def keep() -> None:
            write_atomically(self._file, lines)
            kept.append(True)

        unkept, self._has_moved = self._has_moved, False
        try:
            await finish_in_thread(keep)
        finally:
            # Also when its caller was cancelled: what is on disk is what is set.
            if kept:
                # The clock may have jumped meanwhile; what it moved stays moved.
                moved = {timer.id: timer for timer in self._timers}
                self._timers = _sorted(moved.get(timer.id, timer) for timer in after)
            else:
                self._has_moved |= unkept

    def _follow_the_clock(self, now: datetime) -> None:
        wall, steady = now.astimezone(UTC), self._steady()
        jump = (wall - self._seen[0]).total_seconds() - (steady - self._seen[1])
        self._seen = (wall, steady)
        if abs(jump) <= _JUMP:
            return
        logger.warning("the clock jumped by %.0f seconds; running timers are moved with it", jump)
        moved = timedelta(seconds=jump)
        self._has_moved = any(timer.elapsing for timer in self._timers)
        self._timers = _sorted(
            replace(timer, due=timer.due + moved) if timer.elapsing else timer for timer in self._timers
        )

    def _read(self) -> tuple[Timer, ...]:
        try:
            raw = self._file.read_bytes()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise StorageError(
                f"{self._file} cannot be read: {reason_of(error)}", file=str(self._file), mend="Allow reading it."
            ) from error
        timers: list[Timer] = []
        for number, line in enumerate(raw.splitlines(), start=1):
            try:
                timers.append(_timer(line))
            except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
                logger.error("%s line %d cannot be read: %s", self._file.name, number, type(error).__name__)
                self.trouble = f"{self._file.name} line {number} cannot be read"
        if self.trouble:
            self._keep_aside(raw)
        return _sorted({timer.id: timer for timer in timers}.values())

    def _keep_aside(self, raw: bytes) -> None:
        kept = self._file.with_name(f"{self._file.name}.broken")
        try:
            kept.write_bytes(raw)
        except OSError as error:
            logger.error("%s could not be kept aside: %s", self._file.name, reason_of(error))
        else:
            self.trouble += f"; the file is kept as {kept.name}"


def steady_seconds() -> float:
    """Seconds that count on while the machine sleeps, where the system can tell."""
    clock: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


def _sorted(timers: Iterable[Timer]) -> tuple[Timer, ...]:
    return tuple(sorted(timers, key=lambda timer: (timer.due, timer.id)))


def _timer(line: bytes) -> Timer:
    entry = json.loads(line)
    if not isinstance(entry, dict):
        raise TypeError("no table")
    due = datetime.fromisoformat(entry["due"])
    if due.tzinfo is None:
        raise ValueError("its time has no zone")
    if due.astimezone(UTC).year not in _YEARS:
        raise ValueError("its time cannot be told in every zone")
    timedelta(seconds=int(entry.get("seconds", 0)))  # or it cannot be said
    json.dumps(entry, ensure_ascii=False).encode()  # nor written again
    return Timer(
        id=int(entry["id"]),
        kind=Kind(entry["kind"]),
        due=due.astimezone(UTC),
        language=str(entry["language"]),
        label=str(entry.get("label", "")),
        seconds=int(entry.get("seconds", 0)),
        elapsing=bool(entry.get("elapsing", False)),
    )


def _line(timer: Timer) -> str:
    entry = {
        "id": timer.id,
        "kind": timer.kind.value,
        "due": timer.due.isoformat(),
        "language": timer.language,
        "label": timer.label,
        "seconds": timer.seconds,
        "elapsing": timer.elapsing,
    }
    return json.dumps(entry, ensure_ascii=False) + "\n"
