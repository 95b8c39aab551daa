"""Announcements that are known to have been said."""

from __future__ import annotations

import asyncio

from companion.app.events import Telling
from companion.talents.timers import Due
from companion.voice.events import Ignored, Spoken
from companion.voice.loop import VoiceLoop
from companion.voice.orders import Reason, Sound

PATIENCE = 90.0
"""Seconds for an announcement to find a pause and be said; then it is made again later."""


class Announcements:
    """Hands announcements to the voice loop and follows what becomes of each."""

    def __init__(self, telling: Telling, *, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._outcomes: dict[int, asyncio.Future[bool]] = {}
        """Of what the loop has not yet said, by number, in order."""
        self._count = 0
        self._loop: VoiceLoop | None = None
        telling.subscribe(self._follow)

    def speak_through(self, loop: VoiceLoop | None) -> None:
        """The voice loop there is now; what an earlier one had not said is given up."""
        self._loop = loop
        while self._outcomes:
            self._settle(next(iter(self._outcomes)), was_said=False)

    async def say(self, due: Due) -> bool:
        """Say what is due; whether it was heard, at least in part. Cancelled, it is not said if it has not begun."""
        loop = self._loop
        if loop is None:
            return False
        number, outcome = self._expected()
        try:
            loop.announce(due.text, chime=Sound.TIMER, language=due.language, number=number)
            async with asyncio.timeout(self._patience):
                return bool(await outcome)
        except TimeoutError:
            return False
        finally:
            if self._outcomes.pop(number, None) is not None:
                loop.recall(number)

    def tell(self, text: str) -> None:
        """Say something that nobody waits for."""
        if self._loop is not None:
            number, _ = self._expected()
            self._loop.announce(text, chime=Sound.READY, number=number)

    def _expected(self) -> tuple[int, asyncio.Future[bool]]:
        self._count += 1
        outcome: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._outcomes[self._count] = outcome
        return self._count, outcome

    def _follow(self, event: object) -> None:
        match event:
            case Spoken(text, announcement=number, begun=begun) if number:
                # One that only had to give way is first in the loop's queue again: handed in anew, it is said twice.
                if text.strip() or begun or self._loop is None or not self._loop.will_announce(number):
                    self._settle(number, was_said=bool(text.strip()) or begun)
            case Ignored(Reason.TOO_MANY_ANNOUNCEMENTS) if self._outcomes:
                self._settle(max(self._outcomes), was_said=False)
            case _:
                pass

    def _settle(self, number: int, *, was_said: bool) -> None:
        outcome = self._outcomes.pop(number, None)
        if outcome is not None and not outcome.done():
            outcome.set_result(was_said)
