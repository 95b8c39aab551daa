import asyncio
from pathlib import Path

from doubles.said import SteppedClock, ask

from companion.talents.timer_watch import TimerWatch
from companion.talents.timers import Due, Timers


class Announcer:
    """Says what it is given, as soon as it ``can``."""

    def __init__(self, *, can: bool = True) -> None:
        self.can = can
        self.said: list[str] = []
        self.asked = asyncio.Event()

    async def __call__(self, due: Due) -> bool:
        self.asked.set()
        if self.can:
            self.said.append(due.text)
        return self.can


async def ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])


async def test_a_timer_set_while_it_waits_is_announced_once(tmp_path: Path) -> None:
    clock, announcer = SteppedClock(), Announcer()
    timers = Timers(tmp_path / "timers", clock(), steady=clock.steady)
    watching = asyncio.get_running_loop().create_task(TimerWatch(timers, announcer, clock, nap=0.01).run())
    await asyncio.sleep(0)

    await ask(timers, "Set a timer for ten minutes.", now=clock())
    clock.step(minutes=10)
    await asyncio.wait_for(announcer.asked.wait(), 5)
    await ended(watching)

    assert announcer.said == ["Your 10 minute timer is done."]
    assert timers.due(clock()) == []
    assert Timers(tmp_path / "timers", clock(), steady=clock.steady).due(clock()) == []


async def test_what_could_not_be_said_is_tried_again(tmp_path: Path) -> None:
    clock, announcer = SteppedClock(), Announcer(can=False)
    timers = Timers(tmp_path / "timers", clock(), steady=clock.steady)
    await ask(timers, "Remind me at six to call Emma.", now=clock())
    clock.step(hours=3, minutes=40)
    watching = asyncio.get_running_loop().create_task(TimerWatch(timers, announcer, clock, nap=0.01).run())

    await asyncio.wait_for(announcer.asked.wait(), 5)
    announcer.can = True
    announcer.asked.clear()
    await asyncio.wait_for(announcer.asked.wait(), 5)
    await ended(watching)

    assert announcer.said == ["A reminder: call Emma."]


async def test_an_announcement_that_breaks_does_not_end_the_watch(tmp_path: Path) -> None:
    clock, announcer = SteppedClock(), Announcer()
    timers = Timers(tmp_path / "timers", clock(), steady=clock.steady)
    await ask(timers, "Set a timer for ten minutes.", now=clock())
    clock.step(minutes=10)
    faults = [RuntimeError("a fault of ours")]

    async def announce(due: Due) -> bool:
        if faults:
            raise faults.pop()
        return await announcer(due)

    watching = asyncio.get_running_loop().create_task(TimerWatch(timers, announce, clock, nap=0.01).run())
    await asyncio.wait_for(announcer.asked.wait(), 5)
    await ended(watching)

    assert announcer.said == ["Your 10 minute timer is done."]


async def test_one_that_is_cancelled_while_its_announcement_waits_is_not_told(tmp_path: Path) -> None:
    clock, said, waits = SteppedClock(), list[str](), asyncio.Event()
    timers = Timers(tmp_path / "timers", clock(), steady=clock.steady)
    await ask(timers, "Set a timer for ten minutes.", now=clock())
    await ask(timers, "Set a timer for nine minutes.", now=clock())
    clock.step(minutes=10)

    async def announce(due: Due) -> bool:
        if due.text != "Your 10 minute timer is done.":
            waits.set()
            await asyncio.Event().wait()  # somebody speaks
        said.append(due.text)
        return True

    watching = asyncio.get_running_loop().create_task(TimerWatch(timers, announce, clock, nap=0.01).run())
    await asyncio.wait_for(waits.wait(), 5)
    await ask(timers, "Cancel the nine minute timer.", now=clock())
    async with asyncio.timeout(5):
        while not said:  # noqa: ASYNC110
            await asyncio.sleep(0)
    await ended(watching)

    assert said == ["Your 10 minute timer is done."]
    assert timers.pending == ()


async def test_it_sleeps_while_no_timer_is_set(tmp_path: Path) -> None:
    clock = SteppedClock()
    reads = 0

    def counted() -> object:
        nonlocal reads
        reads += 1
        return clock()

    timers = Timers(tmp_path / "timers", clock(), steady=clock.steady)
    watching = asyncio.get_running_loop().create_task(TimerWatch(timers, Announcer(), counted, nap=0.001).run())  # type: ignore[arg-type]
    await asyncio.sleep(0.05)
    await ended(watching)

    assert reads == 1
