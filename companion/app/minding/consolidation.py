"""Lets the memory be put in order while nobody talks: what the model is asked, it is asked as an input of the self."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from companion.agent.agent import Agent
from companion.agent.scheduler import CONSOLIDATION, Fate, Input, Priority
from companion.app.events import Shown, Telling
from companion.app.minding.keeper import Keeper
from companion.app.minding.memory_room import OpenMemory
from companion.voice.events import State, StateChanged

if TYPE_CHECKING:
    from companion.memory.consolidate import Consolidator

MERGE = frozenset({"memory_merge"})


class Consolidation:
    """One beat after the other, each given up as soon as somebody speaks.

    can_judge: whether there is a model that could; pairs wait where there is none. may_run: whether now is a good time.
    """

    def __init__(
        self,
        agent: Agent,
        keeper: Keeper,
        clock: Callable[[], datetime],
        may_run: Callable[[], bool],
        telling: Telling,
        *,
        can_judge: bool,
    ) -> None:
        self._agent = agent
        self._keeper = keeper
        self._can_judge = can_judge
        self._clock = clock
        self._may_run = may_run
        self._telling = telling
        self._consolidator: Consolidator | None = None
        telling.subscribe(self._follow)

    async def beat(self, opened: OpenMemory) -> None:
        """Put the memory in order once.

        Raises:
            CompanionError: it could not be.
        """
        if self._consolidator is None:
            self._consolidator = self._made(opened)
        await self._consolidator.beat()

    async def ask(self, text: str) -> str:
        """What the model answers to a question of the self; empty where nobody answered."""
        answered: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def take(said: str) -> None:
            if not answered.done():
                answered.set_result(said)

        def end(fate: Fate) -> None:
            take("")

        given = Input(text, CONSOLIDATION, Priority.SELF, "consolidation", may=MERGE, on_answer=take, on_end=end)
        self._agent.scheduler.submit(given)
        return await answered

    def _made(self, opened: OpenMemory) -> Consolidator:
        from companion.memory.consolidate import Consolidator, Means

        means = Means(
            graph=opened.graph,
            documents=opened.documents,
            store=opened.store,
            clock=self._clock,
            may_run=self._may_run,
            ask=self.ask if self._can_judge else None,
            tell=lambda text: self._telling.tell(Shown(f"Two things I was told do not go together: {text}")),
            backlog=self._keeper.backlog,
        )
        return Consolidator(means)

    def _follow(self, event: object) -> None:
        match event:
            case StateChanged(State.LISTENING) if self._consolidator is not None:
                self._consolidator.give_way()
            case _:
                pass
