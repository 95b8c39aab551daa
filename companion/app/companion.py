"""A built companion: it listens, answers, announces what is due, and does as it is told."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, dataclass
from typing import Any, assert_never

from companion import __version__
from companion.agent.output import VOICE, Delivery, TextChannel
from companion.app.announcements import Announcements
from companion.app.answering import UNKEPT, typed
from companion.app.born import BORN
from companion.app.control import Answer
from companion.app.desks.table import desks_beside
from companion.app.events import ModelLoaded, Problem, Ready, Solved, Telling
from companion.app.live import Live
from companion.app.loan import Loan
from companion.app.log import private
from companion.app.mind import Mind
from companion.app.orders import (
    Announce,
    Ask,
    Hush,
    Mute,
    Order,
    Raise,
    Release,
    Shutdown,
    Status,
    Stop,
    Talk,
    Tend,
    Toggle,
)
from companion.app.quiet import Quiet, Wishes
from companion.app.sound import Ends, OpenEnds
from companion.app.standing import Standing
from companion.app.typist import Typist
from companion.app.warmup import Step, WarmUp, warm_up
from companion.errors import ControlError
from companion.model import ModelReport
from companion.settings.schema import Settings
from companion.stream.tasks import Tasks
from companion.talents.timer_watch import TimerWatch
from companion.voice.events import HeardText, Level, Spoken, State
from companion.voice.loop import VoiceLoop

logger = logging.getLogger(__name__)

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
"""Seconds before a voice loop that broke is begun anew."""
KEPT = (UNKEPT, "memory")
"""The topics of what could not be kept, which whoever asks in writing is told."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a companion is made of. ``make_loop`` may be called again when a loop broke."""

    mind: Mind
    open_ends: OpenEnds
    make_loop: Callable[[Ends], Awaitable[VoiceLoop]]
    warm_up: Sequence[Step]
    """What a turn needs."""
    when_idle: Sequence[Step]
    """What only makes it quicker."""
    beside: Mapping[str, Callable[[], Coroutine[Any, Any, None]]]
    """What goes on beside the conversation, by name, until the end."""
    reports: Callable[[], Sequence[ModelReport]]
    close: Callable[[], Awaitable[None]]


class Companion:
    """Lives until its ears end or it is cancelled.

    stop: ends the engine; None where nobody may order that. wishes: what the user wanted quiet before.
    """

    def __init__(
        self,
        live: Live,
        parts: Parts,
        telling: Telling,
        *,
        stop: Callable[[], None] | None = None,
        wishes: Wishes | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._live = live
        self._parts = parts
        self._telling = telling
        self._stop = stop
        self._clock = clock
        self._tasks = Tasks()
        self._warming = WarmUp(telling)
        self._announcements = Announcements(telling)
        self._quiet = Quiet(wishes or Wishes(), telling, clock=_on_the_loop, now=parts.mind.clock)
        self._typist = Typist(parts.mind.agent, telling)
        self._standing = Standing(telling)
        self._hears = False
        self._loop: VoiceLoop | None = None
        self._ends: Ends | None = None
        self._loan = Loan()
        live.follow(self._follow)
        telling.subscribe(self._note)
        parts.mind.agent.registry.outputs.add(TextChannel(VOICE, self._say))
        parts.mind.desks.add(desks_beside(parts.mind.house, self))

    async def run(self) -> None:
        """Talk until the ears end. A loop that breaks is begun anew, after a growing pause."""
        self._start_watching()
        now = asyncio.get_running_loop().time
        pause, began = FIRST_PAUSE, now()
        while not await self._talk_or_tell() or self._loan.was_asked_for:
            if self._loan.was_asked_for:
                continue
            if now() - began > LONGEST_PAUSE:
                pause = FIRST_PAUSE  # it had talked well since the last time
            await asyncio.sleep(pause)
            pause, began = min(pause * 2, LONGEST_PAUSE), now()

    async def once(self) -> None:
        """Load what a turn needs, then talk until the ears end. For ears that do not wait, as a file.

        Raises:
            Exception: what the voice loop broke with.
        """
        await warm_up(self._parts.warm_up, self._telling)
        await self._converse()

    async def close(self) -> None:
        """Fall silent, and give back devices, files and models. May be called twice."""
        self._quiet.close()
        try:
            await self._warming.call_off()
            await self._tasks.close()
            await self._typist.close()
        finally:
            await self._parts.close()
        await self._warming.close()

    @property
    def loop(self) -> VoiceLoop | None:
        """The conversation, while there is one."""
        return self._loop

    def lent(self) -> AbstractAsyncContextManager[None]:
        """Microphone and loudspeaker for a trial, which has them while the block runs; then the conversation goes on.

        Raises:
            ControlError: on entering: the conversation does not let go of them.
        """
        return self._loan.out(self._let_go)

    async def _let_go(self) -> None:
        if self._loop is not None:
            await self._loop.close()

    async def _follow(self, before: Settings, now: Settings) -> None:
        """Go by other settings: at once, or with the conversation begun anew for other devices or senses."""
        if self._ends is not None and before.sound != now.sound:
            self._ends.adopt(now.sound)
        if self._loop is not None:
            self._loop.adopt(now.wake, now.turn)
        if _devices(before) != _devices(now):
            self._tasks.start(self._begin_anew(), name="begin anew")

    async def _begin_anew(self) -> None:
        try:
            async with self.lent():
                logger.info("the conversation is begun anew for other devices or another wake word")
        except ControlError as error:
            logger.warning("%s", error)

    def reports(self) -> Sequence[ModelReport]:
        """How the models stand."""
        return self._parts.reports()

    async def perform(self, order: Order) -> Answer:
        """Carry out one order, and say how things stand then.

        Raises:
            ControlError: it cannot be carried out now.
        """
        match order:
            case Status():
                return self._stands()
            case Shutdown() | Raise():
                self._shut_down_or_raise(order)
            case Announce(text):
                self._talking()
                self._announcements.tell(text)
            case Ask() | Tend():
                return await self._asked(order)
            case Mute() | Hush():
                self._be_quiet(order)
            case Talk(hold):
                self._listen(self._talking(), hold=hold)
            case Release():
                self._talking().release()
            case Stop():
                self._fall_silent()
            case Toggle():
                self._toggle(self._talking())
            case _:
                assert_never(order)
        return self._stands()

    # -- the conversation

    async def _talk_or_tell(self) -> bool:
        """One conversation; False where it broke."""
        await self._loan.over()
        try:
            with self._loan.in_use():
                await self._converse()
        except Exception as error:
            logger.exception("the voice loop broke")
            told = f"something went wrong inside ({type(error).__name__})"
            self._telling.tell(Problem("conversation", told, "See the log."))
            return False
        return True

    async def _converse(self) -> None:
        """One voice loop, from open ears to their end."""
        ends = self._ends = await self._parts.open_ends(self._telling)
        try:
            self._loop = await self._parts.make_loop(ends)
            self._announcements.speak_through(self._loop)
            self._quiet.attend(self._loop)
            if not self._loan.is_out:
                await self._loop.run()
        finally:
            self._announcements.speak_through(None)
            self._quiet.attend(None)
            loop, self._loop, self._ends = self._loop, None, None
            self._hears = False
            try:
                if loop is not None:
                    await loop.close()
            finally:
                await ends.close()

    def _be_ready(self) -> None:
        """The first sound is there: a microphone may take seconds to open, and what is said before is lost."""
        self._hears = True
        wake = self._live.settings.wake
        word = "" if wake.open_microphone else wake.word.replace("_", " ")
        self._telling.tell(Solved("conversation"))
        self._telling.tell(Ready(word, self._clock() - BORN))

    def _start_watching(self) -> None:
        self._warming.start([*self._parts.warm_up, *self._parts.when_idle])
        timers = self._parts.mind.timers
        if timers is not None:
            watch = TimerWatch(timers, self._announcements.say, self._parts.mind.clock)
            self._tasks.start(watch.run(), name="timers")
        for name, work in self._parts.beside.items():
            self._tasks.start(work(), name=name)

    async def _say(self, delivery: Delivery) -> None:
        """What is put out by voice besides the answer of a turn."""
        if self._loop is None:
            raise ControlError("nobody is listening")
        self._announcements.tell(str(delivery.content))

    # -- orders

    async def _asked(self, order: Ask | Tend) -> Answer:
        if isinstance(order, Ask):
            return await self._answer(order.text)
        return await self._parts.mind.desks.perform(order)

    async def _answer(self, text: str) -> Answer:
        given = await self._typist.answer(typed(text, self._live.settings))
        if self._loop is not None:
            self._loop.carry_out(given.effects)
        wrong = self._standing.wrong_with(*KEPT)
        return {"text": given.text, "source": given.source, **({"problems": wrong} if wrong else {})}

    def _talking(self) -> VoiceLoop:
        if self._loop is None:
            raise ControlError("the companion is not listening yet", mend="Try again in a moment.")
        return self._loop

    def _listen(self, loop: VoiceLoop, *, hold: bool = False) -> None:
        """The user asks for ears, so they are opened even where they were closed."""
        if loop.is_muted:
            self._quiet.mute(on=False)
        loop.talk(hold=hold)

    def _be_quiet(self, order: Mute | Hush) -> None:
        """The ears or the voice; what is being said is not said to its end."""
        if isinstance(order, Mute):
            self._quiet.mute(order.on, order.seconds)
            return
        self._quiet.hush(order.on)
        if self._quiet.is_hushed and self._loop is not None and self._loop.state in (State.SPEAKING, State.DUCKED):
            self._loop.stop()

    def _fall_silent(self) -> None:
        """What is said ends, and what is written."""
        was_writing = self._typist.stop()
        if self._loop is not None or not was_writing:
            self._talking().stop()

    def _toggle(self, loop: VoiceLoop) -> None:
        if loop.state in (State.ASLEEP, State.MUTED):
            self._listen(loop)
        else:
            loop.stop()

    def _shut_down_or_raise(self, order: Shutdown | Raise) -> None:
        if isinstance(order, Raise):  # where there is a window, its face has taken the order before
            raise ControlError("this companion has no window", mend="End it by `companion shutdown`, then start.")
        if self._stop is None:
            raise ControlError("this companion cannot be ended from here")
        # After the answer is on its way: the client shall know that it was heard.
        asyncio.get_running_loop().call_later(0.05, self._stop)

    def _stands(self) -> Answer:
        return {
            "version": __version__,
            "pid": os.getpid(),
            "phase": self._phase(),
            "muted": self._quiet.is_muted,
            "muted_seconds": round(self._quiet.seconds_left),
            "hushed": self._quiet.is_hushed,
            "language": self._live.settings.general.language,
            "wake_word": "" if self._live.settings.wake.open_microphone else self._live.settings.wake.word,
            "models": [asdict(report) for report in self._parts.reports()],
            **self._standing.told(),
        }

    def _phase(self) -> str:
        loop = self._loop
        if loop is None or (loop.state is State.ASLEEP and not self._hears):
            return "starting"
        return str(loop.state)

    def _note(self, event: object) -> None:
        match event:
            case ModelLoaded(report):
                logger.info("%s is loaded (%.1f s)", report.name, report.load_seconds)
            case Level() if not self._hears and self._loop is not None:
                self._be_ready()
            case HeardText(text, final=True):
                private(logger, "heard: %s", text)
            case Spoken(text):
                private(logger, "said: %s", text)
            case _:
                pass


def _devices(settings: Settings) -> tuple[str, ...]:
    """What a conversation is begun with."""
    return (settings.sound.microphone, settings.sound.speaker, settings.wake.word)


def _on_the_loop() -> float:
    """Seconds that only grow, as the timers of the event loop have them."""
    return asyncio.get_running_loop().time()
