"""What the program and its plugins have brought: talents, tools, handlers, listeners and channels, by the same door."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from types import MappingProxyType

from companion.agent.bus import Bus, EventKind
from companion.agent.guests import Guests
from companion.agent.handlers import Handlers
from companion.agent.output import Outputs
from companion.agent.plugin import Talent
from companion.errors import PluginError
from companion.model import FuncTool
from companion.model.tool import is_async
from companion.model.toolkit import LIMIT_SECONDS

MOST_TOOLS = 128

Remove = Callable[[], None]


class Rank(IntEnum):
    """Whose tool a name means where several have it: the lower one's."""

    BUILT_IN = 0
    PLUGIN = 1
    DEVICE = 2


@dataclass(frozen=True, slots=True)
class _Offered:
    tool: FuncTool
    owner: str
    rank: Rank


class Registry:
    """All of one agent. What ``add_`` gives takes the thing out again; it may be called twice."""

    def __init__(self, guests: Guests | None = None) -> None:
        self.guests = guests or Guests()
        self.bus = Bus(self.guests)
        self.handlers = Handlers(self.guests)
        self.outputs = Outputs(self.bus, self.guests)
        self._talents: dict[str, tuple[Talent, str]] = {}
        self._offered: list[_Offered] = []
        self._commands: list[Callable[[str], bool]] = []

    def add_command(self, understands: Callable[[str], bool]) -> Remove:
        """Have words that a handler of ``on_input`` acts on count as a command: they are never asked for early.

        understands: whether these words are; under a millisecond, without effects, and never raises.
        """
        self._commands.append(understands)
        return lambda: self._commands.remove(understands) if understands in self._commands else None

    def is_command(self, words: str) -> bool:
        return any(understands(words) for understands in self._commands)

    @property
    def talents(self) -> Mapping[str, Talent]:
        """By the rules they answer."""
        return MappingProxyType({intent: talent for intent, (talent, _) in self._talents.items()})

    def talent_for(self, intent: str) -> Talent | None:
        found = self._talents.get(intent)
        return found[0] if found is not None else None

    def add_talent(self, talent: Talent, *, owner: str = "") -> Remove:
        """Have a talent answer its commands.

        Raises:
            PluginError: another answers one of them.
        """
        for intent in talent.intents & self._talents.keys():
            other = self._talents[intent][0].name
            raise PluginError(f"{talent.name} and {other} both answer {intent}", plugin=owner or talent.name)
        mine = (talent, owner or talent.name)
        self._talents |= dict.fromkeys(talent.intents, mine)

        def remove() -> None:
            self._talents = {intent: one for intent, one in self._talents.items() if one is not mine}

        return remove

    @property
    def tools(self) -> Sequence[FuncTool]:
        """What a model may call: of each name one."""
        best: dict[str, _Offered] = {}
        for one in self._offered:
            other = best.get(one.tool.name)
            if other is None or one.rank < other.rank:
                best[one.tool.name] = one
        return [one.tool for one in best.values() if not self.guests.is_left_alone(one.owner)]

    def add_tool(self, tool: FuncTool, *, owner: str = "companion", rank: Rank = Rank.BUILT_IN) -> Remove:
        """Offer a tool to the model.

        Raises:
            PluginError: there is one of this name and rank, it has no name or function, or there are too many.
        """
        name = tool.name.strip()
        if not name or tool.function is None:
            raise PluginError(f"{owner}: a tool needs a name and a function", plugin=owner)
        if any(one.tool.name == name and one.rank == rank for one in self._offered):
            raise PluginError(f"{owner}: there is a tool {name!r} already", plugin=owner)
        if len(self._offered) >= MOST_TOOLS:
            raise PluginError(f"{owner}: there are {MOST_TOOLS} tools already", plugin=owner)
        tool = replace(tool, name=name)
        mine = _Offered(tool if rank is Rank.BUILT_IN else self._watched(tool, owner), owner, rank)
        self._offered.append(mine)
        self._tell("register_tool", tool=name, owner=owner)
        return lambda: self._offered.remove(mine) if mine in self._offered else None

    def _watched(self, tool: FuncTool, owner: str) -> FuncTool:
        """The tool, whose failures count against its owner."""
        function, seconds = tool.function, tool.limit_seconds or LIMIT_SECONDS
        assert function is not None

        async def watched(**arguments: object) -> object:
            async def call() -> object:
                if is_async(function):
                    return await function(**arguments)  # type: ignore[misc]
                result = await asyncio.to_thread(function, **arguments)
                return await result if inspect.isawaitable(result) else result

            return await self.guests.ask(owner, f"tool {tool.name}", call, seconds=seconds)

        return replace(tool, function=watched, limit_seconds=seconds + 1)

    def _tell(self, action: str, *, tool: str, owner: str) -> None:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return  # while the companion is put together, nobody listens yet
        self.bus.publish(EventKind.SYSTEM, "companion", action=action, tool=tool, owner=owner)
