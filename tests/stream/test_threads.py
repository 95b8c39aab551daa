"""Short blocking work beside the event loop keeps its order."""

from __future__ import annotations

import asyncio
import threading

import pytest

from companion.stream.threads import finish_in_thread


async def test_work_runs_on_another_thread_and_hands_back_what_it_made() -> None:
    assert await finish_in_thread(threading.get_ident) != threading.get_ident()


async def test_what_work_raises_is_raised() -> None:
    def fail() -> None:
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        await finish_in_thread(fail)


async def test_a_cancelled_caller_waits_until_the_work_is_done() -> None:
    begun, go_on = threading.Event(), threading.Event()
    done: list[str] = []

    def write() -> None:
        begun.set()
        assert go_on.wait(10)
        done.append("written")

    async with asyncio.TaskGroup() as group:
        writer = group.create_task(finish_in_thread(write))
        await asyncio.to_thread(begun.wait, 10)
        writer.cancel()
        await asyncio.sleep(0)
        assert not writer.done()
        go_on.set()
    assert done == ["written"]
    assert writer.cancelled()
