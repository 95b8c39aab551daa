"""The talk key of this desktop: the portal where there is Wayland, pynput where there is not."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from companion.app.events import Problem, Solved, Telling
from companion.app.talk_key.combination import Combination
from companion.app.talk_key.hand import Hand
from companion.errors import BadInput, CompanionError, SetupError
from companion.settings.schema import Settings
from companion.stream.tasks import Tasks
from companion.stream.threads import finish_in_thread

logger = logging.getLogger(__name__)

TOPIC = "talk key"
DESCRIPTION = "Talk to the companion"
_AGAIN = 60.0
"""Seconds after which a key that was lost is asked for again."""

Told = Callable[[str], None]
Watch = Callable[[Combination, Hand, Told], Awaitable[None]]
"""Watches a key until cancelled, and tells the keys as the desktop calls them, once they are bound."""


@dataclass(frozen=True, slots=True)
class Way:
    """How a desktop lets a program have a key. ``name`` is one word: "portal", "keyboard"."""

    name: str
    watch: Watch


def way_of(platform: str = sys.platform, environment: Mapping[str, str] = os.environ) -> Way | None:
    """The way of this desktop; None on a machine without one."""
    if platform in ("win32", "darwin"):
        return Way("keyboard", _by_keyboard)
    if environment.get("WAYLAND_DISPLAY"):
        return Way("portal", _by_portal)
    return Way("keyboard", _by_keyboard) if environment.get("DISPLAY") else None


class TalkKey:
    """Watches one key at a time; what is wrong with it is a problem of the house, and never more than that."""

    def __init__(self, way: Way | None, hand: Hand, telling: Telling) -> None:
        self._way = way
        self._hand = hand
        self._telling = telling
        self._tasks = Tasks()
        self._task: asyncio.Task[None] | None = None
        self.bound = ""
        """The keys that work now, as the desktop calls them; empty where none do."""
        self.problem = ""

    @property
    def way(self) -> str:
        """How it is watched; empty where it cannot be."""
        return self._way.name if self._way else ""

    def begin(self, written: str) -> None:
        """Watch these keys, as a person wrote them; empty: none."""
        if not written.strip():
            return
        try:
            keys = Combination.read(written)
        except BadInput as fault:
            self._lose(fault)
            return
        if self._way is not None:
            self._task = self._tasks.start(self._keep_watching(self._way, keys), name=TOPIC)

    async def follow(self, before: Settings, now: Settings) -> None:
        """Watch other keys where the settings name others."""
        if before.desktop.talk_key == now.desktop.talk_key:
            return
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None
        self.bound = self.problem = ""
        self._telling.tell(Solved(TOPIC))
        self.begin(now.desktop.talk_key)

    async def close(self) -> None:
        """Let the key go. May be called twice."""
        await self._tasks.close()
        self.bound = ""

    async def _keep_watching(self, way: Way, keys: Combination) -> None:
        while True:
            try:
                await way.watch(keys, self._hand, self._bind)
            except SetupError as fault:  # which only a person mends: who said no is not asked again and again
                self._lose(fault)
                return
            except CompanionError as fault:
                self._lose(fault)
            finally:
                self._hand.let_go()
            await asyncio.sleep(_AGAIN)

    def _bind(self, keys: str) -> None:
        self.bound, self.problem = keys, ""
        logger.info("the talk key is bound")
        self._telling.tell(Solved(TOPIC))

    def _lose(self, fault: CompanionError) -> None:
        self.bound, self.problem = "", str(fault)
        self._telling.tell(Problem(TOPIC, str(fault), fault.mend))


async def _by_portal(keys: Combination, hand: Hand, on_bound: Told) -> None:
    from companion.app.autostart import introduce
    from companion.app.talk_key.portal import APPLICATION, watch_portal

    await finish_in_thread(lambda: introduce(APPLICATION))
    await watch_portal(keys, DESCRIPTION, hand, on_bound)


async def _by_keyboard(keys: Combination, hand: Hand, on_bound: Told) -> None:
    from companion.app.talk_key.x11 import watch_keys

    await watch_keys(keys, hand, on_bound)
