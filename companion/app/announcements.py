"""Announcements that are known to have been said."""

from __future__ import annotations

import asyncio
from collections import deque

from companion.app.events import Telling
from companion.talents.timers import Due
from companion.voice.events import Ignored, Spoken, State, StateChanged, Trouble
from companion.voice.loop import VoiceLoop
from companion.voice.orders import Reason, Sound

PATIENCE = 90.0
"""Seconds for an announcement to find a pause and be said; then it is made again later."""


class Announcements:
    """Hands announcements to the voice loop and follows what becomes of each."""

    def __init__(self, telling: Telling, *, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._waiting: deque[asyncio.Future[bool]] = deque()
        self._is_said = self._is_broken = False
        self._loop: VoiceLoop | None = None
        telling.subscribe(self._follow)

    def speak_through(self, loop: VoiceLoop | None) -> None:
        """The voice loop there is now; what an earlier one had not said is given up."""
        self._loop = loop
        self._is_said = False
        while self._waiting:
            self._settle(was_said=False)

    async def say(self, due: Due) -> bool:
        """Say what is due; whether it was heard, at least in part."""
        if self._loop is None:
            return False
        outcome = asyncio.get_running_loop().create_future()
        self._waiting.append(outcome)
        self._loop.announce(due.text, chime=Sound.TIMER)
        try:
            async with asyncio.timeout(self._patience):
                return bool(await outcome)
        except TimeoutError:
            return False
        finally:
            if outcome in self._waiting:
                self._waiting.remove(outcome)

    def tell(self, text: str) -> None:
        """Say something that nobody waits for."""
        if self._loop is not None:
            self._waiting.append(asyncio.get_running_loop().create_future())
            self._loop.announce(text, chime=Sound.READY)

    def _follow(self, event: object) -> None:
        match event:
            case StateChanged(State.SPEAKING, why):
                self._is_said, self._is_broken = why == "announcement", False
            case Trouble() if self._is_said:
                self._is_broken = True
            case Spoken(text) if self._is_said:
                self._is_said = False
                # One that only had to give way is first in the loop's queue again: handed in anew, it is said twice.
                if text.strip() or self._is_broken:
                    self._settle(was_said=bool(text.strip()))
            case Ignored(Reason.TOO_MANY_ANNOUNCEMENTS):
                self._settle(was_said=False, newest=True)
            case _:
                pass

    def _settle(self, *, was_said: bool, newest: bool = False) -> None:
        if self._waiting:
            outcome = self._waiting.pop() if newest else self._waiting.popleft()
            if not outcome.done():
                outcome.set_result(was_said)
