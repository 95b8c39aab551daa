"""What a person sees of a pull: a bar on a terminal, a few plain lines anywhere else; always on the standard error."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

    from companion.app.shelf import OnProgress, Progress

STEP = 0.25
"""In plain lines a file is told of whenever this much more of it has come."""
SMALL = 5_000_000
"""Bytes of a file too small for plain lines of its own."""


@contextmanager
def told() -> Iterator[OnProgress]:
    """Hands out what a pull reports to, for as long as it runs."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield PlainLines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    bars = Bars(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        DownloadColumn(),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True),
        expand=True,
        transient=True,
    )
    with bars:
        yield OneBar(bars)


class OneBar:
    """A bar for what is going on now; what is ready stays above it as a line."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._task: TaskID | None = None
        self._now = ("", "", "")

    def __call__(self, progress: Progress) -> None:
        now = (progress.model, progress.file, progress.phase.value)
        if now != self._now:
            self._now = now
            self._begin(progress)
        if self._task is not None:
            self._bars.update(self._task, completed=progress.done, total=progress.total)

    def _begin(self, progress: Progress) -> None:
        from rich.text import Text

        from companion.app.shelf import Phase

        if self._task is not None:
            self._bars.remove_task(self._task)
            self._task = None
        if progress.phase is Phase.READY:
            self._bars.console.print(Text(_line(progress)))
        else:
            # The name of the file would leave no room for the bar on a narrow terminal.
            self._task = self._bars.add_task(_line(replace(progress, file="")), total=progress.total)


class PlainLines:
    """A line every quarter of a file that comes, when it is unpacked and checked, and when a model is ready."""

    def __init__(self) -> None:
        self._now = ("", "", "")
        self._next = 0.0

    def __call__(self, progress: Progress) -> None:
        now = (progress.model, progress.file, progress.phase.value)
        if now != self._now:
            self._now, self._next = now, 0.0
        share = progress.done / progress.total if progress.total else 0.0
        if share < self._next or (progress.file and progress.total < SMALL):
            return
        self._next = share - share % STEP + STEP if progress.phase == "fetching" else math.inf
        print(_line(progress) + _percent(progress), file=sys.stderr, flush=True)


def _line(progress: Progress) -> str:
    from companion.app.shelf import Phase

    what = f"{progress.model}/{progress.file}" if progress.file else progress.model
    match progress.phase:
        case Phase.READY:
            return f"{what}: on the shelf"
        case Phase.WAITING:
            return f"{what}: waiting for another process"
        case _:
            return f"{what}: {progress.phase.value}"


def _percent(progress: Progress) -> str:
    from companion.app.shelf import Phase, in_words

    if progress.phase is not Phase.FETCHING:
        return ""
    return f" {100 * progress.done // max(1, progress.total)} % of {in_words(progress.total)}"
