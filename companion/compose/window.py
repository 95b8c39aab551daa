"""Chooses how much of a conversation a model is shown.

A model keeps what it has read as long as each prompt begins like the one before. So the window's start
stays where it is while the conversation fits, and then jumps so far that half of the room is free. It begins with
words of the user's, so that calls stay with their results. Of a newest turn that is too long for the room the question
is shown and the newest steps that fit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from companion.compose.entry import Entry
from companion.compose.groups import groups, whole_messages
from companion.compose.session import MemorySession, Session
from companion.compose.tokens import tokens_of_message
from companion.model import ChatRole, Message

MESSAGE_TOKENS = 8
"""What a chat template adds around one message, at most."""


class _Cost(NamedTuple):
    entry: Entry
    tokens: int


class Window:
    """The end of one conversation that fits into a budget of tokens.

    count: tokens of a text.
    """

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self._start = 0
        self._costs: dict[int, _Cost] = {}

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
        if was_let_go or self._is_within_a_turn(numbered) or self._tokens_from(self._start) > budget:
            self._jump(numbered, budget // 2, len(numbered) // 2 if was_let_go else len(numbered))
        shown = tuple(entry for number, entry in numbered.items() if number >= self._start)
        return shown or self._newest_turn(list(numbered.items()), budget)

    def _is_within_a_turn(self, numbered: dict[int, Entry]) -> bool:
        """Whether the start is where there was nothing to show, and is now an answer without its question."""
        first = numbered.get(self._start)
        return first is not None and first.message.role is not ChatRole.USER and self._start != min(numbered)

    def _jump(self, numbered: dict[int, Entry], budget: int, most: int) -> None:
        starts = [number for number, entry in numbered.items() if entry.message.role is ChatRole.USER]
        fitting = (start for start in starts if self._tokens_from(start) <= budget and max(numbered) - start < most)
        self._start = next(fitting, max(numbered, default=-1) + 1)

    def _newest_turn(self, numbered: list[tuple[int, Entry]], budget: int) -> tuple[Entry, ...]:
        """The question and the newest groups behind it that fit; nothing where not both do."""
        users = [place for place, (_, entry) in enumerate(numbered) if entry.message.role is ChatRole.USER]
        if not users:
            return ()
        (number, question), turn = numbered[users[-1]], numbered[users[-1] + 1 :]
        left = budget - self._costs[number].tokens
        start = len(turn)
        for place, end in reversed(groups([entry for _, entry in turn])):
            left -= sum(self._costs[number].tokens for number, _ in turn[place:end])
            if left < 0:
                break
            start = place
        shown = tuple(entry for _, entry in turn[start:])
        return (question, *shown) if shown or (not turn and left >= 0) else ()

    def _tokens_from(self, start: int) -> int:
        return sum(cost.tokens for number, cost in self._costs.items() if number >= start)

    def _cost(self, number: int, entry: Entry) -> _Cost:
        known = self._costs.get(number)
        if known is not None and known.entry is entry:
            return known
        return _Cost(entry, tokens_of_message(entry.message, self._count) + MESSAGE_TOKENS)


class WindowedSession:
    """A conversation of which a model is shown what fits into ``budget`` tokens; all of it is kept."""

    def __init__(self, session: MemorySession, count: Callable[[str], int], budget: int) -> None:
        self._session = session
        self._window = Window(count)
        self._budget = budget

    @property
    def name(self) -> str:
        return self._session.name

    @property
    def messages(self) -> tuple[Message, ...]:
        return whole_messages(self._window.of(self._session, self._budget))

    async def record(self, *messages: Message) -> None:
        """Append. Raises as the session does."""
        await self._session.record(*messages)
