"""What the program and its plugins have brought: talents, tools, handlers, listeners and channels, by the same door."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from companion.agent.bus import Bus, EventKind
from companion.agent.guests import Guests
from companion.agent.handlers import Handlers
from companion.agent.offered import Rank, ready
from companion.agent.output import Outputs
from companion.agent.plugin import Talent, Teaches
from companion.agent.teachings import MadeReady, Taught
from companion.errors import PluginError
from companion.model import FuncTool
from companion.model.prompt import Prompt
from companion.model.teaching import Teaching

__all__ = ["Rank", "Registered", "Registry", "Remove"]

MOST_TOOLS = 128
MOST_INTENTS = 64
"""Commands of one talent."""
LONGEST_NAME = 80
"""Characters of the name of a talent or a command."""

Remove = Callable[[], None]


@dataclass(frozen=True, slots=True)
class _Offered:
    tool: FuncTool
    owner: str
    rank: Rank


@dataclass(frozen=True, slots=True)
class Registered:
    """A talent, as it was when it came. is_own: whether it is the program's, whose words are ours."""

    talent: Talent
    name: str
    owner: str
    is_own: bool


class Registry:
    """All of one agent. What ``add_`` gives takes the thing out again; it may be called twice."""

    def __init__(self, guests: Guests | None = None) -> None:
        self.guests = guests or Guests()
        self.bus = Bus(self.guests)
        self.handlers = Handlers(self.guests)
        self.outputs = Outputs(self.bus, self.guests)
        self._talents: dict[str, Registered] = {}
        self._taught: list[MadeReady] = []
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

    # -- talents

    @property
    def talents(self) -> Mapping[str, Talent]:
        """By the rules they answer."""
        return MappingProxyType({intent: one.talent for intent, one in self._talents.items()})

    @property
    def own_talents(self) -> Sequence[Talent]:
        """Those of the program itself."""
        return list(dict.fromkeys(one.talent for one in self._talents.values() if one.is_own))

    def registered(self, intent: str) -> Registered | None:
        """Who answers a command."""
        return self._talents.get(intent)

    def talent_for(self, intent: str) -> Talent | None:
        found = self._talents.get(intent)
        return found.talent if found is not None else None

    def add_talent(self, talent: Talent | Teaching, *, owner: str = "", rank: Rank = Rank.BUILT_IN) -> Remove:
        """Have a talent answer its commands, and a model be taught what it has to teach.

        Raises:
            PluginError: another answers one of them, or it is not made as a talent is.
        """
        name = _short(talent.name, owner)
        teaching = talent if isinstance(talent, Teaching) else talent.teaching if isinstance(talent, Teaches) else None
        intents = frozenset() if isinstance(talent, Teaching) else _intents(talent, owner or name)
        for intent in intents & self._talents.keys():
            other = self._talents[intent].name
            raise PluginError(f"{name} and {other} both answer {intent}", plugin=owner or name)
        taught = self._made_ready(teaching, owner or name, rank) if teaching is not None else None
        mine: Registered | None = None
        if not isinstance(talent, Teaching):
            mine = Registered(talent, name, owner or name, rank is Rank.BUILT_IN)
            self._talents |= dict.fromkeys(intents, mine)
        if taught is not None:
            self._taught.append(taught)

        def remove() -> None:
            self._talents = {intent: one for intent, one in self._talents.items() if one is not mine}
            self._taught = [one for one in self._taught if one is not taught]

        return remove

    async def taught(self, asked: Prompt) -> Taught:
        """What the talents have to tell a model that is asked this."""
        found = [await one.taught(asked, self.guests) for one in tuple(self._taught)]
        return Taught.of([one for one in found if one is not None])

    def _made_ready(self, teaching: Teaching, owner: str, rank: Rank) -> MadeReady:
        made = MadeReady.of(teaching, owner, rank, self.guests)
        for tool in made.tools:
            self._demand_free(tool.name, owner, self._names)
        return made

    # -- tools

    @property
    def tools(self) -> Sequence[FuncTool]:
        """What a model may always call: of each name one."""
        best: dict[str, _Offered] = {}
        for one in self._offered:
            other = best.get(one.tool.name)
            if other is None or one.rank < other.rank:
                best[one.tool.name] = one
        return [one.tool for one in best.values() if not self.guests.is_left_alone(one.owner)]

    @property
    def all_tools(self) -> Sequence[FuncTool]:
        """Those, and what a model may call when it is taught to."""
        taught = [tool for one in self._taught for tool in one.tools if not self.guests.is_left_alone(one.owner)]
        mine = self.tools
        names = {tool.name for tool in mine}
        return [*mine, *(tool for tool in taught if tool.name not in names)]

    def add_tool(self, tool: FuncTool, *, owner: str = "companion", rank: Rank = Rank.BUILT_IN) -> Remove:
        """Offer a tool to the model.

        Raises:
            PluginError: there is one of this name and rank, it has no name or function, or there are too many.
        """
        tool = ready(tool, owner, rank, self.guests)
        taken = {one.tool.name for one in self._offered if one.rank == rank}
        self._demand_free(tool.name, owner, taken | {one.name for made in self._taught for one in made.tools})
        mine = _Offered(tool, owner, rank)
        self._offered.append(mine)
        self._tell("register_tool", tool=tool.name, owner=owner)
        return lambda: self._offered.remove(mine) if mine in self._offered else None

    @property
    def _names(self) -> set[str]:
        return {one.tool.name for one in self._offered} | {tool.name for one in self._taught for tool in one.tools}

    def _demand_free(self, name: str, owner: str, taken: set[str]) -> None:
        if name in taken:
            raise PluginError(f"{owner}: there is a tool {name!r} already", plugin=owner)
        if len(self._offered) + sum(len(one.tools) for one in self._taught) >= MOST_TOOLS:
            raise PluginError(f"{owner}: there are {MOST_TOOLS} tools already", plugin=owner)

    def _tell(self, action: str, *, tool: str, owner: str) -> None:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return  # while the companion is put together, nobody listens yet
        self.bus.publish(EventKind.SYSTEM, "companion", action=action, tool=tool, owner=owner)


def _short(name: object, owner: str) -> str:
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
        raise PluginError(f"{owner}: a name has 1 to {LONGEST_NAME} characters", plugin=owner)
    return name


def _intents(talent: Talent, owner: str) -> frozenset[str]:
    intents: object = talent.intents
    if not isinstance(intents, frozenset | set) or len(intents) > MOST_INTENTS:
        raise PluginError(f"{owner}: intents are a set of up to {MOST_INTENTS} names", plugin=owner)
    return frozenset(_short(intent, owner) for intent in intents)
