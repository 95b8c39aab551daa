"""The settings that a running companion goes by: what may change while it runs is changed, the rest waits for its
next start.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from companion.app.events import SettingsChanged, Telling
from companion.settings.applies import AT_ONCE, differing, taking
from companion.settings.describe import Value
from companion.settings.schema import Settings

logger = logging.getLogger(__name__)

Follower = Callable[[Settings, Settings], Awaitable[None]]
"""Is handed what held before and what holds now."""
MOST_CHANGES = 50
"""That can be taken back."""


@dataclass(frozen=True, slots=True)
class Change:
    """before, after: what the file held; None where it said nothing, so that the default held."""

    name: str
    before: Value | None
    after: Value | None


def no_changes() -> deque[Change]:
    """Where changes are kept; of very many, the newest."""
    return deque(maxlen=MOST_CHANGES)


class Live:
    """What holds now, and who is to be told when it changes.

    changes: what can be taken back. They outlive an engine that is begun anew, which is what some changes ask for.
    """

    def __init__(self, settings: Settings, telling: Telling, *, changes: deque[Change] | None = None) -> None:
        self.settings = settings
        self.changes = no_changes() if changes is None else changes
        self._telling = telling
        self._followers: list[Follower] = []
        self._changing = asyncio.Lock()

    def follow(self, follower: Follower) -> None:
        """Hear of every change from now on. A follower that fails keeps nobody else from following."""
        self._followers.append(follower)

    async def adopt(self, fresh: Settings) -> tuple[str, ...]:
        """Go by ``fresh`` as far as may be at once. Returns the names of what waits for the next start."""
        async with self._changing:
            before, now = self.settings, taking(self.settings, fresh)
            changed = differing(before, now)
            if changed:
                self.settings = now
                await self._tell(before, now)
        waiting = self.waiting(fresh)
        self._telling.tell(SettingsChanged(changed, waiting))
        return waiting

    async def again(self) -> None:
        """Something beside the settings has changed, as the text of the personality: follow anew."""
        async with self._changing:
            await self._tell(self.settings, self.settings)

    def waiting(self, fresh: Settings) -> tuple[str, ...]:
        """The names of what ``fresh`` holds otherwise, and what counts from the next start only."""
        return tuple(name for name in differing(self.settings, fresh) if name not in AT_ONCE)

    async def _tell(self, before: Settings, now: Settings) -> None:
        for follower in list(self._followers):
            try:
                await follower(before, now)
            except Exception:
                logger.exception("a setting could not be followed")
