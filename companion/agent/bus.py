"""The events of an agent: whoever wants to know is told, in order, and nobody who is slow holds it up.

Each subscriber has a queue of its own and a task that empties it. What does not fit into a full queue is dropped for
this subscriber alone, oldest first, and counted.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from companion.agent.guests import Guests
from companion.stream.tasks import Tasks

WAITING = 256
"""Events that may wait for one subscriber."""
LISTENER_SECONDS = 5.0
MOST_SUBSCRIBERS = 256

ALL = "*"
"""Every kind of event."""
RECALLED = "recalled"
"""What of a payload only those are told who may see what is remembered."""


class EventKind(StrEnum):
    RAW_INPUT = "raw_input"
    AGENT_OUTPUT = "agent_output"
    TOOL_CALL = "tool_call"
    REASONING = "reasoning"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class AgentEvent:
    """One thing that has happened.

    source: who did it. at: seconds on the clock of the event loop. turn: its number; 0 outside of any.
    payload: what is to be said of it, by name.
    """

    kind: EventKind
    source: str
    payload: Mapping[str, object] = field(default_factory=dict)
    at: float = 0.0
    turn: int = 0


Listener = Callable[[AgentEvent], Awaitable[None] | None]


class Subscription:
    """One subscriber. ``unsubscribe`` takes this one out, and no other, though it be of the same function."""

    def __init__(self, bus: Bus, listener: Listener, owner: str, *, sees_memory: bool) -> None:
        self._bus = bus
        self.listener = listener
        self.owner = owner
        self.sees_memory = sees_memory
        self.waiting: deque[AgentEvent] = deque()
        self.is_running = False
        self.dropped = 0
        """Events it never saw, because it was too slow."""

    def unsubscribe(self) -> None:
        """It is told of nothing more. May be called twice."""
        self._bus.remove(self)
        self.waiting.clear()


class Bus:
    """Tells its subscribers of events."""

    def __init__(self, guests: Guests | None = None, *, waiting: int = WAITING) -> None:
        self._guests = guests or Guests()
        self._size = waiting
        self._subscribers: dict[str, list[Subscription]] = {kind: [] for kind in (ALL, *EventKind)}
        self._tasks = Tasks()
        self._running = 0
        self._count = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._is_closed = False

    def subscribe(
        self, kind: EventKind | str, listener: Listener, *, owner: str = "", sees_memory: bool = True
    ) -> Subscription:
        """Tell ``listener``, sync (on a thread) or async, of every event of ``kind``; of all for ``ALL``.

        owner: the plugin that is left alone where it keeps failing; empty for the listener itself.
        sees_memory: whether it may be told what is remembered.

        Raises:
            ValueError: there is no such kind, or there are too many subscribers.
        """
        if kind not in self._subscribers:
            raise ValueError(f"there are no events of kind {kind!r}")
        if sum(map(len, self._subscribers.values())) >= MOST_SUBSCRIBERS:
            raise ValueError(f"there are {MOST_SUBSCRIBERS} subscribers already")
        self._count += 1
        owner = owner or f"listener {self._count}"
        subscription = Subscription(self, listener, owner, sees_memory=sees_memory)
        self._subscribers[kind].append(subscription)
        return subscription

    def remove(self, subscription: Subscription) -> None:
        """Take out this very one."""
        for mine in self._subscribers.values():
            mine[:] = [one for one in mine if one is not subscription]

    def publish(self, kind: EventKind, source: str, /, *, turn: int = 0, **payload: object) -> None:
        """Tell of an event, those first who want to know of all. Never waits and never fails."""
        if self._is_closed:
            return
        told = (*self._subscribers[ALL], *self._subscribers[kind])
        if not told:
            return
        event = AgentEvent(kind, source, MappingProxyType(payload), asyncio.get_running_loop().time(), turn)
        bare = _without_memory(event)
        for subscription in told:
            self._queue(subscription, event if subscription.sees_memory else bare)

    def _queue(self, subscription: Subscription, event: AgentEvent) -> None:
        if len(subscription.waiting) >= self._size:
            subscription.waiting.popleft()
            subscription.dropped += 1
        subscription.waiting.append(event)
        if not subscription.is_running:
            subscription.is_running = True
            self._running += 1
            self._quiet.clear()
            self._tasks.start(self._empty(subscription), name=f"events for {subscription.owner}")

    async def _empty(self, subscription: Subscription) -> None:
        try:
            while subscription.waiting:
                event = subscription.waiting.popleft()
                where = f"event {event.kind}"
                await self._guests.run(
                    subscription.owner, where, subscription.listener, event, seconds=LISTENER_SECONDS
                )
        finally:
            subscription.is_running = False
            self._running -= 1
            if not self._running:
                self._quiet.set()

    async def settle(self) -> None:
        """Return when everybody has been told of everything."""
        await self._quiet.wait()

    async def close(self) -> None:
        """Tell nobody of anything any more."""
        self._is_closed = True
        await self._tasks.close()


def _without_memory(event: AgentEvent) -> AgentEvent:
    if RECALLED not in event.payload:
        return event
    payload = {name: value for name, value in event.payload.items() if name != RECALLED}
    return replace(event, payload=MappingProxyType(payload))
