"""Brings the models into memory behind open ears, one after the other, in the order a turn needs them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.app.events import ModelLoaded, Problem, Telling
from companion.errors import CompanionError
from companion.model import ModelReport
from companion.stream.tasks import Tasks

logger = logging.getLogger(__name__)

BRIEFLY = 0.2
"""Seconds a step has to end when it is called off; a library that is coming in takes longer."""


class Loadable(Protocol):
    """A model that loads on first use, or before."""

    @property
    def report(self) -> ModelReport: ...

    async def load(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Step:
    """Something to have ready. ``topic`` names it where it fails."""

    topic: str
    prepare: Callable[[], Awaitable[None]]
    report: Callable[[], ModelReport] | None = None

    @classmethod
    def load(cls, topic: str, model: Loadable) -> Step:
        return cls(topic, model.load, lambda: model.report)


async def warm_up(steps: Sequence[Step], telling: Telling) -> None:
    """Take every step; one that fails is a problem to be told, and does not keep the others."""
    for step in steps:
        try:
            await step.prepare()
        except CompanionError as error:
            logger.warning("%s: %s", step.topic, error)
            telling.tell(Problem(step.topic, str(error), error.mend))
        except Exception as error:
            logger.exception("%s could not be made ready", step.topic)
            told = f"something went wrong inside ({type(error).__name__})"
            telling.tell(Problem(step.topic, told, "See the log."))
        else:
            if step.report is not None:
                telling.tell(ModelLoaded(step.report()))


class WarmUp:
    """Takes the steps beside the conversation."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._tasks = Tasks()
        self._going: list[asyncio.Task[None]] = []

    def start(self, steps: Sequence[Step]) -> None:
        """Begin; returns at once."""
        self._going.append(self._tasks.start(warm_up(steps, self._telling), name="warm up"))

    async def call_off(self) -> None:
        """Take no further step. One that cannot be cut short is left to itself: what must be kept is closed first."""
        for task in self._going:
            task.cancel()
        if self._going:
            await asyncio.wait(self._going, timeout=BRIEFLY)

    async def close(self) -> None:
        """End the step that was left to itself."""
        await self._tasks.close()
