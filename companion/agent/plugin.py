"""What a talent or a plugin sees of the house, and what the house asks of it.

A talent answers recognised commands without a model: it gets a Request and gives a Reply. A plugin may bring talents,
tools for the model, handlers of the seven stages, listeners and channels; it gets a ``House`` when it starts and
reaches everything through that door. It is built by ``app`` or loaded by the host, and never imports the rooms of the
middle.

Permissions bound what the house hands out; they are no sandbox. A plugin is Python in this process: install only what
you would run.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol, runtime_checkable

from companion.agent.bus import AgentEvent, EventKind, Listener
from companion.agent.output import Carries, Content, Delivery, OutputChannel, Receipt
from companion.agent.stages import About, Origin, Recalled, Stage, StageContext, StageFunction
from companion.errors import PluginError, one_line
from companion.model import FuncTool
from companion.settings.schema import Section

__all__ = [
    "About",
    "AgentEvent",
    "Carries",
    "Content",
    "Delivery",
    "Effect",
    "EventKind",
    "Foresight",
    "House",
    "Listener",
    "Manifest",
    "Memory",
    "Network",
    "Origin",
    "OutputChannel",
    "Permission",
    "Plugin",
    "Recalled",
    "Receipt",
    "Reply",
    "Request",
    "SayAgain",
    "Section",
    "SetVolume",
    "Stage",
    "StageContext",
    "StageFunction",
    "StopSpeaking",
    "Talent",
]


@dataclass(frozen=True, slots=True)
class Request:
    """One recognised command."""

    intent: str
    """Name of the rule that matched, as ``timer.set``."""
    slots: Mapping[str, str]
    """What the rule's slots hold, as spoken, lower case."""
    text: str
    """The whole sentence as recognised."""
    language: str
    """BCP 47 tag of the turn."""
    now: datetime
    """Local time, with its zone."""


@dataclass(frozen=True, slots=True)
class SetVolume:
    """Turn the loudspeaker to ``volume`` (0 to 1), or by ``change``."""

    volume: float | None = None
    change: float = 0.0


@dataclass(frozen=True, slots=True)
class StopSpeaking:
    """End the reply and the conversation; go back to waiting for the wake word."""


@dataclass(frozen=True, slots=True)
class SayAgain:
    """Say the last reply once more."""


Effect = SetVolume | StopSpeaking | SayAgain


@dataclass(frozen=True, slots=True)
class Reply:
    """What a talent says and wants done. Empty text says nothing."""

    text: str
    effects: tuple[Effect, ...] = field(default=())
    follow_up: bool = True
    """Whether to listen for more without the wake word."""
    yields: bool = False
    """Whether the language model, where there is one, shall answer in its place."""


@runtime_checkable
class Talent(Protocol):
    """Answers commands. ``companion.model.talent.Talent`` is another thing: it tells a chat model how to."""

    @property
    def name(self) -> str: ...

    @property
    def intents(self) -> frozenset[str]:
        """The rule names it answers."""

    async def answer(self, request: Request) -> Reply:
        """Act and say so. Called once, when the turn has ended.

        Raises:
            CompanionError: it could not; the message is said to the user.
        """

    def frequent_replies(self, language: str) -> tuple[str, ...]:
        """Sentences worth synthesising beforehand."""


@runtime_checkable
class Foresight(Protocol):
    """A talent that knows what it would answer if it were asked now."""

    def likely_replies(self, language: str, now: datetime) -> tuple[str, ...]:
        """Replies worth synthesising while the user still speaks."""


NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
"""What a plugin may be called."""


class Permission(StrEnum):
    """What a plugin may ask for in its manifest. It has none by default; the user grants them one by one."""

    NETWORK = "network"
    """Reach other machines, by ``House.network``."""
    FILES = "files"
    """Have a folder of its own."""
    MEMORY_READ = "memory-read"
    """See what is remembered, and ask the memory and the knowledge."""
    MEMORY_WRITE = "memory-write"
    """Have facts and documents written."""
    SPEAK = "speak"
    """Put something out by itself, on any channel."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """Who a plugin is, and what it asks for.

    settings: the table of its own settings, where it has any; they are checked before it starts.
    """

    name: str
    version: str = "0"
    description: str = ""
    permissions: frozenset[Permission] = frozenset()
    settings: type[Section] | None = None

    @classmethod
    def read(cls, file: Path, *, settings: type[Section] | None = None) -> Manifest:
        """The manifest in a ``plugin.toml``: name, version, description and permissions.

        Raises:
            PluginError: it cannot be read, or a field is not what it should be.
        """
        try:
            fields = tomllib.loads(file.read_text(encoding="utf-8"))
            unknown = fields.keys() - {"name", "version", "description", "permissions"}
            if unknown:
                raise ValueError(f"it has no field {min(unknown)!r}")
            texts = {key: str(fields.get(key, "")) for key in ("name", "version", "description")}
            if not NAME.fullmatch(texts["name"]):
                raise ValueError("its name has to be small letters, digits and -")
            permissions = frozenset(Permission(one) for one in fields.get("permissions", []))
        except (OSError, UnicodeDecodeError, ValueError, TypeError) as error:
            raise PluginError(f"{file}: {one_line(error)}", plugin=file.parent.name, mend=f"Mend {file}.") from error
        return cls(texts["name"], texts["version"] or "0", texts["description"], permissions, settings)


class Memory(Protocol):
    """What a plugin reaches of the memory and the knowledge."""

    async def recall(self, query: str) -> Sequence[Recalled]:
        """What fits, the best first."""

    async def remember(self, triples: Sequence[tuple[str, str, str]], *, said_by: str) -> str:
        """Keep facts, as said by this plugin; gives a word on what became of them."""

    async def search(self, query: str) -> Sequence[Recalled]:
        """Passages of the user's knowledge."""


class Network(Protocol):
    """Other machines."""

    async def get(self, url: str) -> bytes:
        """What is there.

        Raises:
            CompanionError: it could not be had.
        """


class House(Protocol):
    """What a plugin is handed when it starts. What it has added is taken out again when it ends.

    Without the permission for it, a door raises PermissionDenied.
    """

    @property
    def settings(self) -> Section | None:
        """Its own, of the type its manifest names."""

    @property
    def memory(self) -> Memory:
        """Needs memory-read; ``remember`` memory-write."""

    @property
    def network(self) -> Network:
        """Needs network."""

    @property
    def folder(self) -> Path:
        """A folder of its own, which is there. Needs files."""

    def add_talent(self, talent: Talent) -> None:
        """Answer commands.

        Raises:
            PluginError: another talent answers one of them.
        """

    def add_tool(self, tool: FuncTool | Callable[..., object]) -> None:
        """Offer the model a tool; a typed function becomes one by its docstring.

        Raises:
            PluginError, BadTool: it cannot be offered.
        """

    def on(
        self,
        stage: Stage,
        handler: StageFunction,
        *,
        priority: int = 0,
        whole_text: bool = False,
        seconds: float | None = None,
    ) -> None:
        """Handle a stage; lower priorities come first. ``whole_text`` holds streamed replies back."""

    def subscribe(self, kind: EventKind | str, listener: Listener) -> Callable[[], None]:
        """Be told of events, of all for "*"; gives what ends that."""

    def add_channel(self, channel: OutputChannel) -> None:
        """Offer a way out.

        Raises:
            PluginError: the name is taken.
        """

    async def send(self, channel: str, content: Content) -> Receipt:
        """Put something out. Needs speak."""

    def inject(self, text: str, *, channel: str = "screen", language: str = "en") -> bool:
        """Have the companion take up ``text`` as an input, behind what the user says; whether there was room."""


@runtime_checkable
class Plugin(Protocol):
    """A plugin. ``plugin.py`` of a folder, or an entry point of ``companion.plugins``, gives what makes one."""

    @property
    def manifest(self) -> Manifest: ...

    async def start(self, house: House) -> None:
        """Add what it brings. What it raises means that it does not start."""

    async def check(self) -> None:
        """Look whether it can work.

        Raises:
            Exception: it cannot; the message is shown to the user.
        """

    async def stop(self) -> None:
        """Give back what it holds."""
