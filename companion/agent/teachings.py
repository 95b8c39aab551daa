"""What talents have to tell a model, made ready: whose it is, what it may say, and how long it may take to say so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.agent.guests import GuestFailed, Guests
from companion.agent.offered import Rank, ready
from companion.errors import PluginError
from companion.model import FuncTool
from companion.model.prompt import Prompt
from companion.model.teaching import Teaching
from companion.model.tool import functions_of

SECONDS = 0.2
"""How long a plugin may take to say whether it is wanted, and its instruction; the turn waits for it."""
LONGEST_INSTRUCTION = 4_000
"""Characters."""
MOST_TOOLS = 16
"""Of one talent."""


@dataclass(frozen=True, slots=True)
class Taught:
    """What is told to a model in one turn. marks: the plugins whose words are among it."""

    teachings: tuple[Teaching, ...] = ()
    marks: tuple[str, ...] = ()

    @classmethod
    def of(cls, told: Sequence[tuple[Teaching, str]]) -> Taught:
        return cls(tuple(one for one, _ in told), tuple(dict.fromkeys(owner for _, owner in told if owner)))

    @property
    def tools(self) -> tuple[FuncTool, ...]:
        return tuple(tool for one in self.teachings for tool in functions_of(one.tagged()))


@dataclass(frozen=True, slots=True, eq=False)
class MadeReady:
    """One teaching, whose tools are ready."""

    teaching: Teaching
    tools: tuple[FuncTool, ...]
    owner: str
    is_own: bool

    @classmethod
    def of(cls, teaching: Teaching, owner: str, rank: Rank, guests: Guests) -> MadeReady:
        """Make a teaching ready.

        Raises:
            PluginError, BadTool: one of its tools cannot be offered, or there are too many.
        """
        tools = functions_of(teaching.tagged())
        if len(tools) > MOST_TOOLS or len({tool.name for tool in tools}) < len(tools):
            raise PluginError(f"{owner}: {teaching.name[:40]} has too many tools, or two of one name", plugin=owner)
        made = tuple(ready(tool, owner, rank, guests) for tool in tools)
        return cls(teaching, made, owner, rank is Rank.BUILT_IN)

    async def taught(self, asked: Prompt, guests: Guests) -> tuple[Teaching, str] | None:
        """What it has to say to this prompt, and whose plugin's it is; None where it is not wanted, or failed."""
        if self.is_own:
            words = self._words(asked)
        else:
            try:
                words = await guests.ask(self.owner, "teaching", lambda: self._words(asked), seconds=SECONDS)
            except GuestFailed:
                return None
        if words is None:
            return None
        told = replace(self.teaching, instruction=words, tools=self.tools, is_wanted=lambda _: True)
        return told, "" if self.is_own else self.owner

    def _words(self, asked: Prompt) -> str | None:
        if not self.teaching.is_wanted(asked):
            return None
        return str(self.teaching.words(asked))[:LONGEST_INSTRUCTION]
