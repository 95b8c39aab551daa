"""Ears that were closed stay closed as long as the user wanted, whatever is begun anew meanwhile."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from doubles import virtual_time

from companion.app.events import HushChanged, MuteChanged, Telling
from companion.app.quiet import Quiet, Wishes
from companion.voice.events import State, StateChanged

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Ears:
    def __init__(self) -> None:
        self.is_muted = False

    def mute(self, on: bool) -> None:
        self.is_muted = on


class Room:
    """Ears, wishes, and what was told of them. Its clock is the event loop's."""

    def __init__(self, wishes: Wishes | None = None) -> None:
        self.wishes = wishes or Wishes()
        self.telling, self.ears = Telling(), Ears()
        self.told: list[object] = []
        self.telling.subscribe(self.told.append)
        self.clock = asyncio.get_running_loop().time
        self.quiet = Quiet(self.wishes, self.telling, clock=self.clock, now=self.now)
        self.quiet.attend(self.ears)

    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.clock())


def test_ears_that_are_closed_for_a_while_open_by_themselves() -> None:
    async def scene() -> None:
        room = Room()
        began = room.now()
        room.quiet.mute(on=True, seconds=600)
        assert room.told == [MuteChanged(on=True, until=began + timedelta(seconds=600))]
        await asyncio.sleep(599)
        assert room.ears.is_muted
        assert room.quiet.seconds_left == pytest.approx(1)
        await asyncio.sleep(2)
        assert not room.ears.is_muted
        assert room.told[-1] == MuteChanged(on=False)

    virtual_time.run(scene())


def test_opening_them_by_hand_ends_the_while() -> None:
    async def scene() -> None:
        room = Room()
        room.quiet.mute(on=True, seconds=600)
        room.quiet.mute(on=None)
        assert not room.ears.is_muted
        room.quiet.mute(on=True)
        await asyncio.sleep(700)
        assert room.ears.is_muted, "until somebody opens them"

    virtual_time.run(scene())


def test_ears_of_a_conversation_begun_anew_are_as_closed_as_those_before() -> None:
    async def scene() -> None:
        room = Room()
        room.quiet.mute(on=True, seconds=600)
        room.quiet.attend(None)
        await asyncio.sleep(100)
        room.quiet.attend(fresh := Ears())
        assert fresh.is_muted
        await asyncio.sleep(501)
        assert not fresh.is_muted

    virtual_time.run(scene())


def test_wishes_outlive_the_engine() -> None:
    async def scene() -> None:
        first = Room()
        first.quiet.mute(on=True)
        first.quiet.hush(on=None)
        first.quiet.close()
        second = Room(first.wishes)
        assert second.ears.is_muted
        assert second.quiet.is_hushed
        assert second.told == [MuteChanged(on=True), HushChanged(on=True)]

    virtual_time.run(scene())


def test_a_while_that_is_over_when_the_next_ears_come_is_over() -> None:
    async def scene() -> None:
        room = Room()
        room.quiet.mute(on=True, seconds=60)
        room.quiet.attend(None)
        room.quiet.close()
        await asyncio.sleep(100)
        room.quiet.attend(fresh := Ears())
        assert not fresh.is_muted

    virtual_time.run(scene())


def test_ears_that_the_talk_key_has_opened_are_told_of() -> None:
    async def scene() -> None:
        room = Room()
        room.quiet.mute(on=True)
        room.ears.mute(on=False)
        room.telling.tell(StateChanged(State.LISTENING, "talk"))
        assert not room.quiet.is_muted
        assert room.told[-1] == MuteChanged(on=False)

    virtual_time.run(scene())
