"""What a realtime session is made of, and how long it is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from companion.dialects.openai_realtime import RealtimeSettings
from companion.model.interceptor import Interceptor
from companion.providers.remote.endpoint import Endpoint
from companion.providers.remote.http import HttpOptions
from companion.providers.remote.keys import Key, no_key
from companion.providers.remote.realtime_line import address
from companion.providers.remote.sent import Watcher
from companion.stream import Usage


@dataclass(frozen=True, slots=True)
class RealtimePatience:
    """Seconds.

    ready: until a session is there. silence: between two events while an answer is awaited. tool: for one tool.
    tries: how often in a row a line is made again; pause: before the first time, each further one twice as long.
    rounds: of tools that one question may take; then an answer without tools is asked for.
    """

    ready: float = 10.0
    silence: float = 30.0
    tool: float = 60.0
    tries: int = 3
    pause: float = 0.25
    rounds: int = 10


class Meter(Protocol):
    """Pays for one call."""

    async def open(self) -> None:
        """Nothing was sent yet. What it raises ends the call."""

    def ready(self) -> None:
        """There is a session."""

    async def put_down(self) -> None:
        """An answer will be asked for, unless its price was put down already. What it raises ends the call."""

    async def counted(self, usage: Usage) -> None:
        """An answer has ended, and has cost so much. Never raises."""

    async def lost(self) -> None:
        """An answer was under way when the line broke. Never raises."""

    async def close(self, fault: Exception | None, *, is_owed: bool) -> None:
        """The call has ended, by ``fault`` if there is one; is_owed: an answer was under way. Never raises."""


@dataclass(frozen=True, slots=True)
class RealtimePlan:
    """settings: of each session. key: fetched for each line. options: deadlines of connecting, proxy and certificates.

    interceptors: stand around the tools of ``settings``; calls of those without a function are only given on.
    watch: told of what leaves. sleep: waits before a line is made again. meter: makes what pays for one call.
    """

    endpoint: Endpoint
    model: str
    settings: RealtimeSettings = field(default_factory=RealtimeSettings)
    key: Key = no_key
    options: HttpOptions = field(default_factory=HttpOptions)
    interceptors: tuple[Interceptor, ...] = ()
    watch: Watcher | None = None
    patience: RealtimePatience = field(default_factory=RealtimePatience)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    meter: Callable[[], Meter] | None = None

    @property
    def url(self) -> str:
        """Where the session is."""
        return address(self.endpoint.door.base_url, self.model)
