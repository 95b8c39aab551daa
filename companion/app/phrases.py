"""Replies synthesised beforehand: frequent ones while nobody speaks, likely ones while the user begins to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.agent.agent import Agent
from companion.app.idle import Idle
from companion.app.warmup import Step
from companion.providers.local.phrases import PhraseCache
from companion.settings.language import or_english
from companion.stream import Transformer
from companion.voice.say import speakable
from companion.voice.sentences import spoken_sentences

MOST_BYTES = 50_000_000
"""Kept on the disk."""


def phrase_step(cache: PhraseCache, agent: Agent, language: str, idle: Idle) -> Step:
    """The step that fills the memory of a voice, one phrase at a time. It never ends."""
    spoken = or_english(language)

    async def learn(phrases: Sequence[str]) -> None:
        # As the speech cutter hands them over: the memory knows a phrase by how it is said.
        await cache.prepare([speakable(phrase, spoken) for phrase in phrases], spoken)

    async def prepare() -> None:
        for phrase in dict.fromkeys((*agent.frequent_replies(spoken), *spoken_sentences(spoken))):
            await idle.wait()
            await learn([phrase])
        while True:
            await idle.end()
            await learn(agent.likely_replies(spoken))
            await idle.wait()

    return Step("phrases", prepare)


def remembering(speak: Transformer, folder: Path, *, voice: str) -> PhraseCache:
    """The voice with a memory of what it said; ``voice`` names all that its sound depends on."""
    return PhraseCache(speak, folder, max_bytes=MOST_BYTES, voice=voice)
