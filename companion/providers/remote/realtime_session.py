"""One realtime session that outlives its lines: what it is told, what it knows, and how it is put back after a cut."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from itertools import count

from companion.dialects import choose_dialect
from companion.dialects.openai_realtime import (
    RATE,
    Order,
    RealtimeEvent,
    Recall,
    SessionReady,
    Trouble,
    Turns,
    append,
    item,
    session,
)
from companion.errors import Unreachable, WireBroken
from companion.model import JsonValue, Kind
from companion.providers.remote.exchange import host_of
from companion.providers.remote.keys import HeldKey
from companion.providers.remote.realtime_line import RealtimeLine, connect
from companion.providers.remote.realtime_plan import RealtimePlan
from companion.providers.remote.sent import Sent
from companion.providers.remote.teller import Teller

logger = logging.getLogger(__name__)

MOST_PENDING = 2 * RATE * 60
"""Bytes of sound that belong to no message yet: a minute. Of a server that listens all the time the oldest goes."""
_FAULTS = "openai-completions"
_SLICE = 2 * RATE * 10
SESSION = "session"


class RealtimeSession:
    """Sends what it is told while there is a line, and remembers it for the next line.

    door: held by whoever changes what is remembered and sends it, so that a new line misses nothing.
    """

    def __init__(self, plan: RealtimePlan) -> None:
        self.door = asyncio.Lock()
        self.recall = Recall()
        self.pending = bytearray()
        """The user's sound that belongs to no message yet."""
        self.calls: set[str] = set()
        """Calls that the session on this line has made."""
        self._plan = plan
        self._line: RealtimeLine | None = None
        self._order = count(1)
        self._sent = 0

    @property
    def host(self) -> str:
        return host_of(self._plan.url)

    def order(self, what: str) -> str:
        """An id for an event, by which the server names it when it fails."""
        return f"{what}-{next(self._order)}"

    async def open(self) -> RealtimeLine:
        """A line with a session that is as wished and knows the conversation so far. The door has to be held.

        Raises:
            ModelError: there is no line, or the server does not serve this.
            TimeoutError: it took too long.
        """
        plan = self._plan
        key = await HeldKey(plan.key).get()
        headers: Mapping[str, str] = plan.endpoint.door.key_header.of(key) if key else {}
        dialect, teller = choose_dialect(standard=_FAULTS), Teller(plan.endpoint.title, key)
        line = await connect(plan.url, headers, plan.options, dialect=dialect, teller=teller)
        try:
            await self._set_up(line)
        except BaseException:
            await line.close()
            raise
        self._line = line
        self.calls.clear()
        return line

    async def _set_up(self, line: RealtimeLine) -> None:
        self._sent += await line.send(session(self._plan.settings, order=SESSION))
        try:
            async with asyncio.timeout(self._plan.patience.ready):
                while not _is_ready(await line.next()):
                    pass
        except TimeoutError as error:
            raise TimeoutError(f"{self.host} opened no session in time") from error
        for held in self.recall.items():
            self._sent += await line.send(item(held, order=self.order("item")))
        for place in range(0, len(self.pending), _SLICE):
            self._sent += await line.send(append(bytes(self.pending[place : place + _SLICE])))

    async def send(self, order: Order) -> None:
        """Send an event. Where the line is broken nothing is sent: the next line is told what this one missed."""
        if self._line is None:
            return
        try:
            self._sent += await self._line.send(order)
        except (Unreachable, TimeoutError) as error:
            logger.info("an event for %s was not taken: %s", self.host, type(error).__name__)
            await self.leave()

    async def leave(self) -> None:
        """Close the line; whoever reads it notices."""
        line, self._line = self._line, None
        if line is not None:
            await line.close()

    async def sound(self, sound: bytes) -> None:
        """More of the user's sound.

        Raises:
            ModelError: there is more than a message may hold.
        """
        if not sound:
            return
        self.pending += sound
        if len(self.pending) > MOST_PENDING:
            if self._plan.settings.turns is Turns.OURS:
                raise WireBroken("one message may hold a minute of sound", mend="cut it at a pause", retryable=False)
            del self.pending[: len(self.pending) - MOST_PENDING]
        await self.send(append(sound))

    async def put(self, held: Mapping[str, JsonValue]) -> None:
        """A message of the conversation, which is remembered already."""
        await self.send(item(held, order=self.order("item")))

    def taken(self, name: str = "") -> None:
        """The user's sound so far is a message."""
        if self.pending:
            self.recall.user_sounded(bytes(self.pending), name)
            self.pending.clear()

    def tell(self, kind: Kind) -> None:
        """Tell whoever watches what has left since the last time."""
        if self._plan.watch is not None:
            endpoint, sent, self._sent = self._plan.endpoint, self._sent, 0
            self._plan.watch(Sent(endpoint.name, self.host, sent, frozenset({kind}), endpoint.is_local))


def _is_ready(event: RealtimeEvent) -> bool:
    if isinstance(event, Trouble) and event.order in ("", SESSION):
        raise event.error
    return isinstance(event, SessionReady) and event.is_updated
