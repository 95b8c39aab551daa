"""An answerer whose language model reads the conversation so far ahead of the next question."""

from __future__ import annotations

import logging

from companion.agent.agent import Agent
from companion.agent.answer import Answer, Said
from companion.app.mind import Thinker
from companion.errors import ModelError
from companion.settings.schema import Settings
from companion.stream.tasks import Tasks

logger = logging.getLogger(__name__)


class ReadAhead:
    """Implements ``agent.answer.Answerer`` by an agent; reads on after every turn, while nobody waits for it."""

    def __init__(self, agent: Agent, thinker: Thinker | None) -> None:
        self._agent = agent
        self._thinker = thinker
        self._tasks = Tasks()

    async def read(self) -> None:
        """Read what there is now.

        Raises:
            ModelError: the model does not load, or failed.
        """
        if self._thinker is not None:
            await self._thinker.warm(self._agent.past())

    def is_command(self, said: Said) -> bool:
        return self._agent.is_command(said)

    def may_go_on(self, said: Said) -> bool:
        return self._agent.may_go_on(said)

    async def answer(self, said: Said) -> Answer:
        return await self._agent.answer(said)

    async def commit(self, answer: Answer, heard: str, *, whole: bool) -> None:
        await self._agent.commit(answer, heard, whole=whole)
        if len(self._tasks) == 0:
            self._tasks.start(self._read_quietly(), name="read ahead")

    async def follow(self, before: Settings, now: Settings) -> None:
        """Read anew: another personality heads what was read."""
        if len(self._tasks) == 0:
            self._tasks.start(self._read_quietly(), name="read ahead")

    async def close(self) -> None:
        """Stop reading."""
        await self._tasks.close()

    async def _read_quietly(self) -> None:
        try:
            await self.read()
        except ModelError as error:  # the next answer will fail the same way, and then it is told
            logger.warning("reading ahead failed: %s", error)
