"""Long work goes on by itself, can be stopped, and its end is always told."""

from __future__ import annotations

import asyncio

import pytest

from companion.app.desks.work import MOST_AT_ONCE, SETTLES_AFTER, Meter, Work
from companion.app.events import Finished, Progress, Telling
from companion.errors import BadInput, ControlError


class Told:
    def __init__(self) -> None:
        self.telling, self.events = Telling(), list[object]()
        self.telling.subscribe(self.events.append)

    def ends(self) -> list[Finished]:
        return [event for event in self.events if isinstance(event, Finished)]


async def forever() -> str:
    await asyncio.Event().wait()
    return ""


async def test_the_end_is_told_with_what_was_wrong() -> None:
    told = Told()
    work = Work(told.telling)

    async def refused() -> str:
        raise BadInput("no", mend="Try another.")

    async def broken() -> str:
        raise RuntimeError("a fault of ours")

    async def good() -> str:
        return ""

    for name, job in (("a", refused), ("b", broken), ("c", good)):
        work.start(name, job)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert told.ends()[0] == Finished("a", "no", "Try another.")
    assert told.ends()[1].problem
    assert told.ends()[2] == Finished("c")
    assert work.going == ()
    await work.close()


async def test_what_goes_on_is_stopped_once_and_for_all() -> None:
    told = Told()
    work = Work(told.telling)
    work.start("a", forever)
    work.start("a", forever)
    assert await work.cancel("a")
    assert not await work.cancel("a")
    work.start("b", forever)
    await asyncio.sleep(0)
    await work.close()
    await work.close()
    assert [end.task for end in told.ends()] == ["a", "b"]
    assert all(end.problem for end in told.ends())


async def test_there_is_a_most_of_what_goes_on() -> None:
    work = Work(Told().telling)
    for number in range(MOST_AT_ONCE):
        work.start(str(number), forever)
    with pytest.raises(ControlError):
        work.start("one more", forever)
    await work.close()


async def test_how_long_the_rest_takes_is_told_when_it_can_be_known() -> None:
    told, now = Told(), [0.0]
    meter = Meter(told.telling, "a", clock=lambda: now[0])
    meter.tell(0, 100)
    now[0] = 0.01
    meter.tell(1, 100)
    now[0] = SETTLES_AFTER + 1
    meter.tell(25, 100, "fetching")
    assert told.events == [Progress("a", 0, 100), Progress("a", 25, 100, pytest.approx(9.0), "fetching")]
