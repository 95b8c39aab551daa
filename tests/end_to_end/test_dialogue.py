"""Spoken questions through a virtual sound card to a running companion, and what its loudspeaker says.

The tests share one companion, as a household does; each begins when it is asleep.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, time, timedelta, timezone
from pathlib import Path

import psutil
import pytest
from end_to_end.stage import Stage, now, on_stage
from end_to_end.voices import Listener, Speech, likeness, plain

from companion.app.orders import Shutdown
from companion.talents.spoken.moments import say_time

SETTINGS = """
[wake]
follow_up = 2.5
"""
CLEAR_TIME = time(10, 30)
"""When its day begins here: the listener writes down many other times (6:14) as it likes."""
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@pytest.fixture(scope="module")
def household(
    loop: asyncio.Runner, shelf_folder: Path, listener: Listener, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stage]:
    home = tmp_path_factory.mktemp("home")
    stack = AsyncExitStack()
    zone = zone_where_it_is(CLEAR_TIME)
    try:
        living = on_stage(home, shelf_folder, listener, settings=SETTINGS, TZ=posix(zone))
        yield loop.run(stack.enter_async_context(living))
    finally:
        loop.run(stack.aclose())


@pytest.fixture
def stage(household: Stage, loop: asyncio.Runner) -> Stage:
    """The household, asleep."""
    loop.run(household.hush())
    return household


async def test_the_time_is_asked_for_and_heard(stage: Stage, speech: Speech) -> None:
    told = await stage.ask(speech.call("what time is it?"))

    assert plain(told.heard) == "what time is it"
    assert told.said in {f"It's {say_time(moment, 'en')}." for moment in minutes_from(CLEAR_TIME)}
    assert digits(told.sounded) == digits(told.said)
    assert [(kept["role"], kept["text"]) for kept in stage.companion.history()[-2:]] == [
        ("user", told.heard),
        ("assistant", told.said),
    ]


async def test_more_may_be_asked_without_the_wake_word_until_it_sleeps(stage: Stage, speech: Speech) -> None:
    first = await stage.ask(speech.call("what is nine times seven?"))
    assert "sixty three" in plain(first.said)
    assert "sixty three" in plain(first.sounded)

    then = await stage.ask(speech.say("And what day is it tomorrow?"))
    assert "tomorrow" in then.heard.lower()
    (weekday,) = [day for day in WEEKDAYS if day in plain(then.said)]
    assert weekday in plain(then.sounded)

    mark = stage.companion.mark
    await stage.settle(within=10)
    await stage.say(speech.say("What is three plus four?"))
    await asyncio.sleep(2)
    assert stage.companion.heard(mark) == []
    assert await stage.phase() == "asleep"


async def test_a_timer_rings(stage: Stage, speech: Speech) -> None:
    began = now()
    told = await stage.ask(speech.call("set a timer for three seconds."))
    assert plain(told.said) == "timer set for three seconds"
    assert likeness(told.sounded, told.said) >= 0.8

    rung = await stage.reply(stage.companion.mark, now(), within=15)
    assert plain(rung.said) == "your three second timer is done"
    assert likeness(rung.sounded, "timer is done") == 1.0
    assert rung.first_sound is not None
    assert rung.first_sound - began > 3


async def test_nothing_that_was_said_is_in_the_log(stage: Stage, speech: Speech) -> None:
    told = await stage.ask(speech.call("what is nine times seven?"))
    log = without_figures(stage.companion.paths.log_file.read_text())
    assert log
    for words in (told.heard, told.said, "nine times seven", "sixty three"):
        assert without_figures(words) not in log


async def test_an_order_ends_it_and_nothing_is_left(stage: Stage) -> None:
    family = psutil.Process(stage.companion.pid).children(recursive=True)
    began = now()
    await stage.order(Shutdown())
    assert await stage.companion.ended() == 0
    assert now() - began < 5
    assert [child for child in family if child.is_running()] == []
    assert not stage.companion.paths.control_socket.exists()
    assert "Traceback" not in stage.companion.shown()
    assert " ERROR " not in stage.companion.paths.log_file.read_text()


def zone_where_it_is(clock: time) -> timezone:
    """A time zone whose clocks show ``clock`` now."""
    now = datetime.now(UTC)
    there = datetime.combine(now, clock, UTC)
    return timezone(timedelta(seconds=int((there - now).total_seconds())))


def posix(zone: timezone) -> str:
    """The zone as a TZ variable has it, west of Greenwich positive (POSIX.1-2017, section 8.3)."""
    west = -int(zone.utcoffset(None).total_seconds())
    hours, seconds = divmod(abs(west), 3600)
    return f"TST{'-' if west < 0 else ''}{hours}:{seconds // 60:02}:{seconds % 60:02}"


def minutes_from(clock: time) -> list[datetime]:
    """The minutes in which a question at the beginning of the tests is answered."""
    begin = datetime.combine(datetime.now(UTC), clock, UTC)
    return [begin + timedelta(minutes=late) for late in range(3)]


def without_figures(text: str) -> str:
    """The words alone: a log is full of figures, and those of its clock may be anybody's."""
    return plain(re.sub(r"\d+", " ", text))


def digits(text: str) -> str:
    """The figures of a time, however they are written: "10:30 AM", "10.30am"."""
    return "".join(re.findall(r"\d", text))
