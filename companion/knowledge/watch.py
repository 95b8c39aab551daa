"""Keeps the index in step with the files: it looks every few seconds, and waits until a file has come to rest.

Looking costs a walk through the folders. The next walk waits many times as long as the last one took, so that a
large folder on a slow disk does not keep the machine busy. Folders on the network and in containers are seen like
any other, which notifications of the kernel do not offer.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NoReturn

from companion.errors import CompanionError
from companion.knowledge.ingest import Marks, Refreshed

logger = logging.getLogger(__name__)

Look = Callable[[Marks | None], Awaitable[tuple[Refreshed, Marks]]]
"""Bring the index up to date with what has settled since the marks; the marks as they are now."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How often to look.

    interval: seconds between looks. settle: seconds for which a file has to be at rest.
    restless: looks after which a file that never rests is read all the same.
    idle: how many times as long as a walk the next one waits.
    """

    interval: float = 5.0
    settle: float = 1.0
    restless: int = 30
    idle: float = 100.0


STEADY = Pace()


async def watch(look: Look, pace: Pace = STEADY) -> NoReturn:
    """Look until cancelled. Trouble of any kind is told to the log, and the next look tries again."""
    marks: Marks | None = {}
    restless = 0
    while True:
        wait = pace.interval
        try:
            refreshed, marks = await look(marks)
        except CompanionError as error:
            logger.error("the documents could not be looked at: %s", error)
        except Exception as error:  # noqa: BLE001 - an odd file ends no watching; its name is no matter for the log
            logger.error("the documents could not be looked at: %s", type(error).__name__)
        else:
            restless = restless + 1 if refreshed.pending else 0
            if restless:
                wait = pace.settle
            if restless >= pace.restless:
                marks, restless = None, 0
            wait = max(wait, refreshed.walk_seconds * pace.idle)
        await asyncio.sleep(wait)
