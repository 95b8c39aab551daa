"""Knows when nobody talks, which is when other work may be done."""

from __future__ import annotations

import asyncio

from companion.app.events import Telling
from companion.voice.events import State, StateChanged


class Idle:
    """Knows whether anybody talks."""

    def __init__(self, telling: Telling) -> None:
        self._resting = asyncio.Event()
        self._listening = asyncio.Event()
        telling.subscribe(self._follow)

    @property
    def is_idle(self) -> bool:
        """Whether nobody talks now."""
        return self._resting.is_set()

    async def wait(self) -> None:
        """Return when nobody talks."""
        await self._resting.wait()

    async def end(self) -> None:
        """Return when the user is listened to."""
        await self._listening.wait()

    def _follow(self, event: object) -> None:
        match event:
            case StateChanged(State.ASLEEP | State.MUTED | State.DEAF):
                self._resting.set()
                self._listening.clear()
            case StateChanged(State.LISTENING):
                self._resting.clear()
                self._listening.set()
            case StateChanged():
                self._resting.clear()
            case _:
                pass
