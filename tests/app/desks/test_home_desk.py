"""Timers, alarms and reminders are seen, set and cancelled without a word said."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from doubles.said import MONDAY, SteppedClock, ask

from companion.app.desks.home_desk import HomeDesk
from companion.app.minding.desks import Given
from companion.app.paths import Paths
from companion.errors import BadInput, StorageError
from companion.talents.timers import MOST, Timers


class Home:
    """A desk, its timers, and how often they told of a change."""

    def __init__(self, folder: Path) -> None:
        self.clock = SteppedClock()
        self.changes = 0
        self.paths = Paths.under(folder)
        self.timers = Timers(self.paths.timers, self.clock(), steady=self.clock.steady, on_change=self._note)
        self.desk = HomeDesk(self.timers, self.paths, self.clock, language="en")

    def _note(self) -> None:
        self.changes += 1

    async def tend(self, action: str, **given: object) -> Any:
        return json.loads(json.dumps(await self.desk.perform(action, Given(json.loads(json.dumps(given))))))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


async def test_what_was_set_by_voice_is_listed_soonest_first(home: Home) -> None:
    await ask(home.timers, "Remind me tomorrow at 8 am to wash my car.", now=home.clock())
    await ask(home.timers, "Set a pasta timer for ten minutes.", now=home.clock())
    home.clock.step(minutes=4)

    timer, reminder = (await home.tend("list"))["timers"]

    assert (timer["kind"], timer["label"], timer["seconds"], timer["left"]) == ("timer", "pasta", 600, 360)
    assert (reminder["kind"], reminder["label"]) == ("reminder", "wash your car")
    assert reminder["due"] == "2026-12-01T08:00:00+01:00"


async def test_a_timer_that_was_set_here_is_announced_like_any_other(home: Home) -> None:
    answer = await home.tend("add", kind="timer", label="tea", seconds=180)
    assert [timer["id"] for timer in answer["timers"]] == [answer["id"]]
    home.clock.step(minutes=3)

    assert [due.text for due in home.timers.due(home.clock())] == ["Your tea timer is done."]


@pytest.mark.parametrize("kind", ["reminder", "alarm"])
async def test_what_is_set_for_a_time_of_day_is_due_at_that_local_time(home: Home, kind: str) -> None:
    (set_for,) = (await home.tend("add", kind=kind, label="call Emma", at="2026-11-30T18:30"))["timers"]

    assert set_for["due"] == "2026-11-30T18:30:00+01:00"
    assert set_for["left"] == timedelta(hours=4, minutes=10).total_seconds()


async def test_what_is_cancelled_is_gone_and_cancelling_twice_does_no_harm(home: Home) -> None:
    added = (await home.tend("add", kind="timer", seconds=60))["id"]

    assert (await home.tend("cancel", id=added))["timers"] == []
    assert (await home.tend("cancel", id=added))["timers"] == []
    assert Timers(home.paths.timers, home.clock()).pending == ()


async def test_what_was_cancelled_comes_back_as_it_was_while_its_time_has_not_passed(home: Home) -> None:
    await ask(home.timers, "Set a pasta timer for ten minutes.", now=home.clock())
    (before,) = (await home.tend("list"))["timers"]
    await home.tend("cancel", id=before["id"])
    home.clock.step(minutes=4)

    (after,) = (await home.tend("restore", id=before["id"]))["timers"]
    assert after == before | {"id": after["id"], "left": 360}
    with pytest.raises(BadInput):
        await home.tend("restore", id=before["id"])
    await home.tend("cancel", id=after["id"])
    home.clock.step(minutes=6)
    with pytest.raises(BadInput, match="passed"):
        await home.tend("restore", id=after["id"])


async def test_every_change_is_told_wherever_it_came_from(home: Home) -> None:
    added = (await home.tend("add", kind="timer", seconds=60))["id"]
    assert home.changes == 1
    await home.tend("cancel", id=added)
    assert home.changes == 2
    await ask(home.timers, "Set a timer for one minute.", now=home.clock())
    assert home.changes == 3
    home.clock.step(minutes=1)
    await home.timers.acknowledge(*home.timers.due(home.clock()))
    assert home.changes == 4


@pytest.mark.parametrize(
    "given",
    [
        {"kind": "sundial", "seconds": 60},
        {"kind": "timer"},
        {"kind": "timer", "seconds": -5},
        {"kind": "timer", "seconds": 31 * 86_400},
        {"kind": "timer", "seconds": 60, "label": "x" * 201},
        {"kind": "reminder", "label": " ", "seconds": 60},
        {"kind": "alarm", "at": "half past six"},
        {"kind": "alarm", "at": MONDAY.isoformat()},
        {"kind": "alarm", "at": "2036-11-30T18:30"},
    ],
)
async def test_what_cannot_be_set_is_refused_with_what_to_do(home: Home, given: dict[str, object]) -> None:
    with pytest.raises(BadInput) as refused:
        await home.tend("add", **given)

    assert refused.value.mend
    assert (await home.tend("list"))["timers"] == []


async def test_no_more_are_set_than_can_be_kept(home: Home) -> None:
    for _ in range(MOST):
        await home.tend("add", kind="timer", seconds=60)
    with pytest.raises(BadInput, match="set already"):
        await home.tend("add", kind="timer", seconds=60)


async def test_a_file_that_cannot_be_read_is_told_with_what_to_do(tmp_path: Path) -> None:
    desk = HomeDesk(None, Paths.under(tmp_path), SteppedClock(), language="en")
    with pytest.raises(StorageError) as fault:
        await desk.perform("list", Given({}))

    assert "timers.ndjson" in fault.value.mend
