"""What the agent asks of a memory in each turn. ``app`` hands in who can do it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from companion.agent.stages import About, Recalled
from companion.agent.turns import Afterword, ToolUse

RECALL_SECONDS = 0.04
"""How long a turn waits for what is remembered; later, it goes without."""
RECALL_TOKENS = 400
"""How much of a prompt may be remembered text."""
AFTERWORD_SECONDS = 0.5
"""How long the end of a reply waits for what is to be said behind it."""
KEEP_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Kept:
    """A turn that was answered. said: the user's words as they came. heard: what was really heard of the answer."""

    about: About
    said: str
    heard: str
    tools: tuple[ToolUse, ...]
    at: datetime


class Afterwords(Protocol):
    """Knows what is to be said behind replies."""

    async def behind(self, said: str, about: About, reply: str) -> Afterword | None:
        """What is to be said behind the reply to these words of the user; nothing is changed by asking.

        reply: the end of it.
        """


class TurnMemory(Protocol):
    """Remembers turns, and what fits a new one."""

    async def recall(self, query: str, *, now: datetime, tokens: int) -> Sequence[Recalled]:
        """What fits, the best first, within so many tokens. Changes nothing, and does not count as being read."""

    async def append(self, kept: Kept) -> None:
        """Add the turn to the context, save it, and archive what no longer fits; only then may it leave.

        Raises:
            CompanionError: it could not be kept; the conversation goes on.
        """

    async def candidate(self, kept: Kept) -> None:
        """Consider the user's words, and nobody else's, for what is worth remembering.

        Raises:
            CompanionError: as ``append``.
        """
