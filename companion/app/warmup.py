"""Brings the models into memory behind open ears, one after the other, in the order a turn needs them."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.app.events import ModelLoaded, Problem, Telling
from companion.errors import CompanionError
from companion.model import ModelReport

logger = logging.getLogger(__name__)


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
