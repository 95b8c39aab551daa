"""Chooses how much of a conversation a model is shown.

A model keeps what it has read as long as each prompt begins like the one before. So the window's start
stays where it is while the conversation fits, and then jumps so far that half of the room is free.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.compose.entry import Entry
from companion.compose.session import Session
from companion.model import ChatRole

MESSAGE_TOKENS = 8
"""What a chat template adds around one message, at most."""


class Window:
    """The end of one conversation that fits into a budget of tokens.

    count: tokens of a text.
    """

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self._start = 0
        self._costs: dict[int, int] = {}

    def of(self, session: Session, budget: int) -> tuple[Entry, ...]:
        """The newest messages of ``session`` whose tokens fit into ``budget``, from one of the user's on."""
        numbered = {
            session.first + place: entry
            for place, entry in enumerate(session.entries)
            if entry.message.role is not ChatRole.SYSTEM
        }
        was_cleared = self._costs.keys().isdisjoint(numbered)
        self._costs = {number: self._cost(number, entry) for number, entry in numbered.items()}
        if was_cleared:
            self._start = min(numbered, default=session.first)
        was_let_go = self._start < session.first
        if was_let_go or self._tokens_from(self._start) > budget:
            self._jump(numbered, budget // 2, len(numbered) // 2 if was_let_go else len(numbered))
        return tuple(entry for number, entry in numbered.items() if number >= self._start)

    def _jump(self, numbered: dict[int, Entry], budget: int, most: int) -> None:
        starts = [number for number, entry in numbered.items() if entry.message.role is ChatRole.USER]
        fitting = (start for start in starts if self._tokens_from(start) <= budget and max(numbered) - start < most)
        self._start = next(fitting, max(numbered, default=-1) + 1)

    def _tokens_from(self, start: int) -> int:
        return sum(cost for number, cost in self._costs.items() if number >= start)

    def _cost(self, number: int, entry: Entry) -> int:
        return self._costs.get(number) or self._count(entry.message.text) + MESSAGE_TOKENS
