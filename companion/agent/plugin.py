"""What a talent or a plugin sees of the house, and what the house asks of it.

A talent answers recognised commands without a model: it gets a Request and gives a Reply. It may also teach a model:
instructions and tools, which the model is given where a prompt asks for them. A plugin may bring talents,
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
from companion.model.prompt import Prompt
from companion.model.teaching import Teaching
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
    "Prompt",
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
    "Teaches",
    "Teaching",
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
    quotes: str = ""
    """Whose words it repeats besides the user's of this turn: "notes", "memory"; empty for nobody's. What a plugin's
    talent says is a plugin's in any case."""
    is_kept: bool = True
    """Whether the turn is part of the conversation; not where it repeats what was just forgotten."""


@runtime_checkable
class Talent(Protocol):
    """Answers commands. What it ``Teaches`` besides is for a model."""

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
        """Sentences worth synthesising beforehand; the program asks its own talents only."""


@runtime_checkable
class Teaches(Protocol):
    """A talent that has something to tell a model, too."""

    @property
    def teaching(self) -> Teaching: ...


@runtime_checkable
class Foresight(Protocol):
    """A talent that knows what it would answer if it were asked now."""

    def likely_replies(self, language: str, now: datetime) -> tuple[str, ...]:
        """Replies worth synthesising while the user still speaks."""


NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
"""What a plugin may be called."""
LARGEST_MANIFEST = 64_000
"""Bytes of a ``plugin.toml``."""
LONGEST_DESCRIPTION = 400
"""Characters of a version or a description."""


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

    Raises:
        PluginError: a field is not what it should be.
    """

    name: str
    version: str = "0"
    description: str = ""
    permissions: frozenset[Permission] = frozenset()
    settings: type[Section] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not NAME.fullmatch(self.name):
            raise PluginError("the name of a plugin has to be small letters, digits and -", plugin=str(self.name)[:40])
        for text in (self.version, self.description):
            if not isinstance(text, str) or len(text) > LONGEST_DESCRIPTION:
                raise PluginError(f"{self.name} has a version or description that is too long", plugin=self.name)
        if self.settings is not None and not (isinstance(self.settings, type) and issubclass(self.settings, Section)):
            raise PluginError(f"{self.name}: its settings have to be a Section", plugin=self.name)
        try:
            permissions = frozenset(Permission(one) for one in self.permissions)
        except (TypeError, ValueError) as error:
            raise PluginError(f"{self.name} asks for what cannot be allowed", plugin=self.name) from error
        object.__setattr__(self, "permissions", permissions)

    @classmethod
    def read(cls, file: Path, *, settings: type[Section] | None = None) -> Manifest:
        """The manifest in a ``plugin.toml``: name, version, description and permissions.

        Raises:
            PluginError: it cannot be read, or a field is not what it should be.
        """
        try:
            # A pipe would be waited for.
            if not file.is_file() or file.stat().st_size > LARGEST_MANIFEST:
                raise ValueError(f"it has to be a file of up to {LARGEST_MANIFEST} bytes")
            fields = tomllib.loads(file.read_text(encoding="utf-8"))
            unknown = fields.keys() - {"name", "version", "description", "permissions"}
            if unknown:
                raise ValueError(f"it has no field {min(unknown)!r}")
            texts = {key: str(fields.get(key, "")) for key in ("name", "version", "description")}
            if not NAME.fullmatch(texts["name"]):
                raise ValueError("its name has to be small letters, digits and -")
            permissions = frozenset(Permission(one) for one in fields.get("permissions", []))
        except (OSError, UnicodeDecodeError, ValueError, TypeError, RecursionError) as error:
            raise PluginError(f"{file}: {one_line(error)}", plugin=file.parent.name, mend=f"Mend {file}.") from error
        return cls(texts["name"], texts["version"] or "0", texts["description"], permissions, settings)


class Memory(Protocol):
    """What a plugin reaches of the memory and the knowledge."""

    async def recall(self, query: str) -> Sequence[Recalled]:
        """What fits, the best first."""

    async def remember(self, triples: Sequence[tuple[str, str, str]], *, said_by: str = "") -> str:
        """Keep facts; gives a word on what became of them. They are this plugin's words, whatever ``said_by`` says."""

    async def search(self, query: str) -> Sequence[Recalled]:
        """Passages of the user's knowledge."""


class Network(Protocol):
    """Other machines. The user is told what goes out."""

    async def get(self, url: str) -> bytes:
        """What is there: up to a few megabytes, from http or https, and not from this machine itself.

        Raises:
            CompanionError, TimeoutError: it could not be had.
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

    def add_talent(self, talent: Talent | Teaching) -> None:
        """Answer commands, teach a model, or both.

        Raises:
            PluginError: another talent answers one of them, or what it teaches cannot be offered.
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
        """Handle a stage; lower priorities, of -100 to 100, come first. ``whole_text`` holds streamed replies back.

        Without memory-read it is not shown what is remembered, nor called for results of tools that look it up.

        Raises:
            PluginError: priority or seconds cannot be.
        """

    def subscribe(self, kind: EventKind | str, listener: Listener) -> Callable[[], None]:
        """Be told of events, of all for "*"; gives what ends that. What is remembered is told with memory-read only."""

    def add_channel(self, channel: OutputChannel) -> None:
        """Offer a way out.

        Raises:
            PluginError: the name is taken.
        """

    async def send(self, channel: str, content: Content) -> Receipt:
        """Put something out. Needs speak."""

    def inject(self, text: str, *, channel: str = "screen", language: str = "en") -> bool:
        """Have the companion take up ``text`` as an input, behind what the user says; whether there was room.

        It is answered on ``channel``. That needs speak, unless the channel is its own.
        """


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
