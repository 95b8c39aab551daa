"""How a turn is answered: a rule that understands it at once, else the language model.

The contract the voice loop and the commands speak to; ``Agent`` is the one implementation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from companion.agent.plugin import Effect
from companion.stream import Stream


@dataclass(frozen=True, slots=True)
class Said:
    """What the user said or typed."""

    text: str
    language: str
    """BCP 47 tag."""
    spoken: bool = True
    channel: str = ""
    """Where it came from; empty: ``voice`` for what was spoken, else ``screen``."""


def _nothing() -> None:
    """Nobody waits for it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer on its way."""

    said: Said
    text: Stream
    """Text chunks of role ``model``; read once."""
    language: str
    source: str
    """``rule:<name>``, ``model:<name>``, ``stage:<name>`` where a handler has answered, or ``notice:no-model`` where
    there is no model to answer."""
    effects: tuple[Effect, ...] = field(default=())
    follow_up: bool = True
    turn: int = 0
    """Its number; 0 where nobody counts."""
    confirm: Callable[[], None] = _nothing
    """Call it once the answer is sure to be given: what a model wants done waits for it."""


class Answerer(Protocol):
    """Answers turns and keeps the conversation."""

    def is_command(self, said: Said) -> bool:
        """Whether a rule understands all of it. Under a millisecond, without effects."""

    def may_go_on(self, said: Said) -> bool:
        """Whether it is a command that more words may belong to ("remind me at six to call ..."), so that a short
        silence does not end it."""

    async def answer(self, said: Said) -> Answer:
        """Begin an answer.

        A command acts at once, so ask for it only when the turn has ended. A model's answer has no
        effect until it is confirmed or committed; it may be asked for early, and dropped by closing its text.

        Raises:
            ModelError: no model can answer; the message is said to the user.
        """

    async def commit(self, answer: Answer, heard: str, *, whole: bool) -> None:
        """Write the turn to the history: what was said, and of the answer what was really heard."""
