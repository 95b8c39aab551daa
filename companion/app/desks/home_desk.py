"""The desk of the home page: timers, alarms and reminders without a word said."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from companion.app.minding.desks import Given, Row
from companion.app.paths import Paths
from companion.errors import BadInput, StorageError
from companion.settings.language import or_english
from companion.talents.timer_book import Kind, Timer
from companion.talents.timers import LONGEST_TIMER, MOST, Timers

LONGEST_LABEL = 200
"""Characters of a name, or of what to be reminded of."""
FARTHEST = timedelta(days=366)
"""How far ahead an alarm or a reminder may be set."""


class HomeDesk:
    """Implements ``Desk``. timers: None where their file cannot be read. clock: the local time, with its zone."""

    actions = ("list", "add", "cancel", "restore")

    def __init__(self, timers: Timers | None, paths: Paths, clock: Callable[[], datetime], *, language: str) -> None:
        self._timers = timers
        self._file = paths.timers
        self._clock = clock
        self._language = or_english(language)
        self._cancelled: deque[Timer] = deque(maxlen=MOST)

    async def perform(self, action: str, given: Given) -> Row:
        """``list``; ``add`` of ``kind``, ``label`` and ``seconds`` from now or ``at`` (local ISO time); ``cancel`` of
        ``id``; ``restore`` of what was cancelled under ``id``, as it was. Each answers with all that is set; ``add``
        and ``restore`` also with the new ``id``.
        """
        timers = self._opened()
        match action:
            case "add":
                return {"id": await self._add(timers, given)} | self._list(timers)
            case "restore":
                return {"id": await self._restore(timers, given.number("id", 0))} | self._list(timers)
            case "cancel":
                await self._cancel(timers, given.number("id", 0))
        return self._list(timers)

    def _opened(self) -> Timers:
        if self._timers is None:
            raise StorageError(
                "the file of the timers cannot be read",
                file=str(self._file),
                mend=f"Allow reading {self._file}, then start again.",
            )
        return self._timers

    def _list(self, timers: Timers) -> Row:
        now = self._clock()
        return {"timers": [_row(timer, now) for timer in timers.pending], "most": MOST}

    async def _add(self, timers: Timers, given: Given) -> int:
        now = self._clock()
        kind, label = _kind(given.text("kind")), given.text("label", "").strip()
        if len(label) > LONGEST_LABEL:
            raise BadInput(f"the text is longer than {LONGEST_LABEL} characters", mend="Shorten it.")
        if kind is Kind.REMINDER and not label:
            raise BadInput("a reminder says what to be reminded of", mend="Write a few words.")
        seconds = given.number("seconds", 0)
        due = now.astimezone(UTC) + _length(seconds) if seconds else _moment(given.text("at", ""), now)
        timer = Timer(kind, due, self._language, label=label, seconds=seconds, elapsing=bool(seconds))
        return await _set(timers, timer, now)

    async def _cancel(self, timers: Timers, number: int) -> None:
        gone = [timer for timer in timers.pending if timer.id == number]
        await timers.cancel([number])
        self._cancelled.extend(gone)

    async def _restore(self, timers: Timers, number: int) -> int:
        found = next((timer for timer in self._cancelled if timer.id == number), None)
        now = self._clock()
        if found is None or found.due <= now.astimezone(UTC):
            raise BadInput("its time has passed", mend="Set it anew.")
        restored = await _set(timers, found, now)
        self._cancelled.remove(found)
        return restored


async def _set(timers: Timers, timer: Timer, now: datetime) -> int:
    added = await timers.set(timer, now)
    if added is None:
        raise BadInput(f"{MOST} are set already", mend="Cancel one first.")
    return added.id


def _row(timer: Timer, now: datetime) -> Row:
    return {
        "id": timer.id,
        "kind": timer.kind.value,
        "label": timer.label,
        "seconds": timer.seconds,
        "due": timer.due.astimezone(now.tzinfo).isoformat(),
        "left": (timer.due - now.astimezone(UTC)).total_seconds(),
    }


def _kind(word: str) -> Kind:
    try:
        return Kind(word)
    except ValueError as error:
        raise BadInput(f"there is no {word[:40]!r} to set", mend=f"There are: {', '.join(Kind)}.") from error


def _length(seconds: int) -> timedelta:
    if not 0 < seconds <= LONGEST_TIMER.total_seconds():
        raise BadInput("a timer runs for up to 30 days", mend="Choose a shorter time.")
    return timedelta(seconds=seconds)


def _moment(at: str, now: datetime) -> datetime:
    """The moment of a local time, in UTC."""
    try:
        moment = datetime.fromisoformat(at)
    except ValueError as error:
        raise BadInput(f"{at[:40]!r} is no time", mend="Write it as 2026-03-01T18:30.") from error
    due = (moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)).astimezone(UTC)
    if not now.astimezone(UTC) < due <= now.astimezone(UTC) + FARTHEST:
        raise BadInput("that time has passed, or is more than a year away", mend="Choose another.")
    return due
