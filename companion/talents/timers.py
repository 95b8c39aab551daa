"""Timers, alarms and reminders: sets, lists and cancels them, and says what is due."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion.agent.plugin import Reply, Request
from companion.errors import PluginError, StorageError
from companion.talents.spoken.durations import duration_of, say_duration
from companion.talents.spoken.moments import moment_of, say_moment
from companion.talents.timer_book import Kind, Timer, TimerBook
from companion.talents.timer_phrases import (
    SAY,
    announcement,
    as_told_back,
    describe,
    how_long_left,
    listing,
    name_of,
)

MOST = 50
"""Timers, alarms and reminders kept at once."""
LONGEST_TIMER = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Due:
    """Something to announce now."""

    id: int
    text: str
    """The sentence to say."""
    language: str
    late: timedelta
    """How long ago it should have been said."""


class Timers:
    """Answers timer, alarm and reminder commands.

    What is due stays due until ``acknowledge``; call that when the announcement was said.

    file: where the timers are kept.
    now: the local time, with its zone.
    steady: see TimerBook.
    on_change: called when what is set has changed, after it is on the disk.
    """

    name = "timers"
    intents = frozenset(
        {"timer.set", "timer.extend", "timer.ask", "timer.left", "timer.list", "timer.cancel", "timer.cancel_all"}
        | {"alarm.set", "alarm.ask", "alarm.list", "alarm.cancel", "alarm.cancel_all"}
        | {"reminder.set", "reminder.ask", "reminder.list", "reminder.cancel", "reminder.cancel_all"}
        | {"reminder.repeating"}
    )

    def __init__(
        self,
        file: Path,
        now: datetime,
        *,
        steady: Callable[[], float] | None = None,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self._book = TimerBook(file, now, steady=steady)
        self._on_change = on_change
        self.changed = asyncio.Event()
        """Set when timers were set or cancelled; whoever waits for the next one clears it."""
        self._announced: set[int] = set()

    @property
    def trouble(self) -> str:
        """What was wrong with the file, one line; empty when all was well."""
        return self._book.trouble

    @property
    def pending(self) -> tuple[Timer, ...]:
        """What is set and was not announced, soonest first."""
        return tuple(timer for timer in self._book.timers if timer.id not in self._announced)

    async def set(self, timer: Timer, now: datetime) -> Timer | None:
        """Set one without words, at ``now``; returns it with its id, or None where ``MOST`` are set already.

        Raises:
            StorageError: it could not be kept, and is not set.
        """
        if len(self._book.timers) >= MOST:
            return None
        added = await self._book.add(timer, now)
        self._tell()
        return added

    async def cancel(self, ids: Iterable[int]) -> None:
        """Cancel these; those that are gone already do not matter.

        Raises:
            StorageError: that could not be kept, and they are still set.
        """
        await self._book.remove(ids)
        self._tell()

    def due(self, now: datetime) -> list[Due]:
        """What is to be announced at ``now``, oldest first."""
        return [self._due(timer, now) for timer in self._book.due(now) if timer.id not in self._announced]

    def is_cancelled(self, number: int) -> bool:
        """Whether that one is gone without having been announced."""
        return number not in self._announced and all(timer.id != number for timer in self._book.timers)

    def next_due(self) -> datetime | None:
        """When the next one is due, in UTC; None when none is set."""
        return next((timer.due for timer in self.pending), None)

    async def acknowledge(self, *announced: Due) -> None:
        """Forget what was announced.

        Raises:
            StorageError: that could not be kept; after a restart it is announced again.
        """
        self._announced |= {due.id for due in announced}
        # With those that could not be forgotten before.
        forgotten = frozenset(self._announced)
        await self._book.remove(forgotten)
        self._announced -= forgotten
        self._on_change()

    async def keep_moved(self) -> None:
        """Have on disk what a jump of the clock has moved; see TimerBook.

        Raises:
            StorageError: it could not be kept.
        """
        await self._book.keep_moved()

    def _due(self, timer: Timer, now: datetime) -> Due:
        late = max(now.astimezone(UTC) - timer.due, timedelta())
        return Due(timer.id, announcement(timer, now, late), timer.language, late)

    async def answer(self, request: Request) -> Reply:
        kind, what = request.intent.split(".", 1)
        try:
            return Reply(await self._answer(Kind(kind), what, request))
        except StorageError as error:
            text = SAY.say("unsaved", request.language)
            raise PluginError(text, plugin=self.name, mend=error.mend) from error

    async def _answer(self, kind: Kind, what: str, request: Request) -> str:
        match what:
            case "set" if kind is Kind.TIMER:
                return await self._start(request)
            case "set":
                return await self._set_for(kind, request)
            case "ask" | "repeating":
                return SAY.say(request.intent, request.language)
            case "list":
                return listing(kind, self._book.of_kind(kind), request)
            case "extend":
                return await self._extend(request)
            case "left":
                return how_long_left(self._meant(kind, request), request)
            case "cancel_all":
                return await self._cancel_all(kind, request)
            case _:
                return await self._cancel(kind, request)

    async def _start(self, request: Request) -> str:
        length = duration_of(request.slots["length"])
        if length is None:
            return SAY.say("when", request.language)
        if not timedelta() < length <= LONGEST_TIMER:
            return SAY.say("timer.length", request.language)
        timer = Timer(
            Kind.TIMER,
            request.now.astimezone(UTC) + length,
            request.language,
            label=request.slots.get("name", ""),
            seconds=round(length.total_seconds()),
            elapsing=True,
        )
        said = {"name": name_of(timer), "length": say_duration(length, request.language)}
        return await self._add(
            timer, request.now, SAY.say("timer.named" if timer.label else "timer.set", request.language, **said)
        )

    async def _extend(self, request: Request) -> str:
        meant, more = self._meant(Kind.TIMER, request), duration_of(request.slots["length"])
        if more is None:
            return SAY.say("when", request.language)
        if not meant:
            return SAY.say("timer.none", request.language)
        if len(meant) > 1:
            return SAY.say("which", request.language, timers=describe(meant, request))
        seconds = meant[0].seconds + round(more.total_seconds())
        if timedelta(seconds=seconds) > LONGEST_TIMER:
            return SAY.say("timer.length", request.language)
        longer = replace(meant[0], due=meant[0].due + more, seconds=seconds)
        longer = await self._book.exchange(meant[0].id, longer, request.now)
        self._tell()
        return how_long_left((longer,), request)

    async def _set_for(self, kind: Kind, request: Request) -> str:
        spoken = request.slots.get("anchored") or request.slots["when"]
        moment = moment_of(spoken, request.now, alarm=kind is Kind.ALARM)
        if moment is None:
            return SAY.say("when", request.language)
        due = moment.astimezone(UTC)
        if due <= request.now.astimezone(UTC):
            return SAY.say("past", request.language)
        label = as_told_back(request) if kind is Kind.REMINDER else ""
        elapsing = spoken.startswith("in ") or spoken.endswith((" from now", "后"))
        timer = Timer(kind, due, request.language, label=label, elapsing=elapsing)
        when = say_moment(moment, request.now, request.language)
        return await self._add(timer, request.now, SAY.say(f"{kind}.set", request.language, when=when, task=label))

    async def remind(self, due: datetime, task: str, language: str, now: datetime) -> str:
        """Set a reminder, and say so, or why not.

        Raises:
            StorageError: it could not be kept.
        """
        if due <= now:
            return SAY.say("past", language)
        timer = Timer(Kind.REMINDER, due.astimezone(UTC), language, label=task)
        when = say_moment(due, now, language)
        return await self._add(timer, now, SAY.say("reminder.set", language, when=when, task=task))

    async def _add(self, timer: Timer, now: datetime, said: str) -> str:
        added = await self.set(timer, now)
        return said if added is not None else SAY.say("many", timer.language)

    async def _cancel(self, kind: Kind, request: Request) -> str:
        meant = self._meant(kind, request)
        if not meant:
            return SAY.say(f"{kind}.none", request.language)
        if len(meant) > 1:
            return SAY.say("which", request.language, timers=describe(meant, request))
        await self._remove(meant)
        return SAY.say(f"{kind}.cancelled", request.language)

    async def _cancel_all(self, kind: Kind, request: Request) -> str:
        timers = self._book.of_kind(kind)
        if not timers:
            return SAY.say(f"{kind}.none", request.language)
        await self._remove(timers)
        return SAY.say(f"{kind}.all_cancelled", request.language)

    async def _remove(self, timers: tuple[Timer, ...]) -> None:
        await self.cancel(timer.id for timer in timers)

    def _tell(self) -> None:
        self.changed.set()
        self._on_change()

    def _meant(self, kind: Kind, request: Request) -> tuple[Timer, ...]:
        """The timers that may be meant: by name, by length, or all of the kind where nothing is said."""
        timers = self._book.of_kind(kind)
        said = request.slots.get("name") or request.slots.get("task")
        if not said:
            return timers[:1] if kind is not Kind.TIMER else timers
        names = {said, as_told_back(request).casefold() or said}
        length = duration_of(said)
        return tuple(
            timer
            for timer in timers
            if timer.label.casefold() in names or (length and timer.seconds == length.total_seconds())
        )

    def frequent_replies(self, language: str) -> tuple[str, ...]:
        return SAY.frequent(language)


class LostTimers:
    """In the place of timers whose file cannot be read: it says so, before a model promises what nobody keeps."""

    name = Timers.name
    intents = Timers.intents

    async def answer(self, request: Request) -> Reply:
        return Reply(SAY.say("lost", request.language))

    def frequent_replies(self, language: str) -> tuple[str, ...]:
        return ()
