"""What a desk may be handed: the house around the agent, and the conversation that goes on in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from companion.agent.agent import Agent
from companion.app.events import Telling
from companion.app.kept_turns import KeptTurns
from companion.app.live import Live
from companion.app.minding.furnish import Furniture
from companion.app.orders import Order
from companion.app.paths import Paths
from companion.app.turn_log import TurnLog
from companion.model import Generator, ModelReport
from companion.settings.schema import Settings
from companion.talents.timers import Timers
from companion.voice.loop import VoiceLoop


@dataclass(frozen=True, slots=True)
class House:
    """All that is there even where nobody talks."""

    settings: Settings
    paths: Paths
    telling: Telling
    around: Furniture
    agent: Agent
    timers: Timers | None
    clock: Callable[[], datetime]
    live: Live
    """The settings as they change while it runs; ``settings`` are those of its start."""
    turns: TurnLog
    kept_turns: KeptTurns
    """The details of older ones."""
    generator: Generator | None = None
    """The language model; None where there is none."""


class Going(Protocol):
    """The running companion, as a desk sees it."""

    @property
    def loop(self) -> VoiceLoop | None:
        """The conversation, while there is one."""

    def lent(self) -> AbstractAsyncContextManager[None]:
        """Microphone and loudspeaker for a trial, which has them while the block runs."""

    def reports(self) -> Sequence[ModelReport]:
        """How the models stand."""

    async def perform(self, order: Order) -> Mapping[str, object]:
        """Carry out an order."""
