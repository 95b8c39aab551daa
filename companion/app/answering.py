"""A typed question and its whole answer, kept in the history like a spoken one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.agent.answer import Answer, Answerer, Said
from companion.agent.plugin import Effect
from companion.settings.language import or_english
from companion.settings.schema import Settings
from companion.stream import Text


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer that was given."""

    text: str
    source: str
    """As ``agent.answer.Answer.source``."""
    effects: tuple[Effect, ...] = ()
    """What is to be done besides, by whoever has a voice."""


def typed(text: str, settings: Settings) -> Said:
    """A typed question, in the language of the settings."""
    return Said(text, or_english(settings.general.language), spoken=False)


async def answered(agent: Answerer, said: Said, on_text: Callable[[str], None] = lambda piece: None) -> Answered:
    """The whole answer, kept in the history; what came before a failure is kept as what was read."""
    answer = await agent.answer(said)
    answer.confirm()
    pieces: list[str] = []
    whole = False
    try:
        async for chunk in answer.text:
            if isinstance(chunk.part, Text) and chunk.part.text:
                pieces.append(chunk.part.text)
                on_text(chunk.part.text)
        whole = True
    finally:
        await _keep(agent, answer, "".join(pieces), whole=whole)
    return Answered("".join(pieces).strip(), answer.source, answer.effects)


async def _keep(agent: Answerer, answer: Answer, text: str, *, whole: bool) -> None:
    await answer.text.close()
    await agent.commit(answer, text, whole=whole)
