"""Tells how far the index of the user's documents is, a few times a second at most."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from companion.app.events import Finished, Telling
from companion.app.events import Progress as Told

if TYPE_CHECKING:
    from companion.knowledge import Progress

TASK = "knowledge.index"
PAUSE = 0.25
"""Seconds between two that are told."""


class IndexProgress:
    """Called on the loop after each file that was read."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._began = 0.0
        self._told = 0.0

    def __call__(self, progress: Progress) -> None:
        now = asyncio.get_running_loop().time()
        if progress.done <= 1:
            self._began, self._told = now, 0.0
        is_last = progress.done >= progress.total
        if is_last or now - self._told >= PAUSE:
            self._told = now
            each = (now - self._began) / max(progress.done - 1, 1)
            left = each * (progress.total - progress.done) if progress.done > 1 else None
            self._telling.tell(Told(TASK, progress.done, progress.total, left, progress.file.name))
        if is_last:
            self._telling.tell(Finished(TASK))
