"""Tasks with an owner: none is lost, no failure is silent."""

from __future__ import annotations

import asyncio

import pytest

from companion.stream.tasks import Tasks


async def forever(ended: list[str]) -> None:
    try:
        await asyncio.sleep(3600)
    finally:
        ended.append("ended")


async def fail() -> None:
    raise OSError("it broke")


async def test_close_ends_what_runs_and_waits_for_it() -> None:
    ended: list[str] = []
    tasks = Tasks()
    tasks.start(forever(ended), name="one")
    tasks.start(forever(ended), name="two")
    await asyncio.sleep(0)
    await tasks.close()

    assert ended == ["ended", "ended"]
    assert len(tasks) == 0


async def test_a_failure_is_told_at_once_and_raised_by_close_once(caplog: pytest.LogCaptureFixture) -> None:
    told: list[BaseException] = []
    tasks = Tasks(on_failure=told.append)
    tasks.start(fail(), name="the broken one")
    await asyncio.sleep(0.01)

    assert [str(error) for error in told] == ["it broke"]
    assert "the broken one failed: OSError" in caplog.text
    with pytest.raises(OSError, match="it broke"):
        await tasks.close()
    await tasks.close()


async def test_one_of_the_tasks_may_close_them_all() -> None:
    ended: list[str] = []
    tasks = Tasks()

    async def close_all() -> None:
        await tasks.close()
        ended.append("closed")

    tasks.start(forever(ended), name="other")
    await asyncio.sleep(0)
    await tasks.start(close_all(), name="closer")

    assert ended == ["ended", "closed"]


async def test_a_task_that_was_cancelled_is_no_failure() -> None:
    tasks = Tasks()
    tasks.start(forever([]), name="one").cancel()
    await asyncio.sleep(0)
    await tasks.close()
