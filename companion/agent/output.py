"""The one way out: ``send(channel, content)``. The agent itself reaches no screen, no loudspeaker and no file.

A channel says what it can carry. Who sends gets a receipt of one word, which is all that a model is told.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, assert_never

from companion.agent.bus import Bus, EventKind
from companion.agent.guests import Failure, Guests
from companion.errors import PluginError
from companion.model import JsonValue
from companion.model.plain import to_json
from companion.stream import Blob

logger = logging.getLogger(__name__)

VOICE = "voice"
SCREEN = "screen"
LOG = "log"
SEND_SECONDS = 10.0
"""How long a channel may take for one content."""
LONGEST = 16_000
"""Characters of one text."""
LARGEST = 32 << 20
"""Bytes of anything else."""
MOST_CHANNELS = 64
LONGEST_CHANNEL = 40
"""Characters of the name of one."""


class Carries(StrEnum):
    """What a channel can carry."""

    TEXT = "text"
    AUDIO = "audio"
    IMAGE = "image"
    FILE = "file"
    STRUCTURED = "structured"


@dataclass(frozen=True, slots=True)
class File:
    """A file by its name, with its bytes."""

    name: str
    blob: Blob


@dataclass(frozen=True, slots=True)
class Structured:
    """What JSON can say."""

    value: JsonValue


Content = str | Blob | File | Structured


class Receipt(StrEnum):
    """What became of a content, in the one word a model is told."""

    SENT = "sent"
    EMPTY = "empty"
    TOO_LONG = "too-long"
    UNKNOWN = "unknown"
    """There is no such channel."""
    UNSUPPORTED = "unsupported"
    """The channel cannot carry that."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Delivery:
    """One content on its way. turn: the number of the turn it belongs to; 0 outside of any."""

    content: Content
    language: str = ""
    turn: int = 0


class OutputChannel(Protocol):
    """A way out."""

    @property
    def name(self) -> str: ...

    @property
    def carries(self) -> frozenset[Carries]: ...

    async def send(self, delivery: Delivery) -> None:
        """Give it out. What it raises is a failed delivery, and nothing worse."""


@dataclass(frozen=True, slots=True)
class TextChannel:
    """A channel for words. write: does it; sync functions run on a thread."""

    name: str
    write: Callable[[Delivery], Awaitable[None] | None]
    carries: frozenset[Carries] = frozenset({Carries.TEXT})

    async def send(self, delivery: Delivery) -> None:
        written = self.write(delivery)
        if written is not None:
            await written


@dataclass(frozen=True, slots=True)
class _Registered:
    """A channel, with what it said of itself when it came."""

    channel: OutputChannel
    owner: str
    carries: frozenset[Carries]


class Outputs:
    """All channels, by name."""

    def __init__(self, bus: Bus, guests: Guests) -> None:
        self._bus = bus
        self._guests = guests
        self._channels: dict[str, _Registered] = {}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._channels)

    def owner_of(self, name: str) -> str:
        """Whose channel it is; empty where there is none."""
        found = self._channels.get(name)
        return found.owner if found else ""

    def carries(self, name: str) -> frozenset[Carries]:
        """What a channel can carry; nothing where there is none."""
        found = self._channels.get(name)
        return found.carries if found else frozenset()

    def add(self, channel: OutputChannel, *, owner: str = "") -> Callable[[], None]:
        """Register a channel, and return what takes it out again.

        owner: the plugin that is left alone where it keeps failing; empty for the channel itself.

        Raises:
            PluginError: the name is taken or empty, or there are too many.
        """
        name, carries = channel.name, frozenset(Carries(one) for one in channel.carries)
        owner = owner or f"channel {name}"
        if not name or name.startswith("_") or len(name) > LONGEST_CHANNEL:
            raise PluginError(f"{name[:40]!r} cannot be the name of a channel", plugin=owner)
        if name in self._channels:
            raise PluginError(f"there is a channel {name!r} already", plugin=owner)
        if len(self._channels) >= MOST_CHANNELS:
            raise PluginError(f"there are {MOST_CHANNELS} channels already", plugin=owner)
        mine = self._channels[name] = _Registered(channel, owner, carries)

        def remove() -> None:
            if self._channels.get(name) is mine:
                del self._channels[name]

        return remove

    async def send(self, name: str, content: Content, *, language: str = "", turn: int = 0) -> Receipt:
        """Send it. Never raises but what cancels the caller."""
        receipt = await self._sent(name, Delivery(content, language, turn))
        self._bus.publish(
            EventKind.SYSTEM, "companion", turn=turn, action="output_send", channel=name, receipt=receipt.value
        )
        return receipt

    async def _sent(self, name: str, delivery: Delivery) -> Receipt:
        content = delivery.content
        if isinstance(content, str) and not content.strip():
            return Receipt.EMPTY
        if _is_too_long(content):
            return Receipt.TOO_LONG
        found = self._channels.get(name)
        if found is None:
            return Receipt.UNKNOWN
        if kind_of(content) not in found.carries:
            return Receipt.UNSUPPORTED
        ran = await self._guests.run(found.owner, f"channel {name}", found.channel.send, delivery, seconds=SEND_SECONDS)
        return Receipt.FAILED if isinstance(ran, Failure) or not ran else Receipt.SENT


def _is_too_long(content: Content) -> bool:
    match content:
        case str():
            return len(content) > LONGEST
        case Structured(value):
            try:
                return len(to_json(value)) > LARGEST
            except (TypeError, ValueError, RecursionError):
                return True
        case File(_, blob) | (Blob() as blob):
            return len(blob.data) > LARGEST
        case _:
            assert_never(content)


def kind_of(content: Content) -> Carries:
    """What a channel must be able to carry for it."""
    match content:
        case str():
            return Carries.TEXT
        case Structured():
            return Carries.STRUCTURED
        case File():
            return Carries.FILE
        case Blob(mime_type=mime):
            kind = mime.strip().lower().partition("/")[0]
            return {"audio": Carries.AUDIO, "image": Carries.IMAGE}.get(kind, Carries.FILE)
        case _:
            assert_never(content)
