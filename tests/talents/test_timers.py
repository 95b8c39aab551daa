import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from doubles.said import BERLIN, MONDAY, SteppedClock, ask, request_for

from companion.errors import PluginError, StorageError
from companion.talents.timers import Due, Timers

Open = Callable[[], Timers]


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock()


@pytest.fixture
def reopen(tmp_path: Path, clock: SteppedClock) -> Open:
    """Opens the timers as after a restart."""
    return lambda: Timers(tmp_path / "timers.ndjson", clock(), steady=clock.steady)


async def say(timers: Timers, clock: SteppedClock, text: str, language: str = "en") -> str:
    return (await ask(timers, text, language, clock())).text


def told(timers: Timers, clock: SteppedClock) -> list[str]:
    return [due.text for due in timers.due(clock())]


SET = [
    ("Set a timer for ten minutes.", "en", "Timer set for 10 minutes."),
    ("Set a pasta timer for ten minutes.", "en", "Pasta timer set for 10 minutes."),
    ("设一个十分钟的计时器", "zh", "好的，10分钟后提醒您。"),
    ("Remind me at six to call Emma.", "en", "Okay, I will remind you at 6 PM: call Emma."),
    ("Remind me tomorrow at 8 am to wash my car.", "en", "Okay, I will remind you tomorrow at 8 AM: wash your car."),
    ("Remind me in ten minutes to turn off the oven.", "en", "Okay, I will remind you at 2:30 PM: turn off the oven."),
    ("提醒我六点给小明打电话", "zh", "好的，下午6点提醒您：给小明打电话。"),
    ("Wake me at seven.", "en", "Alarm set tomorrow at 7 AM."),
    ("明天早上七点叫我起床", "zh", "好的，闹钟设在明天上午7点。"),
    ("Set a timer.", "en", "For how long?"),
    ("Set a timer for zero seconds.", "en", "I can set a timer for up to 30 days."),
    ("Remind me today at noon to eat.", "en", "That time has already passed."),
    ("Remind me at 6:75 to eat.", "en", "Sorry, I did not catch the time."),
    ("Remind me to buy milk.", "en", "When shall I remind you? Say it all in one sentence."),
    ("Cancel the timer.", "en", "There is no such timer."),
    ("What timers do I have?", "en", "No timers are running."),
    ("How much time is left?", "en", "No timers are running."),
]  # fmt: skip


@pytest.mark.parametrize(("said", "language", "reply"), SET)
async def test_what_was_understood_is_said_back(
    reopen: Open, clock: SteppedClock, said: str, language: str, reply: str
) -> None:
    assert await say(reopen(), clock, said, language) == reply


async def test_a_timer_is_due_at_its_end_and_not_before(reopen: Open, clock: SteppedClock) -> None:
    timers = reopen()
    await say(timers, clock, "Set a pasta timer for ten minutes.")

    clock.step(minutes=9, seconds=59)
    assert told(timers, clock) == []
    clock.step(seconds=1)
    assert told(timers, clock) == ["Your pasta timer is done."]


async def test_a_running_timer_is_made_longer(reopen: Open, clock: SteppedClock) -> None:
    timers = reopen()
    await say(timers, clock, "Set a pasta timer for ten minutes.")
    clock.step(minutes=4)
    assert await say(timers, clock, "Add two minutes to the timer.") == "8 minutes left on the pasta timer."
    assert await say(timers, clock, "给计时器加一分钟", "zh") == "Pasta timer还剩9分钟。"

    timers = reopen()
    clock.step(minutes=8, seconds=59)
    assert told(timers, clock) == []
    clock.step(seconds=1)
    assert told(timers, clock) == ["Your pasta timer is done."]


async def test_only_what_is_known_and_not_too_long_is_made_longer(reopen: Open, clock: SteppedClock) -> None:
    timers = reopen()
    assert await say(timers, clock, "Add two minutes to the timer.") == "There is no such timer."
    await say(timers, clock, "Set a pasta timer for ten minutes.")
    await say(timers, clock, "Set an egg timer for five minutes.")
    assert (await say(timers, clock, "Add two minutes to my timer.")).startswith("Which one?")
    assert await say(timers, clock, "Extend the egg timer by 40 days.") == "I can set a timer for up to 30 days."
    assert await say(timers, clock, "Extend the egg timer by one minute.") == "6 minutes left on the egg timer."
    assert [timer.seconds for timer in timers.pending] == [360, 600]


async def test_it_stays_due_until_it_was_announced(reopen: Open, clock: SteppedClock) -> None:
    timers = reopen()
    await say(timers, clock, "Set a timer for ten minutes.")
    clock.step(minutes=10)

    (due,) = timers.due(clock())
    assert timers.due(clock()) == [due]
    await timers.acknowledge(due)
    assert timers.due(clock()) == []
    assert reopen().next_due() is None


async def test_timers_survive_a_restart(reopen: Open, clock: SteppedClock) -> None:
    await say(reopen(), clock, "Remind me at six to call Emma.")

    clock.step(hours=3, minutes=40)
    assert told(reopen(), clock) == ["A reminder: call Emma."]


async def test_what_was_missed_is_told_with_how_late_it_is(reopen: Open, clock: SteppedClock) -> None:
    timers = reopen()
    await say(timers, clock, "Set a timer for ten minutes.")
    await say(timers, clock, "Remind me at six to call Emma.")
    await say(timers, clock, "提醒我六点给小明打电话", "zh")

    clock.step(hours=6)
    assert told(reopen(), clock) == [
        "Your 10 minute timer was done 5 hours and 50 minutes ago.",
        "I missed a reminder at 6 PM, 2 hours and 20 minutes ago: call Emma.",
        "下午6点的提醒错过了，晚了2小时20分钟：给小明打电话。",
    ]


async def test_a_clock_that_jumps_does_not_end_a_running_timer(reopen: Open, clock: SteppedClock) -> None:
    timers = reopen()
    await say(timers, clock, "Set a timer for ten minutes.")
    await say(timers, clock, "Remind me in ten minutes to stir.")
    clock.step(minutes=1)

    clock.jump(days=3)
    assert told(timers, clock) == []
    clock.step(minutes=9)
    assert told(timers, clock) == ["Your 10 minute timer is done.", "A reminder: stir."]


async def test_a_clock_that_was_set_before_a_timer_does_not_move_it(reopen: Open, clock: SteppedClock) -> None:
    timers = reopen()
    clock.jump(days=300)

    await say(timers, clock, "Set a timer for ten minutes.")
    clock.step(minutes=10)

    assert told(timers, clock) == ["Your 10 minute timer is done."]


async def test_a_timer_that_moved_with_the_clock_is_there_after_a_kill(reopen: Open, clock: SteppedClock) -> None:
    timers = reopen()
    await say(timers, clock, "Set a timer for ten minutes.")
    clock.jump(days=300)
    assert told(timers, clock) == []
    await timers.keep_moved()

    again = reopen()
    assert told(again, clock) == []
    clock.step(minutes=10)
    assert told(again, clock) == ["Your 10 minute timer is done."]


async def test_a_timer_set_while_another_is_announced_is_not_forgotten_with_it(
    reopen: Open, clock: SteppedClock
) -> None:
    timers = reopen()
    await say(timers, clock, "Set a timer for one minute.")
    clock.step(minutes=1)
    (due,) = timers.due(clock())

    await say(timers, clock, "Cancel the timer.")
    await say(timers, clock, "Set a timer for ten minutes.")
    await timers.acknowledge(due)

    clock.step(minutes=10)
    assert told(timers, clock) == ["Your 10 minute timer is done."]


async def test_a_clock_set_back_does_not_hold_a_running_timer(reopen: Open, clock: SteppedClock) -> None:
    timers = reopen()
    await say(timers, clock, "Set a timer for ten minutes.")

    clock.jump(hours=-2)
    clock.step(minutes=10)
    assert told(timers, clock) == ["Your 10 minute timer is done."]


async def test_a_reminder_for_a_time_of_day_follows_the_clock(reopen: Open, clock: SteppedClock) -> None:
    timers = reopen()
    await say(timers, clock, "Remind me at six to call Emma.")

    clock.jump(hours=3, minutes=40)
    assert told(timers, clock) == ["A reminder: call Emma."]


async def test_a_machine_that_slept_tells_its_timers_late(reopen: Open, clock: SteppedClock) -> None:
    timers = reopen()
    await say(timers, clock, "Set a timer for ten minutes.")

    clock.step(hours=1)
    assert told(timers, clock) == ["Your 10 minute timer was done 50 minutes ago."]


async def test_a_reminder_keeps_its_time_over_the_change_of_the_clocks(reopen: Open, clock: SteppedClock) -> None:
    clock.now = datetime(2026, 10, 24, 20, 0, tzinfo=BERLIN)
    timers = reopen()
    await say(timers, clock, "Remind me tomorrow at 8 am to feed the cat.")

    assert timers.next_due() == datetime(2026, 10, 25, 7, 0, tzinfo=UTC)


async def test_a_file_that_cannot_be_read_is_kept_aside_and_told_of(
    reopen: Open, clock: SteppedClock, tmp_path: Path
) -> None:
    file = tmp_path / "timers.ndjson"
    file.write_bytes(b"\xff\x00 no timers")

    timers = reopen()

    assert timers.next_due() is None
    assert timers.trouble == "timers.ndjson line 1 cannot be read; the file is kept as timers.ndjson.broken"
    assert (tmp_path / "timers.ndjson.broken").read_bytes() == b"\xff\x00 no timers"
    assert await say(timers, clock, "Set a timer for ten minutes.") == "Timer set for 10 minutes."
    assert reopen().trouble == ""


@pytest.mark.parametrize("broken", ["{", "[]", "null", '{"id": 1}', '{"due": "soon"}', '{"due": 5}', "[" * 10_000])
async def test_a_broken_line_costs_that_line_only(
    reopen: Open, clock: SteppedClock, tmp_path: Path, broken: str
) -> None:
    await say(reopen(), clock, "Set a timer for ten minutes.")
    file = tmp_path / "timers.ndjson"
    file.write_text(broken + "\n" + file.read_text())

    timers = reopen()

    assert timers.trouble
    assert timers.next_due() == (MONDAY + timedelta(minutes=10)).astimezone(UTC)


@pytest.mark.parametrize(
    ("field", "value"), [("due", "0001-01-01T00:00:00+00:00"), ("seconds", 10**15), ("label", "\udcff")]
)
async def test_a_line_that_cannot_be_said_is_left_out(
    reopen: Open, clock: SteppedClock, tmp_path: Path, field: str, value: object
) -> None:
    await say(reopen(), clock, "Set a timer for ten minutes.")
    file = tmp_path / "timers.ndjson"
    file.write_text(json.dumps({**json.loads(file.read_text()), field: value}))

    timers = reopen()

    assert timers.trouble
    assert told(timers, clock) == []


@pytest.mark.parametrize("field", ["kind", "due", "language"])
async def test_a_line_that_lacks_a_field_is_left_out(
    reopen: Open, clock: SteppedClock, tmp_path: Path, field: str
) -> None:
    await say(reopen(), clock, "Set a timer for ten minutes.")
    file = tmp_path / "timers.ndjson"
    entry = json.loads(file.read_text())
    del entry[field]
    file.write_text(json.dumps(entry))

    assert reopen().next_due() is None


async def test_a_timer_that_cannot_be_kept_is_not_set(
    reopen: Open, clock: SteppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    timers = reopen()

    def full(file: Path, text: str) -> None:
        raise StorageError("no space", file=str(file))

    monkeypatch.setattr("companion.talents.timer_book.write_atomically", full)
    with pytest.raises(PluginError, match=r"Sorry, I could not save that\."):
        await timers.answer(request_for("Set a timer for ten minutes."))
    assert timers.next_due() is None


async def test_what_was_announced_is_not_told_again_when_the_disk_is_full(
    reopen: Open, clock: SteppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    timers = reopen()
    await say(timers, clock, "Set a timer for ten minutes.")
    clock.step(minutes=10)

    def full(file: Path, text: str) -> None:
        raise StorageError("no space", file=str(file))

    monkeypatch.setattr("companion.talents.timer_book.write_atomically", full)
    with pytest.raises(StorageError):
        await timers.acknowledge(*timers.due(clock()))
    assert timers.due(clock()) == []


async def test_timers_are_listed_and_cancelled_by_name_and_length(reopen: Open, clock: SteppedClock) -> None:
    timers = reopen()
    await say(timers, clock, "Set a pasta timer for ten minutes.")
    await say(timers, clock, "Set a timer for an hour.")
    clock.step(minutes=2)

    assert await say(timers, clock, "What timers do I have?") == (
        "You have a pasta timer with 8 minutes left and a 1 hour timer with 58 minutes left."
    )
    assert await say(timers, clock, "How much time is left on the pasta timer?") == "8 minutes left on the pasta timer."
    assert (await say(timers, clock, "Cancel the timer.")).startswith("Which one? You have a pasta timer")
    assert await say(timers, clock, "Cancel the egg timer.") == "There is no such timer."
    assert await say(timers, clock, "Cancel the one hour timer.") == "Timer cancelled."
    assert await say(timers, clock, "Cancel the timer.") == "Timer cancelled."
    assert timers.next_due() is None


async def test_reminders_are_listed_and_cancelled(reopen: Open, clock: SteppedClock) -> None:
    timers = reopen()
    await say(timers, clock, "Remind me at six to call my mom.")
    await say(timers, clock, "Remind me tomorrow to pay the rent.")

    assert await say(timers, clock, "What are my reminders?") == (
        "You have a reminder at 6 PM: call your mom and a reminder tomorrow at 9 AM: pay the rent."
    )
    assert await say(timers, clock, "Cancel the reminder to call my mom.") == "Reminder cancelled."
    assert await say(timers, clock, "Delete all my reminders.") == "All reminders cancelled."


async def test_all_of_a_kind_are_cancelled_and_no_other(reopen: Open, clock: SteppedClock) -> None:
    timers = reopen()
    await say(timers, clock, "Set a timer for ten minutes.")
    await say(timers, clock, "Set a timer for 20 minutes.")
    await say(timers, clock, "Wake me at seven.")

    assert await say(timers, clock, "Cancel all timers.") == "All timers cancelled."
    assert await say(timers, clock, "When is my alarm?") == "You have an alarm tomorrow at 7 AM."


async def test_their_number_is_bounded(reopen: Open, clock: SteppedClock) -> None:
    timers = reopen()
    for _ in range(50):
        await say(timers, clock, "Set a timer for ten minutes.")

    assert await say(timers, clock, "Set a timer for ten minutes.") == "I cannot keep more than 50 at once."


async def test_due_names_everything_a_loop_needs(reopen: Open, clock: SteppedClock) -> None:
    timers = reopen()
    await say(timers, clock, "设一个十分钟的计时器", "zh")
    clock.step(minutes=10)

    assert timers.due(clock()) == [Due(1, "10分钟的计时器时间到了。", "zh", timedelta())]
