"""How the mind follows settings that are changed while it runs."""

from __future__ import annotations

import asyncio
from pathlib import Path

from companion.agent.agent import Agent
from companion.app.events import Problem, Solved, Telling
from companion.app.live import Live
from companion.app.log import adopt_log
from companion.app.minding.knowledge_room import KnowledgeRoom
from companion.app.paths import Paths
from companion.app.personality import personality
from companion.settings.schema import Settings
from companion.talents.volume import Volume


def follow(
    live: Live, paths: Paths, telling: Telling, *, agent: Agent, volume: Volume, knowledge: KnowledgeRoom
) -> None:
    """Have the agent, its talents, the knowledge and the log follow."""

    async def be_who_is_wanted(before: Settings, now: Settings) -> None:
        who = await asyncio.to_thread(personality, paths.personal, which=now.personality.which)
        if who.problem is not None:
            telling.tell(Problem("personality", str(who.problem), who.problem.mend))
        else:
            telling.tell(Solved("personality"))
        agent.adopt(who.prompt.text, now)

    async def turn_knobs(before: Settings, now: Settings) -> None:
        volume.usual = now.sound.volume
        adopt_log(level=now.log.level, private_text=now.log.private_text)

    async def know(before: Settings, now: Settings) -> None:
        if before.knowledge.folders != now.knowledge.folders:
            await (await knowledge.opened()).name_folders([Path(folder) for folder in now.knowledge.folders])

    for follower in (turn_knobs, be_who_is_wanted, know):
        live.follow(follower)
