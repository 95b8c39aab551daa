"""Recall within a turn keeps its deadline, whatever the disk does; nobody waits for what is late."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from types import SimpleNamespace

from companion.app.minding.keeper import RECALL_SECONDS, Keeper
from companion.errors import StorageError
from companion.memory.recall import Asking
from companion.memory.recalled import Recalled

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


class Slow:
    """A recall that takes its time. cannot: it fails instead."""

    def __init__(self, *, cannot: bool = False) -> None:
        self.asked: list[Asking] = []
        self.go_on = asyncio.Event()
        self._cannot = cannot

    async def recall(self, query: str, asking: Asking) -> Sequence[Recalled]:
        self.asked.append(asking)
        if self._cannot:
            raise StorageError("memory could not be read", file="memory.db")
        await self.go_on.wait()
        return [Recalled("Emma lives in Lyon", "fact", 1.0, "about Emma", NOW)]


def a_keeper(recall: Slow | None) -> Keeper:
    context = SimpleNamespace(recent=lambda count: ())
    opened = None if recall is None else SimpleNamespace(recall=recall, context=context)
    return Keeper(SimpleNamespace(open_now=opened, now=lambda: NOW), session="s")  # type: ignore[arg-type]


async def test_a_recall_that_is_late_is_dropped_and_the_next_does_not_wait_behind_it() -> None:
    slow = Slow()
    keeper = a_keeper(slow)
    now = asyncio.get_running_loop().time
    began = now()
    assert await keeper.recall("where does Emma live", now=NOW, tokens=400) == ()
    assert now() - began < RECALL_SECONDS + 1.0
    assert await keeper.recall("where does Emma live", now=NOW, tokens=400) == ()
    assert len(slow.asked) == 1, "one late recall at a time"
    slow.go_on.set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert [one.reason for one in await keeper.recall("where does Emma live", now=NOW, tokens=400)] == ["about Emma"]
    await keeper.close()


async def test_closing_ends_what_is_late() -> None:
    slow = Slow()
    keeper = a_keeper(slow)
    await keeper.recall("where does Emma live", now=NOW, tokens=400)
    await keeper.close()


async def test_a_recall_that_fails_is_a_turn_without_memory() -> None:
    keeper = a_keeper(Slow(cannot=True))
    assert await keeper.recall("where does Emma live", now=NOW, tokens=400) == ()
    await keeper.close()


async def test_nothing_is_asked_where_there_is_no_room_or_the_memory_is_not_open() -> None:
    slow = Slow()
    assert await a_keeper(slow).recall("where does Emma live", now=NOW, tokens=0) == ()
    assert slow.asked == []
    assert await a_keeper(None).recall("where does Emma live", now=NOW, tokens=400) == ()


async def test_the_user_is_who_asks_and_the_budget_is_handed_on() -> None:
    slow = Slow()
    slow.go_on.set()
    await a_keeper(slow).recall("where does Emma live", now=NOW, tokens=123)
    assert (slow.asked[0].asker, slow.asked[0].tokens, slow.asked[0].now) == ("user", 123, NOW)
