"""A house in which nobody can talk yet, because something is missing: what is kept in it is seen to all the same."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

from companion import __version__
from companion.app.answering import typed
from companion.app.control import Answer
from companion.app.mind import Mind
from companion.app.orders import Ask, Order, Raise, Shutdown, Status, Tend
from companion.app.typist import Typist
from companion.errors import CompanionError, ControlError
from companion.settings.schema import Settings

SOON = 0.05
"""Seconds until the end that was ordered: the client shall know that it was heard."""


class Housekeeper:
    """Carries out what needs no conversation: requests to the desks, and questions that the rules can answer.

    why: what keeps the companion from talking.
    """

    def __init__(self, mind: Mind, settings: Settings, why: CompanionError, stop: Callable[[], None]) -> None:
        self._mind = mind
        self._settings = settings
        self._why = why
        self._stop = stop
        self._typist = Typist(mind.agent, mind.house.telling)

    async def run(self) -> None:
        """Wait until cancelled."""
        await asyncio.Event().wait()

    async def perform(self, order: Order) -> Answer:
        """Carry out one order.

        Raises:
            ControlError: it needs somebody who talks; says why there is none.
            CompanionError: it cannot be done.
        """
        match order:
            case Status():
                return self._standing()
            case Tend():
                return await self._mind.desks.perform(order)
            case Ask(text):
                given = await self._typist.answer(typed(text, self._settings))
                return {"text": given.text, "source": given.source}
            case Shutdown():
                asyncio.get_running_loop().call_later(SOON, self._stop)
                return self._standing()
            case Raise():
                raise ControlError("this companion has no window", mend="End it by `companion shutdown`, then start.")
            case _:
                raise ControlError(str(self._why), mend=self._why.mend)

    async def close(self) -> None:
        """Give back what was opened."""
        await self._typist.close()
        await self._mind.close()

    def _standing(self) -> Answer:
        return {
            "version": __version__,
            "pid": os.getpid(),
            "phase": "waiting for models",
            "muted": False,
            "language": self._settings.general.language,
            "problems": [f"{self._why}. {self._why.mend}".strip()],
        }
