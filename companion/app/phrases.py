"""Frequent replies, synthesised beforehand while nobody speaks."""

from __future__ import annotations

import asyncio
from pathlib import Path

from companion.agent.agent import Agent
from companion.app.events import Telling
from companion.app.warmup import Step
from companion.providers.local.phrases import PhraseCache
from companion.settings.language import or_english
from companion.stream import Transformer
from companion.voice.events import State, StateChanged
from companion.voice.sentences import spoken_sentences

MOST_BYTES = 50_000_000
"""Kept on the disk."""


class Idle:
    """Knows whether anybody talks."""

    def __init__(self, telling: Telling) -> None:
        self._resting = asyncio.Event()
        telling.subscribe(self._follow)

    async def wait(self) -> None:
        """Return when nobody talks."""
        await self._resting.wait()

    def _follow(self, event: object) -> None:
        match event:
            case StateChanged(State.ASLEEP | State.MUTED | State.DEAF):
                self._resting.set()
            case StateChanged():
                self._resting.clear()
            case _:
                pass


def phrase_step(cache: PhraseCache, agent: Agent, language: str, idle: Idle) -> Step:
    """The step that fills the memory of a voice, one phrase at a time."""
    spoken = or_english(language)

    async def prepare() -> None:
        for phrase in dict.fromkeys((*agent.frequent_replies(spoken), *spoken_sentences(spoken))):
            await idle.wait()
            await cache.prepare((phrase,), spoken)

    return Step("phrases", prepare)


def remembering(speak: Transformer, folder: Path, *, voice: str) -> PhraseCache:
    """The voice with a memory of what it said; ``voice`` names all that its sound depends on."""
    return PhraseCache(speak, folder, max_bytes=MOST_BYTES, voice=voice)
