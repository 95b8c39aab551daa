"""The worker: one thread, jobs in order, ended between steps, and flows that never run far ahead."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Generator

import pytest

from companion.errors import EndOfStream, ModelDied
from companion.providers.local.worker import Stop, Worker

PATIENCE = 5.0
"""Seconds a test waits for what must happen."""


class Gate:
    """Holds a job on the worker's thread until the test lets it go."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.opened = threading.Event()

    def pass_through(self, stop: Stop) -> str:
        self.reached.set()
        assert self.opened.wait(PATIENCE)
        return "stopped" if stop.is_set else "went on"

    async def is_reached(self) -> None:
        assert await asyncio.to_thread(self.reached.wait, PATIENCE)


def counting(made: list[int], closed: list[bool], limit: int = 1000) -> Generator[int, None, None]:
    try:
        for number in range(limit):
            made.append(number)
            yield number
    finally:
        closed.append(True)


async def settled(worker: Worker) -> None:
    """Everything queued before now has been worked on."""
    await worker.run(lambda stop: None, deadline=PATIENCE)


async def test_jobs_run_one_at_a_time_on_one_thread_oldest_first() -> None:
    worker, order = Worker("test"), list[tuple[int, int]]()

    async with asyncio.TaskGroup() as tasks:
        for number in range(5):
            tasks.create_task(worker.run(lambda stop, n=number: order.append((n, threading.get_ident()))))
    await worker.close()

    assert [number for number, _ in order] == [0, 1, 2, 3, 4]
    assert len({thread for _, thread in order}) == 1


async def test_what_a_job_raises_reaches_its_caller_and_the_next_job_runs() -> None:
    worker = Worker("test")
    with pytest.raises(ZeroDivisionError):
        await worker.run(lambda stop: 1 / 0)

    assert await worker.run(lambda stop: "alive") == "alive"
    await worker.close()


async def test_a_job_cancelled_before_it_starts_never_runs() -> None:
    worker, gate, ran = Worker("test"), Gate(), list[str]()
    async with asyncio.TaskGroup() as tasks:
        first = tasks.create_task(worker.run(gate.pass_through))
        await gate.is_reached()
        second = tasks.create_task(worker.run(lambda stop: ran.append("second")))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.sleep(0)
        gate.opened.set()
        assert await first == "went on"
    await settled(worker)
    await worker.close()

    assert ran == []


async def test_cancelling_a_running_job_returns_at_once_and_asks_it_to_stop() -> None:
    worker, gate, seen = Worker("test"), Gate(), list[str]()
    async with asyncio.TaskGroup() as tasks:
        job = tasks.create_task(worker.run(lambda stop: seen.append(gate.pass_through(stop))))
        await gate.is_reached()
        job.cancel()
        await asyncio.wait([job], timeout=PATIENCE)
        assert job.cancelled()
        assert seen == []
        gate.opened.set()
        await settled(worker)
    await worker.close()

    assert seen == ["stopped"]


async def test_a_deadline_ends_the_wait_and_asks_the_work_to_stop() -> None:
    worker, gate = Worker("test"), Gate()
    with pytest.raises(TimeoutError):
        await worker.run(gate.pass_through, deadline=0.01)
    gate.opened.set()
    await worker.close()


async def test_a_call_beyond_the_places_waits_for_one() -> None:
    worker, gate, done = Worker("test", places=1), Gate(), list[str]()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(worker.run(gate.pass_through))
        await gate.is_reached()
        tasks.create_task(worker.run(lambda stop: done.append("second")))
        await asyncio.sleep(0)
        assert done == []
        gate.opened.set()
    await worker.close()

    assert done == ["second"]


async def test_a_flow_does_not_start_before_it_is_read() -> None:
    worker, made = Worker("test"), list[int]()
    flow = worker.stream(lambda stop: counting(made, []), ahead=2)
    await settled(worker)
    assert made == []

    await flow.close()
    await worker.close()
    assert made == []


async def test_a_flow_runs_no_further_ahead_than_it_was_told() -> None:
    worker, made = Worker("test"), list[int]()
    flow = worker.stream(lambda stop: counting(made, []), ahead=3)

    assert await flow.next() == 0
    await settled(worker)
    await settled(worker)
    assert made == [0, 1, 2, 3]

    await flow.close()
    await worker.close()


async def test_a_flow_delivers_everything_in_order_then_ends() -> None:
    worker = Worker("test")
    flow = worker.stream(lambda stop: counting([], [], limit=100), ahead=3)

    assert [item async for item in flow] == list(range(100))
    with pytest.raises(EndOfStream):
        await flow.next()
    await worker.close()


async def test_a_parked_flow_leaves_the_thread_to_the_next_job() -> None:
    worker = Worker("test")
    first = worker.stream(lambda stop: counting([], []), ahead=1)
    second = worker.stream(lambda stop: counting([], []), ahead=1)

    for expected in range(20):
        assert await asyncio.wait_for(second.next(), PATIENCE) == expected
        assert await asyncio.wait_for(first.next(), PATIENCE) == expected

    await first.close()
    assert await asyncio.wait_for(second.next(), PATIENCE) == 20
    await second.close()
    await worker.close()


async def test_closing_a_parked_flow_cleans_up_on_the_thread() -> None:
    worker, closed = Worker("test"), list[bool]()
    flow = worker.stream(lambda stop: counting([], closed), ahead=1)
    await flow.next()
    await settled(worker)

    await flow.close()
    await settled(worker)
    await worker.close()

    assert closed == [True]


async def test_closing_a_flow_wakes_its_waiting_reader() -> None:
    worker, gate = Worker("test"), Gate()

    def stuck(stop: Stop) -> Generator[str, None, None]:
        yield gate.pass_through(stop)

    flow = worker.stream(stuck, ahead=1)
    async with asyncio.TaskGroup() as tasks:
        reader = tasks.create_task(_outcome(flow.next()))
        await gate.is_reached()
        await flow.close()
        assert isinstance(await asyncio.wait_for(reader, PATIENCE), EndOfStream)
        gate.opened.set()
    await worker.close()


async def test_a_flow_that_fails_says_so_after_what_it_made() -> None:
    def failing(stop: Stop) -> Generator[int, None, None]:
        yield 1
        raise OSError("the library fell over")

    worker = Worker("test")
    flow = worker.stream(failing, ahead=4)

    assert await flow.next() == 1
    with pytest.raises(OSError, match="fell over"):
        await flow.next()
    await worker.close()


async def test_closing_the_worker_ends_what_waits_and_what_runs() -> None:
    worker, gate, closed = Worker("test"), Gate(), list[bool]()
    parked = worker.stream(lambda stop: counting([], closed), ahead=1)
    await parked.next()
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(_outcome(worker.run(gate.pass_through)))
        await gate.is_reached()
        waiting = tasks.create_task(_outcome(worker.run(lambda stop: "never")))
        await asyncio.sleep(0)
        closing = tasks.create_task(worker.close())
        assert isinstance(await running, ModelDied)
        assert isinstance(await waiting, ModelDied)
        gate.opened.set()
        await closing

    assert await parked.next() == 1
    with pytest.raises(ModelDied):
        await parked.next()
    assert closed == [True]
    with pytest.raises(ModelDied, match="closed"):
        await worker.run(lambda stop: None)


async def test_a_thread_that_does_not_end_is_reported() -> None:
    worker, gate = Worker("test"), Gate()
    async with asyncio.TaskGroup() as tasks:
        job = tasks.create_task(_outcome(worker.run(gate.pass_through)))
        await gate.is_reached()
        with pytest.raises(ModelDied, match="did not stop"):
            await worker.close(deadline=0.01)
        gate.opened.set()
        await job
    await worker.close()


async def _outcome(work: Awaitable[object]) -> object:
    try:
        return await work
    except (ModelDied, EndOfStream) as error:
        return error
