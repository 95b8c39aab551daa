"""What may change while the companion runs is followed by everybody; the rest waits, and is said to."""

from __future__ import annotations

import asyncio

from companion.app.events import SettingsChanged, Telling
from companion.app.live import Live
from companion.settings.schema import Models, Settings, Sound


def live_one() -> tuple[Live, list[object]]:
    telling, told = Telling(), []
    telling.subscribe(told.append)
    return Live(Settings(), telling), told


async def test_followers_hear_what_held_before_and_what_holds_now() -> None:
    live, told = live_one()
    heard: list[tuple[float, float]] = []

    async def follow(before: Settings, now: Settings) -> None:
        heard.append((before.sound.volume, now.sound.volume))

    live.follow(follow)
    assert await live.adopt(Settings(sound=Sound(volume=0.5))) == ()
    assert heard == [(0.8, 0.5)]
    assert live.settings.sound.volume == 0.5
    assert told == [SettingsChanged(("sound.volume",), ())]


async def test_what_counts_from_the_next_start_waits_until_it_is_changed_back() -> None:
    live, told = live_one()
    assert await live.adopt(Settings(models=Models(speed=1.5))) == ("models.speed",)
    assert live.settings == Settings()
    assert await live.adopt(Settings()) == ()
    assert told[-1] == SettingsChanged((), ())


async def test_a_follower_that_fails_keeps_nobody_else_from_following() -> None:
    live, _ = live_one()
    heard: list[float] = []

    async def broken(before: Settings, now: Settings) -> None:
        raise RuntimeError("a fault of ours")

    async def follow(before: Settings, now: Settings) -> None:
        heard.append(now.sound.volume)

    live.follow(broken)
    live.follow(follow)
    await live.adopt(Settings(sound=Sound(volume=0.5)))
    await live.again()
    assert heard == [0.5, 0.5]


async def test_changes_at_the_same_moment_are_followed_one_after_the_other() -> None:
    live, _ = live_one()
    heard: list[float] = []

    async def slow(before: Settings, now: Settings) -> None:
        await asyncio.sleep(0)
        heard.append(now.sound.volume)

    live.follow(slow)
    await asyncio.gather(*(live.adopt(Settings(sound=Sound(volume=one))) for one in (0.1, 0.2, 0.3)))
    assert heard == [0.1, 0.2, 0.3]
    assert live.settings.sound.volume == 0.3
