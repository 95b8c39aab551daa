"""Closing ends a wait, whatever it is for."""

from __future__ import annotations

import asyncio

import pytest

from companion.errors import EndOfStream
from companion.stream.wakeable import Wakeable


async def forever() -> None:
    await asyncio.Event().wait()


async def test_what_is_waited_for_is_given() -> None:
    async def word() -> str:
        return "word"

    assert await Wakeable().unless_closed(word) == "word"


async def test_closing_ends_the_wait_that_is_on_and_every_later_one() -> None:
    wakeable = Wakeable()
    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(_ended(wakeable))
        await asyncio.sleep(0)
        for _ in range(2):
            await wakeable.close()
        assert await waiting

    with pytest.raises(EndOfStream):
        wakeable.demand_open()
    assert await _ended(wakeable)


async def test_a_wait_that_is_too_long_by_itself_says_so() -> None:
    async def late() -> None:
        raise TimeoutError("late")

    with pytest.raises(TimeoutError, match="late"):
        await Wakeable().unless_closed(late)


async def test_who_is_called_off_is_called_off() -> None:
    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(_ended(Wakeable()))
        await asyncio.sleep(0)
        waiting.cancel()

    assert waiting.cancelled()


async def _ended(wakeable: Wakeable) -> bool:
    with pytest.raises(EndOfStream):
        await wakeable.unless_closed(forever)
    return True
