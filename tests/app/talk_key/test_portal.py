"""The talk key by the portal: bound with the user's consent, felt in both directions, and lost without harm."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from doubles.shortcut_portal import Bus, ShortcutPortal

from companion.app.talk_key.combination import Combination
from companion.app.talk_key.portal import APPLICATION, watch_portal
from companion.errors import ControlError, SetupError

KEYS = Combination.read("ctrl+alt+space")
DEADLINE = 10.0


class Fingers:
    """A hand that writes down what the key did."""

    def __init__(self) -> None:
        self.moves: asyncio.Queue[str] = asyncio.Queue()

    def press(self) -> None:
        self.moves.put_nowait("press")

    def let_go(self) -> None:
        self.moves.put_nowait("let go")

    async def next(self) -> str:
        async with asyncio.timeout(DEADLINE):
            return await self.moves.get()


@asynccontextmanager
async def watched(hand: Fingers, told: list[str]) -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(watch_portal(KEYS, "Talk to the companion", hand, told.append))  # type: ignore[arg-type]
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
def at_bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bus:
    bus = Bus(tmp_path)
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus.address)
    return bus


@pytest.mark.parametrize("is_old", [False, True])
async def test_a_key_the_user_allows_is_felt_when_it_goes_down_and_up(at_bus: Bus, *, is_old: bool) -> None:
    hand, told = Fingers(), list[str]()
    async with at_bus, ShortcutPortal(at_bus.address, is_old=is_old) as portal, watched(hand, told):
        async with asyncio.timeout(DEADLINE):
            await portal.is_bound.wait()
            while not told:  # noqa: ASYNC110 - bound is told at the far end
                await asyncio.sleep(0.01)
        await portal.press()
        await portal.let_go()
        assert [await hand.next(), await hand.next()] == ["press", "let go"]
    assert portal.registered == ([] if is_old else [APPLICATION])
    assert portal.bound == [("talk", {"description": "Talk to the companion", "preferred_trigger": "CTRL+ALT+space"})]
    assert told == ["Press Ctrl+Alt+Space"]


async def test_keys_of_others_and_of_other_sessions_are_not_ours(at_bus: Bus) -> None:
    hand, told = Fingers(), list[str]()
    async with at_bus, ShortcutPortal(at_bus.address) as portal, watched(hand, told):
        async with asyncio.timeout(DEADLINE):
            while not told:  # noqa: ASYNC110 - bound is told at the far end
                await asyncio.sleep(0.01)
        await portal.press("mute")
        await portal.press(session="/org/freedesktop/portal/desktop/session/1_1/other")
        await portal.press()
        assert await hand.next() == "press"
        assert hand.moves.empty()


async def test_a_stranger_on_the_bus_cannot_press_our_key(at_bus: Bus) -> None:
    hand, told = Fingers(), list[str]()
    async with at_bus, ShortcutPortal(at_bus.address) as portal, watched(hand, told):
        async with asyncio.timeout(DEADLINE):
            while not told:  # noqa: ASYNC110 - bound is told at the far end
                await asyncio.sleep(0.01)
        async with ShortcutPortal(at_bus.address) as stranger:
            await stranger.press(session=portal.session)
            await portal.let_go()
            assert await hand.next() == "let go"


async def test_a_user_who_says_no_is_told_how_to_do_without(at_bus: Bus) -> None:
    async with at_bus, ShortcutPortal(at_bus.address, says_yes=False), watched(Fingers(), []) as task:
        async with asyncio.timeout(DEADLINE):
            with pytest.raises(SetupError) as refused:
                await task
    assert refused.value.mend


async def test_a_desktop_without_a_portal_or_without_a_bus_is_told_with_what_to_do(at_bus: Bus) -> None:
    async with asyncio.timeout(DEADLINE):
        with pytest.raises(ControlError, match="no key to talk"):
            await watch_portal(KEYS, "", Fingers(), print)  # type: ignore[arg-type]
        async with at_bus:
            with pytest.raises(ControlError, match="no key to talk") as fault:
                await watch_portal(KEYS, "", Fingers(), print)  # type: ignore[arg-type]
    assert "companion toggle" in fault.value.mend


async def test_a_bus_that_ends_is_a_fault_and_not_a_silence(at_bus: Bus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.app.talk_key.portal.LOOK", 0.1)
    told = list[str]()
    async with at_bus as bus, ShortcutPortal(at_bus.address), watched(Fingers(), told) as task:
        async with asyncio.timeout(DEADLINE):
            while not told:  # noqa: ASYNC110 - bound is told at the far end
                await asyncio.sleep(0.01)
        await bus.end()
        async with asyncio.timeout(DEADLINE):
            with pytest.raises(ControlError):
                await task
