"""What a talent or a plugin sees of the house: the request it answers and the reply it gives.

A talent answers recognised commands without a model. It is built by ``app.mind``, is handed its
clock and its store, and never imports the rooms of the middle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, runtime_checkable


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
