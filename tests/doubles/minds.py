"""A whole mind with a scripted model, and somebody who talks with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from doubles.generator import ScriptedGenerator, count_words

from companion.agent.answer import Said
from companion.app.events import Telling
from companion.app.mind import Mind, build_mind
from companion.app.paths import Paths
from companion.model import ModelContext
from companion.settings.schema import Settings


class Scripted(ScriptedGenerator):
    """A thinker."""

    def count_tokens(self, text: str) -> int:
        return count_words(text)

    async def warm(self, context: ModelContext) -> None:
        """It is warm."""


@asynccontextmanager
async def a_mind(
    paths: Paths, model: Scripted | None = None, *, telling: Telling | None = None, **settings: object
) -> AsyncIterator[Mind]:
    mind = await build_mind(Settings(**settings), paths, model, telling=telling)  # type: ignore[arg-type]
    try:
        yield mind
    finally:
        await mind.close()


async def say(mind: Mind, text: str, language: str = "en") -> str:
    answer = await mind.agent.answer(Said(text, language))
    answer.confirm()
    said = "".join([chunk.part.text async for chunk in answer.text if chunk.part is not None])  # type: ignore[union-attr]
    await mind.agent.commit(answer, said, whole=True)
    await mind.agent.settle()
    return said
