"""The talk key follows the settings, is asked for again when it was lost, and is never more than a problem."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from doubles import virtual_time

from companion.app.events import Problem, Solved, Telling
from companion.app.talk_key.combination import Combination
from companion.app.talk_key.hand import Hand
from companion.app.talk_key.talk_key import TOPIC, TalkKey, Way, way_of
from companion.errors import ControlError, SetupError
from companion.settings.schema import Desktop, Settings


class Keys:
    """A desktop that lends one key at a time. fails: how often it says no first."""

    def __init__(self, fails: int = 0) -> None:
        self.held: list[str] = []
        self.asked = 0
        self._fails = fails

    async def watch(self, keys: Combination, hand: Hand, on_bound: Callable[[str], None]) -> None:
        self.asked += 1
        if self.asked <= self._fails:
            raise ControlError("the desktop has no key to talk for us", mend="Bind one yourself.")
        self.held.append(str(keys))
        on_bound(f"Press {keys}")
        try:
            await asyncio.Event().wait()
        finally:
            self.held.remove(str(keys))


def talk_key(keys: Keys) -> tuple[TalkKey, list[object]]:
    telling, told = Telling(), list[object]()
    telling.subscribe(told.append)
    return TalkKey(Way("portal", keys.watch), Hand(lambda: None, lambda: 0.0), telling), told


def with_key(written: str) -> Settings:
    return Settings(desktop=Desktop(talk_key=written))


async def test_it_follows_the_settings_and_holds_one_key_at_a_time() -> None:
    keys = Keys()
    key, _ = talk_key(keys)
    key.begin("")
    for written in ("ctrl+alt+space", "f9", "f9", ""):
        await key.follow(with_key("pause" if written else "f9"), with_key(written))
        await asyncio.sleep(0)
        assert keys.held == ([written] if written else [])
        assert key.bound == (f"Press {written}" if written else "")
    await key.close()
    assert keys.held == []


def test_a_key_that_was_lost_is_told_and_asked_for_again() -> None:
    async def scene() -> None:
        keys = Keys(fails=2)
        key, told = talk_key(keys)
        key.begin("f9")
        await asyncio.sleep(1)
        assert [type(event) for event in told] == [Problem]
        assert key.problem
        await asyncio.sleep(200)
        assert keys.held == ["f9"]
        assert told[-1] == Solved(TOPIC)
        assert not key.problem
        await key.close()
        await key.close()

    virtual_time.run(scene())


def test_a_user_who_said_no_is_not_asked_again() -> None:
    async def scene() -> None:
        asked = list[str]()

        async def refuse(keys: Combination, hand: Hand, on_bound: Callable[[str], None]) -> None:
            asked.append(str(keys))
            raise SetupError("no", mend="Allow it.")

        telling, told = Telling(), list[object]()
        telling.subscribe(told.append)
        key = TalkKey(Way("portal", refuse), Hand(lambda: None, lambda: 0.0), telling)
        key.begin("f9")
        await asyncio.sleep(1000)
        assert asked == ["f9"]
        assert told == [Problem(TOPIC, "no", "Allow it.")]
        await key.follow(with_key("f9"), with_key("f8"))
        await asyncio.sleep(1)
        assert asked == ["f9", "f8"], "for other keys he is"
        await key.close()

    virtual_time.run(scene())


async def test_a_key_that_is_held_while_others_are_chosen_is_let_go() -> None:
    let_go = list[str]()

    class Fingers(Hand):
        def let_go(self) -> None:
            let_go.append("up")

    key = TalkKey(Way("portal", Keys().watch), Fingers(lambda: None, lambda: 0.0), Telling())
    key.begin("f9")
    await asyncio.sleep(0)
    await key.follow(with_key("f9"), with_key(""))
    await key.close()

    assert let_go == ["up"]


async def test_keys_that_are_none_are_a_problem_with_its_mend() -> None:
    key, told = talk_key(Keys())
    key.begin("space")

    assert [event.topic for event in told if isinstance(event, Problem) and event.mend] == [TOPIC]
    await key.close()


@pytest.mark.parametrize(
    ("platform", "environment", "name"),
    [
        ("linux", {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "portal"),
        ("linux", {"DISPLAY": ":0"}, "keyboard"),
        ("linux", {}, ""),
        ("darwin", {}, "keyboard"),
        ("win32", {}, "keyboard"),
    ],
)
def test_every_desktop_has_its_way_and_a_machine_without_one_has_none(
    platform: str, environment: dict[str, str], name: str
) -> None:
    way = way_of(platform, environment)

    assert (way.name if way else "") == name


async def test_a_machine_without_a_desktop_has_no_key_and_no_trouble() -> None:
    telling, told = Telling(), list[object]()
    telling.subscribe(told.append)
    key = TalkKey(None, Hand(lambda: None, lambda: 0.0), telling)
    key.begin("f9")

    assert (key.way, key.bound, told) == ("", "", [])
    await key.close()
