"""The memory is put in order by asking the model as an input of the self, and gives way to whoever speaks."""

from __future__ import annotations

import asyncio

from doubles.generator import ScriptedGenerator, count_words

from companion.app.events import Telling
from companion.app.mind import build_mind
from companion.app.minding.consolidation import Consolidation
from companion.app.minding.source import Source
from companion.app.paths import Paths
from companion.model import ModelContext
from companion.settings.schema import Models, Settings
from companion.stream.tasks import Tasks


class Thinker(ScriptedGenerator):
    def count_tokens(self, text: str) -> int:
        return count_words(text)

    async def warm(self, context: ModelContext) -> None:
        """It is warm."""


async def test_two_names_that_the_model_takes_for_one_become_one(paths: Paths) -> None:
    model = Thinker("merge")
    settings = Settings(models=Models(tools="always"))
    telling = Telling()
    mind = await build_mind(settings, paths, model, telling=telling)
    tasks = Tasks()
    tasks.start(mind.agent.scheduler.run(), name="inputs")
    try:
        keeper, room = mind.around.keeper, mind.around.memory
        assert keeper is not None
        assert room is not None
        for text in ("张三丰 likes tea", "张三丰先生 likes trains"):
            from companion.memory.facts import Triple

            subject, thing = text.split(" likes ")
            await keeper.commit([Triple(subject, "likes", thing)], Source(text, mind.clock(), "en", turn=text))
        work = Consolidation(mind.agent, keeper, mind.clock, lambda: True, telling, can_judge=True)
        async with asyncio.timeout(20):
            await work.beat(await room.opened())
        known = {fact.object for fact in await keeper.about("张三丰")}
        assert known == {"tea", "trains"}
        assert len(model.contexts) == 1
    finally:
        await tasks.close()
        await mind.close()


async def test_where_no_model_can_judge_pairs_wait_and_the_rest_is_done(paths: Paths) -> None:
    telling = Telling()
    mind = await build_mind(Settings(), paths, None, telling=telling)
    try:
        keeper, room = mind.around.keeper, mind.around.memory
        assert keeper is not None
        assert room is not None
        await keeper.keep(Source("my sister is called Emma", mind.clock(), "en"))
        work = Consolidation(mind.agent, keeper, mind.clock, lambda: True, telling, can_judge=False)
        opened = await room.opened()
        await work.beat(opened)
        assert [one.source for one in await opened.documents.recent()] == ["graph"]
    finally:
        await mind.close()
