"""The desk of the health page: what it costs, how quick it is, what is wrong, and a bundle for who helps."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.app.born import BORN
from companion.app.desks.house import House
from companion.app.desks.work import outcome
from companion.app.diagnostics.bundle import Known, Sheet, gathered, save
from companion.app.doctor import Check, Finding, examine
from companion.app.events import Finished, ModelLoaded, Problem, Progress, Solved
from companion.app.minding.desks import Given, Row
from companion.app.turn_log import TurnRecord
from companion.errors import BadInput
from companion.model import ModelReport
from companion.stream.tasks import Tasks
from companion.stream.threads import finish_in_thread

NEWEST = 50
"""Turns that are shown."""
CHECKUP = "health.checkup"
"""The name of the task."""
MOST_PROBLEMS = 50

Checks = Callable[[], Sequence[Check]]


class HealthDesk:
    """Implements ``Desk``. checks: makes what is looked at; blocking."""

    actions = ("now", "turns", "checkup", "cancel", "findings", "bundle", "save")

    def __init__(self, house: House, checks: Checks) -> None:
        self._house = house
        self._checks = checks
        self._tasks = Tasks()
        self._checking: asyncio.Task[None] | None = None
        self._findings: tuple[Finding, ...] | None = None
        self._problems: dict[str, str] = {}
        self._models: dict[str, ModelReport] = {}
        self._bundle: tuple[str, list[Sheet]] | None = None
        self._measured = (time.monotonic(), _cpu_seconds())
        house.telling.subscribe(self._note)

    async def perform(self, action: str, given: Given) -> Row:
        """``now``: processor, memory, room. ``turns``: times of the newest, oldest first. ``checkup`` begins to look
        at everything, ``cancel`` ends that, ``findings`` is what it found. ``bundle`` makes the sheets and shows them;
        ``save`` writes those named in ``sheets`` of the bundle ``id`` into ``file``.
        """
        match action:
            case "now":
                return await self._now()
            case "turns":
                return {"turns": [_row(turn) for turn in await self._timed()]}
            case "checkup":
                self._begin()
            case "cancel":
                if self._checking is not None:
                    self._checking.cancel()
            case "bundle":
                return await self._make_bundle()
            case "save":
                return await self._save(given)
        return self._found()

    async def close(self) -> None:
        """End a checkup that goes on. May be called twice."""
        await self._tasks.close()

    def _note(self, event: object) -> None:
        match event:
            case Problem(topic, message):
                self._problems[topic] = message
                while len(self._problems) > MOST_PROBLEMS:
                    del self._problems[next(iter(self._problems))]
            case Solved(topic):
                self._problems.pop(topic, None)
            case ModelLoaded(report):
                self._models[report.name] = report

    async def _timed(self) -> list[TurnRecord]:
        """The newest turns, those of before the start among them."""
        kept = await finish_in_thread(self._house.kept_turns.all)
        turns = {turn.at: turn for turn in (*kept, *self._house.turns.records) if turn.seconds}
        return [turns[at] for at in sorted(turns)][-NEWEST:]

    async def _now(self) -> Row:
        told = await finish_in_thread(lambda: _of_machine(self._house.paths.data))
        before, self._measured = self._measured, (time.monotonic(), _cpu_seconds())
        passed = self._measured[0] - before[0]
        share = (self._measured[1] - before[1]) / passed if passed > 0 else 0.0
        loaded = [{"name": one.name, "load_seconds": one.load_seconds} for one in self._models.values()]
        return told | {"cpu": share, "seconds": passed, "running": time.monotonic() - BORN, "models": loaded}

    # -- everything

    def _begin(self) -> None:
        if self._checking is None or self._checking.done():
            self._checking = self._tasks.start(self._check_all(), name=CHECKUP)

    async def _check_all(self) -> None:
        end = Finished(CHECKUP, "stopped")
        try:
            end = await outcome(CHECKUP, self._checked)
        finally:
            self._house.telling.tell(end)

    async def _checked(self) -> str:
        tell, found = self._house.telling.tell, list[Finding]()
        tell(Progress(CHECKUP, 0, 0))
        checks = await finish_in_thread(self._checks)
        for done, check in enumerate(checks):
            tell(Progress(CHECKUP, done, len(checks), note=check.topic))
            found += await examine([check])
        self._findings = tuple(found)
        return ""

    def _found(self) -> Row:
        found = [
            {"topic": one.topic, "state": one.state.value, "message": one.message, "mend": one.mend}
            for one in self._findings or ()
        ]
        is_busy = self._checking is not None and not self._checking.done()
        return {"findings": found, "is_done": self._findings is not None, "is_busy": is_busy}

    # -- the bundle

    async def _make_bundle(self) -> Row:
        known = Known(
            problems=tuple(self._problems.items()),
            findings=self._findings or (),
            models=tuple(self._models.values()),
            turns=await self._timed(),
        )
        settings, paths = self._house.live.settings, self._house.paths
        sheets = await finish_in_thread(lambda: gathered(settings, paths, known))
        self._bundle = (secrets.token_hex(4), sheets)
        return {"id": self._bundle[0], "sheets": [{"name": one.name, "text": one.text} for one in sheets]}

    async def _save(self, given: Given) -> Row:
        """What is saved is what was shown."""
        if self._bundle is None or given.text("id") != self._bundle[0]:
            raise BadInput("this is not the bundle that was shown last", mend="Make it again, and look at it.")
        wanted, file = given.texts("sheets"), Path(given.text("file"))
        chosen = [sheet for sheet in self._bundle[1] if sheet.name in wanted]
        if not chosen:
            raise BadInput("nothing of the bundle is chosen", mend="Choose a part of it.")
        await finish_in_thread(lambda: save(file, chosen))
        return {"file": str(file), "sheets": [sheet.name for sheet in chosen]}


def _row(turn: TurnRecord) -> Row:
    """The times of a turn, without a word of it. Steps add up to the whole: what the recogniser did while it was
    waited for the end of the turn is its own, not the wait's.
    """
    seconds = dict(turn.seconds)
    if "wait" in seconds:
        inside = min(seconds.get("recogniser", 0.0), seconds["wait"])
        seconds |= {"wait": seconds["wait"] - inside, "recogniser": inside}
    return {
        "at": turn.at.isoformat(),
        "spoken": turn.spoken,
        "by_model": turn.by_model,
        "steps": [{"step": step, "seconds": max(took, 0.0)} for step, took in seconds.items()],
        "total": turn.total,
    }


def _cpu_seconds() -> float:
    """Seconds of a core that this process has used, its ended children included."""
    return sum(os.times()[:4])


def _of_machine(data: Path) -> Row:
    import psutil

    process, memory = psutil.Process(), psutil.virtual_memory()
    place = next(folder for folder in (data, *data.parents) if folder.exists())
    disk = shutil.disk_usage(place)
    return {
        "cores": os.cpu_count() or 1,
        "own_memory": process.memory_info().rss,
        "memory": memory.total,
        "free_memory": memory.available,
        "disk": disk.total,
        "free_disk": disk.free,
        "threads": process.num_threads(),
    }
