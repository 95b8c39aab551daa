"""The door through which one plugin reaches the house: as far as it was allowed, and no longer than it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from companion.agent.handlers import HANDLER_SECONDS, Handler
from companion.agent.output import LONGEST_CHANNEL
from companion.agent.plugin import (
    Content,
    EventKind,
    Listener,
    Manifest,
    Memory,
    Network,
    OutputChannel,
    Permission,
    Recalled,
    Receipt,
    Section,
    Stage,
    StageFunction,
    Talent,
    Teaching,
)
from companion.agent.registry import Rank, Registry
from companion.agent.scheduler import Input, Priority
from companion.agent.tools import LONGEST_PART, MOST_TRIPLES
from companion.errors import PermissionDenied, PluginError
from companion.model import FuncTool

Room = TypeVar("Room")

LONGEST_SECONDS = 5.0
"""The most a handler of a plugin may ask for."""
MOST_PRIORITY = 100
"""A handler of a plugin is at most so early or so late; what the program itself hears comes before all."""
LONGEST_INPUT = 8_000
"""Characters of an input that is put in."""
LONGEST_QUERY = 1_000
"""Characters of what is looked for."""
LONGEST_TAG = 35
"""Characters of a language tag."""
MOST_ADDED = 64
"""What one plugin may add at once: talents, tools, handlers, listeners and channels."""


@dataclass(frozen=True, slots=True)
class Rooms:
    """What the house has to offer behind permissions. None: nobody offers it.

    network: makes the way out of a plugin, by its name.
    submit: takes an input, and says whether there was room. folders: where each plugin may have a folder of its own.
    """

    memory: Memory | None = None
    network: Callable[[str], Network] | None = None
    folders: Path | None = None
    submit: Callable[[Input], bool] | None = None


class Door:
    """Implements ``agent.plugin.House`` for one plugin."""

    def __init__(
        self,
        manifest: Manifest,
        registry: Registry,
        granted: frozenset[Permission],
        rooms: Rooms,
        *,
        settings: Section | None = None,
        rank: Rank = Rank.PLUGIN,
    ) -> None:
        self._name = manifest.name
        self._registry = registry
        self._granted = granted & manifest.permissions
        self._rooms = rooms
        self._settings = settings
        self._rank = rank
        self._removes: list[Callable[[], None]] = []
        self._is_closed = False

    @property
    def granted(self) -> frozenset[Permission]:
        return self._granted

    @property
    def settings(self) -> Section | None:
        return self._settings

    @property
    def memory(self) -> Memory:
        self._demand(Permission.MEMORY_READ)
        return _GuardedMemory(self._there(self._rooms.memory, "memory"), self._name, self._demand)

    @property
    def network(self) -> Network:
        self._demand(Permission.NETWORK)
        return _GuardedNetwork(self._there(self._rooms.network, "network")(self._name), self._demand)

    @property
    def folder(self) -> Path:
        self._demand(Permission.FILES)
        mine = self._there(self._rooms.folders, "folder") / self._name
        mine.mkdir(mode=0o700, parents=True, exist_ok=True)
        return mine

    def add_talent(self, talent: Talent | Teaching) -> None:
        self._demand_room()
        self._keep(self._registry.add_talent(talent, owner=self._name, rank=self._rank))

    def add_tool(self, tool: FuncTool | Callable[..., object]) -> None:
        self._demand_room()
        offered = tool if isinstance(tool, FuncTool) else FuncTool.of(tool)
        self._keep(self._registry.add_tool(offered, owner=self._name, rank=self._rank))

    def on(
        self,
        stage: Stage,
        handler: StageFunction,
        *,
        priority: int = 0,
        whole_text: bool = False,
        seconds: float | None = None,
    ) -> None:
        self._demand_room()
        if type(priority) is not int or abs(priority) > MOST_PRIORITY:
            raise PluginError(
                f"{self._name}: a priority is a whole number of -{MOST_PRIORITY} to {MOST_PRIORITY}", plugin=self._name
            )
        limit = HANDLER_SECONDS if seconds is None else self._bounded(seconds)
        is_own = self._rank is Rank.BUILT_IN
        made = Handler(
            Stage(stage), handler, self._name, priority, bool(whole_text), limit, self._sees_memory, is_own=is_own
        )
        self._keep(self._registry.handlers.add(made))

    def subscribe(self, kind: EventKind | str, listener: Listener) -> Callable[[], None]:
        self._demand_room()
        subscription = self._registry.bus.subscribe(kind, listener, owner=self._name, sees_memory=self._sees_memory)
        self._keep(subscription.unsubscribe)

        def end() -> None:
            subscription.unsubscribe()
            if subscription.unsubscribe in self._removes:
                self._removes.remove(subscription.unsubscribe)

        return end

    def add_channel(self, channel: OutputChannel) -> None:
        self._demand_room()
        self._keep(self._registry.outputs.add(channel, owner=self._name))

    async def send(self, channel: str, content: Content) -> Receipt:
        self._demand(Permission.SPEAK)
        return await self._registry.outputs.send(channel, content)

    def inject(self, text: str, *, channel: str = "screen", language: str = "en") -> bool:
        self._demand_open()
        if self._registry.outputs.owner_of(channel) != self._name:
            self._demand(Permission.SPEAK)
        is_whole = isinstance(text, str) and len(text.strip()) > 0 and len(text) <= LONGEST_INPUT
        is_ours = channel.startswith("_") or len(channel) > LONGEST_CHANNEL
        if self._rooms.submit is None or not is_whole or is_ours or len(language) > LONGEST_TAG:
            return False
        return self._rooms.submit(Input(text, channel, Priority.PLUGIN, self._name, language))

    def close(self) -> None:
        """Take out all that it has added; it gets nothing more."""
        self._is_closed = True
        while self._removes:
            self._removes.pop()()

    def _keep(self, remove: Callable[[], None]) -> None:
        if self._is_closed:
            remove()
            self._demand_open()
        self._removes.append(remove)

    @property
    def _sees_memory(self) -> bool:
        return Permission.MEMORY_READ in self._granted

    def _bounded(self, seconds: object) -> float:
        if not isinstance(seconds, int | float) or not seconds > 0:
            raise PluginError(f"{self._name}: the seconds of a handler are more than none", plugin=self._name)
        return min(float(seconds), LONGEST_SECONDS)

    def _demand_room(self) -> None:
        self._demand_open()
        if len(self._removes) >= MOST_ADDED:
            raise PluginError(f"{self._name} has added {MOST_ADDED} things already", plugin=self._name)

    def _demand_open(self) -> None:
        if self._is_closed:
            raise PluginError(f"{self._name} has ended, and can add nothing more", plugin=self._name)

    def _demand(self, permission: Permission) -> None:
        self._demand_open()
        if permission not in self._granted:
            raise PermissionDenied(
                f"{self._name} was not allowed {permission}",
                plugin=self._name,
                permission=permission.value,
                mend=f"Allow it: companion plugins enable {self._name} --allow {permission}",
            )

    def _there(self, room: Room | None, what: str) -> Room:
        if room is None:
            raise PluginError(f"{self._name}: there is no {what} here", plugin=self._name)
        return room


class _GuardedMemory:
    """A memory that is only read, where writing was not allowed, and knows who writes."""

    def __init__(self, memory: Memory, name: str, demand: Callable[[Permission], None]) -> None:
        self._memory = memory
        self._name = name
        self._demand = demand

    async def recall(self, query: str) -> Sequence[Recalled]:
        self._demand(Permission.MEMORY_READ)
        return await self._memory.recall(query[:LONGEST_QUERY])

    async def search(self, query: str) -> Sequence[Recalled]:
        self._demand(Permission.MEMORY_READ)
        return await self._memory.search(query[:LONGEST_QUERY])

    async def remember(self, triples: Sequence[tuple[str, str, str]], *, said_by: str = "") -> str:
        self._demand(Permission.MEMORY_WRITE)
        if not _are_triples(triples):
            raise PluginError(
                f"{self._name}: facts are up to {MOST_TRIPLES} triples of texts of up to {LONGEST_PART} characters",
                plugin=self._name,
            )
        return await self._memory.remember(triples, said_by=self._name)


def _are_triples(triples: Sequence[tuple[str, str, str]]) -> bool:
    return 0 < len(triples) <= MOST_TRIPLES and all(
        len(triple) == 3 and all(isinstance(part, str) and len(part) <= LONGEST_PART for part in triple)
        for triple in triples
    )


class _GuardedNetwork:
    """A way out that ends with the plugin."""

    def __init__(self, network: Network, demand: Callable[[Permission], None]) -> None:
        self._network = network
        self._demand = demand

    async def get(self, url: str) -> bytes:
        self._demand(Permission.NETWORK)
        return await self._network.get(url)
