"""Inputs that wait for their turn: what the user says goes first, then what plugins put in, then the self's own tasks.

The user's turns do not pass through here, because speech does not wait: they only say when they begin and end. While
one is under way nothing else begins, and what is running gives way at its next safe point:

* a safe point is everywhere but inside ``Run.acting``, which stands around what changes something;
* an input that gave way before it had changed anything is asked again later, from its beginning;
* a self task is asked again in any case, ``MOST_TRIES`` times; it has to find by itself what it has done.

A plugin has so many inputs waiting, and so many a minute, and no more; none can crowd out the others.

Every input that is submitted ends once: done, failed, given up, or turned away.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from companion.agent.safety import Source
from companion.agent.stages import Origin
from companion.stream.tasks import Tasks

logger = logging.getLogger(__name__)

CONSOLIDATION = "_consolidation_"
"""The channel of tasks of the self; nothing leaves by it."""
MOST_WAITING = 64
MOST_OF_ONE = 8
"""Inputs of one plugin that may wait."""
MOST_A_MINUTE = 20
"""Inputs of one plugin that are taken within a minute."""
MINUTE = 60.0
MOST_TRIES = 5
RUN_SECONDS = 300.0
"""How long one input may take."""
ACTING_SECONDS = 30.0
"""How long something that acts is waited for, once it should give way."""


class Priority(IntEnum):
    """The lower ones first."""

    USER = 0
    PLUGIN = 1
    SELF = 2


class Fate(StrEnum):
    """How an input ended."""

    DONE = "done"
    FAILED = "failed"
    GIVEN_UP = "given up"
    """It gave way too often, or after it had acted."""
    TURNED_AWAY = "turned away"
    """There was no room, or the companion was ending."""


@dataclass(frozen=True, slots=True)
class Input:
    """Something to be answered.

    may: the sensitive tools a task of the self is there for. on_answer: told the answer where nothing is sent.
    on_end: told once. Neither may raise. whose: whose words it is, where the priority does not say.
    words: where these words are from, where that is neither a plugin nor the memory.
    """

    text: str
    channel: str
    priority: Priority
    source: str = ""
    language: str = "en"
    may: frozenset[str] = frozenset()
    on_answer: Callable[[str], None] = lambda text: None
    on_end: Callable[[Fate], None] = lambda fate: None
    whose: Origin | None = None
    words: Source | None = None

    @property
    def origin(self) -> Origin:
        by_priority = {Priority.USER: Origin.USER, Priority.PLUGIN: Origin.PLUGIN, Priority.SELF: Origin.SELF}
        return self.whose or by_priority[self.priority]

    @property
    def read(self) -> Source:
        """What a model reads with it, where it is not the user's."""
        return self.words or (Source.PLUGIN if self.origin is Origin.PLUGIN else Source.MEMORY)

    @property
    def stays_inside(self) -> bool:
        """Whether its answer is sent nowhere."""
        return self.origin is Origin.SELF and self.channel == CONSOLIDATION

    @property
    def is_said_to_user(self) -> bool:
        """Whether its answer is something that the self says in the conversation with the user."""
        return self.origin is Origin.SELF and self.channel != CONSOLIDATION


class Run:
    """One input while it is being answered."""

    def __init__(self) -> None:
        self.has_acted = False
        self.has_failed = False
        self._acting = 0
        self._task: asyncio.Task[None] | None = None
        self._shall_stop = False

    @property
    def shall_stop(self) -> bool:
        """Whether it was asked to give way."""
        return self._shall_stop

    @asynccontextmanager
    async def acting(self) -> AsyncIterator[None]:
        """Around what changes something: it is not cut short, and what gives way afterwards has acted."""
        self._acting += 1
        self.has_acted = True
        try:
            yield
        finally:
            self._acting -= 1
            if self._shall_stop and not self._acting:
                self._cancel()

    def start(self, task: asyncio.Task[None]) -> None:
        self._task = task

    def stop(self) -> None:
        """Give way at the next safe point."""
        self._shall_stop = True
        if not self._acting:
            self._cancel()
        else:
            asyncio.get_running_loop().call_later(ACTING_SECONDS, self._cancel)

    def _cancel(self) -> None:
        if self._task is not None and not self._task.done():
            self._task.cancel()


@dataclass(order=True, slots=True)
class _Waiting:
    priority: int
    number: int
    input: Input = field(compare=False)
    tries: int = field(default=0, compare=False)


Perform = Callable[[Input, Run], Awaitable[None]]


class Scheduler:
    """Answers inputs one at a time.

    perform: answers one. What it raises is a failed input. may_run: whether self tasks may run now (idle, on mains);
    they wait otherwise, until ``look_again``.
    """

    def __init__(
        self, perform: Perform, *, may_run: Callable[[], bool] = lambda: True, seconds: float = RUN_SECONDS
    ) -> None:
        self._perform = perform
        self._may_run = may_run
        self._seconds = seconds
        self._waiting: list[_Waiting] = []
        self._numbers = itertools.count()
        self._users = 0
        self._current: tuple[_Waiting, Run] | None = None
        self._work = asyncio.Event()
        self._tasks = Tasks()
        self._is_closed = False
        self._taken: dict[str, deque[float]] = {}
        """When inputs of each plugin were taken, within the last minute."""

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    @property
    def is_busy(self) -> bool:
        """Whether an input is being answered, or the user's turn is under way."""
        return self._current is not None or self._users > 0

    def submit(self, given: Input) -> bool:
        """Take an input, and say whether there was room for it. A more urgent one takes the last place of another."""
        waiting = _Waiting(given.priority, next(self._numbers), given)
        if (
            self._is_closed
            or not self._is_within_bounds(given)
            or (len(self._waiting) >= MOST_WAITING and not self._make_room(waiting))
        ):
            self._end(given, Fate.TURNED_AWAY)
            return False
        heapq.heappush(self._waiting, waiting)
        self._give_way_to(given.priority)
        self.look_again()
        return True

    def look_again(self) -> None:
        """Something has changed: there may be work."""
        self._work.set()

    def user_begins(self) -> None:
        """A turn of the user's is under way: whatever is running gives way."""
        self._users += 1
        self._give_way_to(Priority.USER)

    def user_ends(self) -> None:
        """It is over."""
        self._users = max(self._users - 1, 0)
        self.look_again()

    async def run(self) -> None:
        """Answer what comes, until it is cancelled. Run it as a task."""
        while True:
            await self._work.wait()
            self._work.clear()
            while (waiting := self._next()) is not None:
                await self._answer(waiting)

    async def close(self) -> None:
        """End what runs, and turn away what waits."""
        self._is_closed = True
        await self._tasks.close()
        while self._waiting:
            self._end(heapq.heappop(self._waiting).input, Fate.TURNED_AWAY)

    def _is_within_bounds(self, given: Input) -> bool:
        """Whether a plugin may put in one more; it is counted."""
        if given.origin is not Origin.PLUGIN:
            return True
        own = [one for one in self._waiting if (one.input.origin, one.input.source) == (given.origin, given.source)]
        if len(own) >= MOST_OF_ONE:
            return False
        now = asyncio.get_running_loop().time()
        self._taken = {source: times for source, times in self._taken.items() if times[-1] > now - MINUTE}
        times = self._taken.get(given.source, deque(maxlen=MOST_A_MINUTE))
        if len(times) == MOST_A_MINUTE and times[0] > now - MINUTE:
            return False
        times.append(now)
        self._taken[given.source] = times
        return True

    def _make_room(self, waiting: _Waiting) -> bool:
        last = max(self._waiting)
        if last < waiting:
            return False
        self._waiting.remove(last)
        heapq.heapify(self._waiting)
        self._end(last.input, Fate.TURNED_AWAY)
        return True

    def _next(self) -> _Waiting | None:
        if self._users or not self._waiting:
            return None
        if self._waiting[0].priority == Priority.SELF and not self._may_run():
            return None
        return heapq.heappop(self._waiting)

    def _give_way_to(self, priority: Priority) -> None:
        if self._current is not None and self._current[0].priority > priority:
            self._current[1].stop()

    async def _answer(self, waiting: _Waiting) -> None:
        run = Run()
        self._current = (waiting, run)
        fate: Fate | None = Fate.TURNED_AWAY
        task = self._tasks.start(self._performed(waiting, run), name=f"input of {waiting.input.source or 'the self'}")
        run.start(task)
        try:
            await asyncio.wait([task])
            fate = self._fate(task, waiting, run)
        finally:
            self._current = None
            if not task.done():
                task.cancel()
                await asyncio.wait([task])
            if fate is None and self._is_closed:
                fate = Fate.TURNED_AWAY
            if fate is None:
                self._ask_again(waiting)
            else:
                self._end(waiting.input, fate)

    async def _performed(self, waiting: _Waiting, run: Run) -> None:
        try:
            async with asyncio.timeout(self._seconds):
                await self._perform(waiting.input, run)
        except Exception as error:  # noqa: BLE001 - one input must not end the others
            logger.warning("an input of %s failed: %s", waiting.input.source or "the self", type(error).__name__)
            run.has_failed = True

    def _fate(self, task: asyncio.Task[None], waiting: _Waiting, run: Run) -> Fate | None:
        """What became of it; None where it is to be asked again."""
        if run.has_failed:
            return Fate.FAILED
        if not task.cancelled():
            return Fate.DONE
        waiting.tries += 1
        is_worth_it = waiting.tries < MOST_TRIES and run.shall_stop
        may_repeat = waiting.priority == Priority.SELF or not run.has_acted
        return None if is_worth_it and may_repeat else Fate.GIVEN_UP

    def _ask_again(self, waiting: _Waiting) -> None:
        heapq.heappush(self._waiting, waiting)
        self.look_again()

    def _end(self, given: Input, fate: Fate) -> None:
        given.on_end(fate)
