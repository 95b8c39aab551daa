"""Events reach whoever wants to know, in order, and nobody who is slow holds anybody up."""

from __future__ import annotations

import asyncio

import pytest
from doubles import virtual_time

from companion.agent.bus import ALL, AgentEvent, Bus, EventKind, Listener
from companion.agent.guests import Guests


def noting(kept: list[str], name: str = "") -> Listener:
    async def note(event: AgentEvent) -> None:
        kept.append(f"{name}{event.payload.get('text', event.kind)}")

    return note


async def test_wildcard_and_typed_subscribers_are_told_once_each() -> None:
    bus = Bus()
    kept: list[str] = []
    bus.subscribe(EventKind.SYSTEM, noting(kept, "typed "))
    bus.subscribe(ALL, noting(kept, "all "))
    bus.publish(EventKind.SYSTEM, "test", text="a")
    bus.publish(EventKind.RAW_INPUT, "test", text="b")
    await bus.settle()

    assert sorted(kept) == ["all a", "all b", "typed a"]


async def test_of_two_listeners_of_one_factory_only_the_one_is_taken_out() -> None:
    bus = Bus()
    kept: list[str] = []
    one = noting(kept)
    first, second = bus.subscribe(ALL, one, owner="first"), bus.subscribe(ALL, one, owner="second")
    first.unsubscribe()
    first.unsubscribe()
    bus.publish(EventKind.SYSTEM, "test", text="a")
    await bus.settle()

    assert kept == ["a"]
    second.unsubscribe()
    bus.publish(EventKind.SYSTEM, "test", text="b")
    await bus.settle()
    assert kept == ["a"]


async def test_events_come_in_order() -> None:
    bus = Bus()
    kept: list[str] = []
    bus.subscribe(ALL, noting(kept))
    for number in range(100):
        bus.publish(EventKind.SYSTEM, "test", text=str(number))
    await bus.settle()

    assert kept == [str(number) for number in range(100)]


def test_a_slow_subscriber_holds_nobody_up_and_loses_the_oldest() -> None:
    async def scene() -> None:
        bus = Bus(waiting=10)
        kept: list[str] = []
        slow_kept: list[str] = []

        async def dawdle(event: AgentEvent) -> None:
            await asyncio.sleep(1)
            slow_kept.append(str(event.payload["text"]))

        slow = bus.subscribe(ALL, dawdle, owner="slow")
        bus.subscribe(ALL, noting(kept), owner="quick")
        began = asyncio.get_running_loop().time()
        for number in range(50):
            bus.publish(EventKind.SYSTEM, "test", text=str(number))
            await asyncio.sleep(0.001)

        assert asyncio.get_running_loop().time() - began < 0.1
        assert len(kept) == 50
        assert len(slow.waiting) == 10
        await bus.settle()
        assert slow_kept == ["0", *(str(number) for number in range(40, 50))]
        assert slow.dropped == 39
        await bus.close()

    virtual_time.run(scene())


async def test_a_listener_that_fails_is_noted_and_left_alone_after_a_while() -> None:
    guests = Guests(threshold=3)
    bus = Bus(guests)
    failures = []
    guests.watch(failures.append)
    kept: list[str] = []

    def fail(event: AgentEvent) -> None:
        raise SystemExit(2)

    bus.subscribe(ALL, fail, owner="broken")
    bus.subscribe(ALL, noting(kept), owner="well")
    for _ in range(5):
        bus.publish(EventKind.SYSTEM, "test", text="a")
    await bus.settle()

    assert len(kept) == 5
    assert [failure.owner for failure in failures] == ["broken"] * 3
    assert guests.is_left_alone("broken")


async def test_a_kind_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="no events of kind 'gossip'"):
        Bus().subscribe("gossip", noting([]))


async def test_a_closed_bus_tells_nobody() -> None:
    bus = Bus()
    kept: list[str] = []
    bus.subscribe(ALL, noting(kept))
    await bus.close()
    bus.publish(EventKind.SYSTEM, "test")
    await bus.settle()

    assert kept == []
