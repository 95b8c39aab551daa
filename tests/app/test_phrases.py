"""What is synthesised beforehand, and when."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import datetime
from typing import cast

from doubles import virtual_time

from companion.agent.agent import Agent
from companion.app.events import Telling
from companion.app.idle import Idle
from companion.app.phrases import phrase_step
from companion.providers.local.phrases import PhraseCache
from companion.stream.tasks import Tasks
from companion.talents.clock import Clock
from companion.voice.events import State, StateChanged


class Memory:
    """Notes what it is to learn."""

    def __init__(self) -> None:
        self.learned: list[str] = []

    async def prepare(self, phrases: Iterable[str], language: str) -> None:
        self.learned += phrases


class Clockwork:
    """An agent that can only tell the time."""

    def frequent_replies(self, language: str) -> tuple[str, ...]:
        return ("Okay.",)

    def likely_replies(self, language: str) -> tuple[str, ...]:
        return Clock().likely_replies(language, datetime(2026, 11, 30, 14, 5, 58))  # noqa: DTZ001 - spoken only


def test_frequent_replies_are_learned_in_peace_and_likely_ones_when_somebody_is_listened_to() -> None:
    async def scene() -> None:
        telling, memory, tasks = Telling(), Memory(), Tasks()
        step = phrase_step(cast(PhraseCache, memory), cast(Agent, Clockwork()), "en", Idle(telling))
        tasks.start(step.prepare(), name="phrases")
        await asyncio.sleep(1)
        assert memory.learned == []
        telling.tell(StateChanged(State.ASLEEP))
        await asyncio.sleep(1)
        assert "Okay." in memory.learned
        assert "It's two oh five PM." not in memory.learned
        telling.tell(StateChanged(State.LISTENING))
        await asyncio.sleep(1)
        assert memory.learned[-2:] == ["It's two oh five PM.", "It's two oh six PM."]
        learned = len(memory.learned)
        telling.tell(StateChanged(State.SPEAKING))
        await asyncio.sleep(1)
        assert len(memory.learned) == learned
        await tasks.close()

    virtual_time.run(scene())
