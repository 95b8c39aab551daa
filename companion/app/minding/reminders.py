"""Offers to remind of an appointment that the user has just spoken of: asked once, never again, and seldom.

Laws:

1. Only of what the user's own words say is to come, as the patterns read it, and was not known before.
2. Asked behind a reply that asks nothing itself, while nothing else waits for a yes.
3. At most ``MOST_A_DAY`` a day; where two in a row were not wanted, none for a week.
4. A reminder is set by two yeses, and by nothing else.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from functools import partial
from typing import TYPE_CHECKING, Protocol

from companion.agent.answer import Said
from companion.agent.plugin import Request
from companion.agent.stages import About
from companion.agent.turns import Afterword
from companion.agent.yes import Offer, YesInWords
from companion.app.minding.keeper import Keeper
from companion.app.minding.memory_room import MemoryRoom
from companion.app.minding.source import Source, read_out
from companion.settings.language import primary
from companion.talents.memory import Told
from companion.talents.memory_phrases import USER, person_in_words
from companion.talents.spoken.moments import say_moment

if TYPE_CHECKING:
    from companion.memory.facts import Fact, Triple

APPOINTMENT = "has_appointment"
MOST_LOOKED_AT = 100
"""Facts about somebody among which an appointment may be known."""
MOST_A_DAY = 3
DAY = timedelta(days=1)
REST = timedelta(days=7)
UNWANTED = 2
"""Offers in a row that were not wanted, after which it rests."""
BEFORE = timedelta(hours=1)
"""So long before an appointment with an hour it reminds."""
EVENING, MORNING = time(18), time(8)
"""When it reminds of one without: the evening before, else on the day."""
ASKS = ("?", "？")
_SHALL_I = ("Shall I remind you?", "要我提醒您吗？")
_SURE = ("To be sure: shall I remind you {when}: {task}?", "确认一下：要我{when}提醒您：{task}，对吗？")


class Reminders(Protocol):
    """Sets reminders."""

    async def remind(self, due: datetime, task: str, language: str, now: datetime) -> str:
        """Set one, and say so, or why not.

        Raises:
            StorageError: it could not be kept.
        """


class Appointments(Protocol):
    """Reads what the user says, and knows what was told before."""

    async def appointments(self, said: Said, now: datetime) -> Sequence[Triple]:
        """The appointments in these words that were not known before. Raises CompanionError."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A reminder that could be set."""

    due: datetime
    task: str
    language: str


class ReminderOffers:
    """Implements ``agent.remembering.Afterwords``. yes: waits for the answer."""

    def __init__(self, yes: YesInWords, reminders: Reminders, appointments: Appointments) -> None:
        self._yes = yes
        self._reminders = reminders
        self._appointments = appointments
        self._asked: deque[datetime] = deque(maxlen=MOST_A_DAY)
        self._unwanted = 0

    async def behind(self, said: str, about: About, reply: str) -> Afterword | None:
        """The question, where there is something to ask."""
        if reply.rstrip().endswith(ASKS) or not self._may_ask(about.now):
            return None
        found = await self._appointments.appointments(Said(said, about.language), about.now)
        wanted = first_wanted(found, about.now, about.language)
        if wanted is None:
            return None

        def asked() -> None:
            self.ask(wanted, about.now)

        return Afterword(_in(about.language, _SHALL_I), asked)

    async def new_in(self, said: Said, now: datetime) -> Sequence[Triple]:
        """The appointments in these words that were not known before. Raises CompanionError."""
        return await self._appointments.appointments(said, now)

    def ask_at_once(self, triples: Iterable[Triple], now: datetime, language: str) -> str:
        """The question that goes with an answer of our own, which waits for its yes from now on; empty for none."""
        wanted = first_wanted(triples, now, language) if self._may_ask(now) else None
        return _in(language, _SHALL_I) if wanted is not None and self.ask(wanted, now) else ""

    def ask(self, wanted: Wanted, now: datetime) -> bool:
        """The question was asked: wait for its yes, where nothing else waits."""
        when = say_moment(wanted.due, now, wanted.language)
        sure = _in(wanted.language, _SURE).format(when=when, task=wanted.task)
        if not self._yes.offer(Offer(sure, partial(self._set, wanted), now)):
            return False
        self._asked.append(now)
        self._unwanted += 1
        return True

    async def _set(self, wanted: Wanted, now: datetime) -> str:
        self._unwanted = 0
        return await self._reminders.remind(wanted.due, wanted.task, wanted.language, now)

    def _may_ask(self, now: datetime) -> bool:
        if self._yes.pending is not None:
            return False
        if self._unwanted >= UNWANTED and self._asked and now - self._asked[-1] < REST:
            return False
        return len(self._asked) < MOST_A_DAY or now - self._asked[0] >= DAY


class OfferingRemembrance:
    """Implements ``talents.memory.Remembrance``: the keeper, and an offer behind what it was told to remember."""

    def __init__(self, keeper: Keeper, offers: ReminderOffers) -> None:
        self._keeper = keeper
        self._offers = offers
        self.about, self.answer = keeper.about, keeper.answer
        self.forget_newest, self.forget = keeper.forget_newest, keeper.forget

    async def tell(self, text: str, request: Request) -> Told:
        """Keep what the user wants remembered, and ask whether to remind of it."""
        new = await self._offers.new_in(Said(text, request.language), request.now)
        told = await self._keeper.tell(text, request)
        if not told.kept:
            return told
        return replace(told, offer=self._offers.ask_at_once(new, request.now, request.language))


class ToldAppointments:
    """Implements ``Appointments`` by the patterns and the memory: nothing is new as long as that is not open."""

    def __init__(self, room: MemoryRoom) -> None:
        self._room = room

    async def appointments(self, said: Said, now: datetime) -> Sequence[Triple]:
        opened = self._room.open_now
        if opened is None:
            return ()
        # Who asks may stop waiting, and is not held up by what the patterns still do.
        told = await asyncio.to_thread(read_out, Source(said.text, now, said.language))
        dated = [triple for triple in told.triples if is_appointment(triple)]
        known = {one.subject: await opened.graph.about(one.subject, limit=MOST_LOOKED_AT) for one in dated}
        return [one for one in dated if not any(_is_same(fact, one) for fact in known[one.subject])]


def is_appointment(triple: Triple) -> bool:
    """Whether it is something to go to, at a time that was said."""
    return triple.relation == APPOINTMENT and triple.valid_from is not None and not triple.ends


def first_wanted(triples: Iterable[Triple], now: datetime, language: str) -> Wanted | None:
    """The reminder for the first of these that there is still time for."""
    for triple in filter(is_appointment, triples):
        due = due_before(triple, now)
        if due is not None:
            return Wanted(due, _task(triple, language), language)
    return None


def due_before(triple: Triple, now: datetime) -> datetime | None:
    """When to remind of an appointment; None where it is too late for that."""
    assert triple.valid_from is not None
    begins = triple.valid_from.astimezone(now.tzinfo)
    has_hour = triple.valid_until is not None and triple.valid_until - triple.valid_from < DAY
    if has_hour:
        times = [begins - BEFORE]
    else:
        days = (begins - DAY, EVENING), (begins, MORNING)
        times = [datetime.combine(day.date(), hour, now.tzinfo) for day, hour in days]
    return next((due for due in times if due > now), None)


def _task(triple: Triple, language: str) -> str:
    if triple.subject == USER:
        return triple.object
    who = person_in_words(triple.subject, language)
    return f"{who}的{triple.object}" if primary(language) == "zh" else f"{who}'s {triple.object}"


def _is_same(fact: Fact, triple: Triple) -> bool:
    is_it = fact.relation == triple.relation and fact.object.casefold() == triple.object.casefold()
    return is_it and fact.valid_from == triple.valid_from


def _in(language: str, sentences: tuple[str, str]) -> str:
    return sentences[primary(language) == "zh"]
