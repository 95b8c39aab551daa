"""Typed questions: each is answered in writing, told word by word, and may be cut short."""

from __future__ import annotations

import asyncio

from companion.agent.agent import MODEL
from companion.agent.answer import Answerer, Said
from companion.app.answering import UNKEPT, Answered, answered
from companion.app.events import Problem, Solved, Telling, Typed, Unanswered
from companion.errors import CompanionError, ControlError
from companion.stream.tasks import Tasks
from companion.voice.events import Asked, Exchanged

MOST_AT_ONCE = 8
"""Questions that are answered at the same time; more are answered when one of them is done."""
WRITTEN = ("rule:", MODEL)
"""The sources of answers that are part of the conversation, as long as they are no order to the loudspeaker."""

Step = Asked | Exchanged | Problem


class Typist:
    """Answers typed questions."""

    def __init__(self, agent: Answerer, telling: Telling) -> None:
        self._agent = agent
        self._telling = telling
        self._tasks = Tasks()
        self._writing: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(MOST_AT_ONCE)
        self._is_unkept = False
        """Whether something waits to be written to the history."""

    async def answer(self, said: Said) -> Answered:
        """The whole answer; where it was stopped, what there was of it.

        Raises:
            CompanionError: there is no answer.
        """
        async with self._room:
            self._telling.tell(Typed(said.text))
            steps: list[Step] = []
            try:
                given = await self._written(said, steps)
            except CompanionError as error:
                # Else there is a whole answer, and what failed came behind it.
                if not any(isinstance(step, Exchanged) and step.whole for step in steps):
                    self._telling.tell(Unanswered(said.text, str(error), error.mend))
                raise
            self._tell_what_is_kept(given, steps)
            return given

    def stop(self) -> bool:
        """Cut short what is being written; whether there was anything."""
        for task in self._writing:
            task.cancel()
        return bool(self._writing)

    async def close(self) -> None:
        """End what is being written."""
        await self._tasks.close()

    def _tell_what_is_kept(self, given: Answered, steps: list[Step]) -> None:
        """An answer that is written takes with it what could not be written before."""
        is_unkept = any(isinstance(step, Problem) for step in steps)
        is_written = not is_unkept and not given.effects and given.source.startswith(WRITTEN)
        if self._is_unkept and is_written:
            self._telling.tell(Solved(UNKEPT))
        self._is_unkept = is_unkept or (self._is_unkept and not is_written)

    async def _written(self, said: Said, steps: list[Step]) -> Answered:
        """steps: takes what is told of the turn, as far as it gets."""
        done: list[Answered] = []
        failed: list[CompanionError] = []
        pieces: list[str] = []

        def tell(event: object) -> None:
            if isinstance(event, Asked | Exchanged | Problem):
                steps.append(event)
            self._telling.tell(event)

        async def write() -> None:
            try:
                done.append(await answered(self._agent, said, pieces.append, tell=tell))
            except CompanionError as error:
                failed.append(error)

        task = self._tasks.start(write(), name="typed answer")
        self._writing.add(task)
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            if not steps:
                self._telling.tell(Unanswered(said.text, "there was no answer in time", "Ask again."))
            raise
        finally:
            self._writing.discard(task)
            task.cancel()
        if failed:
            raise failed[0]
        if task.cancelled() and not steps:
            raise ControlError("it was stopped before there was an answer", mend="Ask again.")
        if not task.cancelled():
            task.result()
        return done[0] if done else Answered("".join(pieces).strip(), "")
