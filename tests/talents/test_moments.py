"""Moments, said on Monday, November 30, 2026, at 2:20 PM in Berlin unless a test says otherwise."""

from datetime import UTC, datetime, timedelta

import pytest
from doubles.rules import matcher
from doubles.said import BERLIN, MONDAY
from hypothesis import given
from hypothesis import strategies as st

from companion.talents.spoken.moments import moment_of, say_moment, say_time

SPOKEN = [
    ("at half pass 4", "30 16:30"), ("quarter two seven", "30 18:45"), ("at twenty two oclock", "30 22:00"),
    ("at six", "30 18:00"), ("at 6 am", "01 06:00"), ("at 6 pm", "30 18:00"), ("at 6:30", "30 18:30"),
    ("six thirty", "30 18:30"), ("half past six", "30 18:30"), ("at quarter to seven", "30 18:45"),
    ("ten past three", "30 15:10"), ("at noon", "01 12:00"), ("midnight", "01 00:00"),
    ("at 6 oclock", "30 18:00"), ("6 in the morning", "01 06:00"), ("tomorrow at 8 am", "01 08:00"),
    ("at 8 am tomorrow", "01 08:00"), ("tomorrow", "01 09:00"), ("tomorrow morning", "01 09:00"),
    ("tonight at nine", "30 21:00"), ("tonight", "30 21:00"), ("at midnight tonight", "01 00:00"),
    ("this evening", "30 19:00"), ("on tuesday at nine", "01 09:00"), ("on monday", "07 09:00"),
    ("next monday at noon", "07 12:00"), ("friday evening at 8", "04 20:00"), ("in ten minutes", "30 14:30"),
    ("in an hour and a half", "30 15:50"), ("ten minutes from now", "30 14:30"), ("at 1830", "30 18:30"),
    ("730 pm", "30 19:30"), ("six oh five", "30 18:05"), ("at twenty five to eight pm", "30 19:35"),
    ("tomorrow at six", "01 18:00"), ("at two", "01 02:00"), ("at three", "30 15:00"),
    ("the day after tomorrow at 7", "02 07:00"), ("today at 1 pm", "30 13:00"), ("at 2 at night", "01 02:00"),
    ("六点", "30 18:00"), ("六点半", "30 18:30"), ("六点一刻", "30 18:15"), ("下午三点", "30 15:00"),
    ("明天早上八点", "01 08:00"), ("后天", "02 09:00"), ("今晚八点", "30 20:00"), ("十分钟后", "30 14:30"),
    ("一个半小时之后", "30 15:50"), ("星期二上午九点", "01 09:00"), ("下周一", "07 09:00"), ("中午", "01 12:00"),
    ("6点30分", "30 18:30"), ("18:30", "30 18:30"), ("晚上十一点", "30 23:00"), ("中午一点", "01 13:00"),
    ("on the 5th", "05 09:00"), ("december 24th at 6 pm", "24 18:00"),
    ("at 6 pm on the twenty fourth of december", "24 18:00"),
    ("on 24 december", "24 09:00"), ("november 30 at 3 pm", "30 15:00"), ("on the second", "02 09:00"),
    ("december second in the evening", "02 19:00"),
    ("on the thirty first", "31 09:00"), ("december twelve", "12 09:00"),
    ("12月24号", "24 09:00"), ("十二月二十四日下午五点", "24 17:00"),
    ("5号早上八点", "05 08:00"), ("三十一号", "31 09:00"),
    ("凌晨两点", "01 02:00"), ("三点二十", "30 15:20"), ("零点", "01 00:00"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "moment"), SPOKEN)
def test_a_spoken_moment_is_understood(said: str, moment: str) -> None:
    found = moment_of(said, MONDAY)

    assert found is not None
    assert found.strftime("%d %H:%M") == moment
    assert found.tzinfo is BERLIN


@pytest.mark.parametrize(
    "said",
    [
        "",
        "at",
        "at 25",
        "at 6:75",
        "20 past",
        "apple",
        "at six apples",
        "in ten apples",
        "二十五点",
        "在",
        "february 30th",
        "on the 32nd",
        "december",
        "13月1号",
        "32号",
    ],
)
def test_what_is_no_moment_is_none(said: str) -> None:
    assert moment_of(said, MONDAY) is None


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("on the 20th of next month", "2026-12-20"),
        ("下个月20号", "2026-12-20"),
        ("november 29th", "2027-11-29"),
        ("january first at noon", "2027-01-01"),
        ("on the thirty first", "2026-12-31"),
        ("1月1号", "2027-01-01"),
        ("march 3", "2027-03-03"),
    ],
)
def test_a_date_is_the_next_that_comes(said: str, day: str) -> None:
    found = moment_of(said, MONDAY)

    assert found is not None
    assert found.date().isoformat() == day


def test_a_day_that_does_not_come_within_a_year_is_none() -> None:
    assert moment_of("february 29th", MONDAY) is None
    assert moment_of("on the 31st of next month", MONDAY.replace(month=1, day=5)) is None


def test_an_open_hour_is_the_next_that_comes() -> None:
    evening = MONDAY.replace(hour=19)

    assert moment_of("at six", evening) == datetime(2026, 12, 1, 6, tzinfo=BERLIN)


def test_an_alarm_rings_in_the_morning() -> None:
    assert moment_of("at seven", MONDAY, alarm=True) == datetime(2026, 12, 1, 7, tzinfo=BERLIN)
    assert moment_of("at seven pm", MONDAY, alarm=True) == datetime(2026, 11, 30, 19, tzinfo=BERLIN)


def test_elapsed_time_does_not_count_the_change_of_the_clocks() -> None:
    before = datetime(2026, 3, 29, 1, 30, tzinfo=BERLIN)

    after = moment_of("in one hour", before)

    assert after is not None
    assert after.strftime("%H:%M") == "03:30"
    assert after.astimezone(UTC) - before.astimezone(UTC) == timedelta(hours=1)


def test_a_time_of_day_stays_so_over_the_change_of_the_clocks() -> None:
    before = datetime(2026, 10, 24, 20, 0, tzinfo=BERLIN)

    after = moment_of("tomorrow at 8 am", before)

    assert after is not None
    assert after.strftime("%d %H:%M") == "25 08:00"
    assert after.astimezone(UTC) - before.astimezone(UTC) == timedelta(hours=13)


def test_in_the_hour_that_comes_twice_the_next_moment_is_ahead() -> None:
    second_half_past_two = datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN, fold=1)

    found = moment_of("at 2:45", second_half_past_two)

    assert found is not None
    assert found.astimezone(UTC) > second_half_past_two.astimezone(UTC)


def test_times_and_days_are_said_as_people_do() -> None:
    said = [say_moment(MONDAY + timedelta(days=days), MONDAY, "en") for days in (0, 1, 3, 9)]

    assert said == [
        "at 2:20 PM",
        "tomorrow at 2:20 PM",
        "on Thursday at 2:20 PM",
        "on Wednesday, December 9 at 2:20 PM",
    ]
    assert say_moment(MONDAY + timedelta(days=1), MONDAY, "zh") == "明天下午2点20分"
    assert [say_time(MONDAY.replace(hour=hour, minute=0), "en") for hour in (0, 6, 12, 18)] == [
        "midnight",
        "6 AM",
        "noon",
        "6 PM",
    ]


moments = st.integers(0, 2 * 365 * 24 * 60).map(lambda minutes: MONDAY + timedelta(minutes=minutes))
words = st.sampled_from(
    "am pm at in on by the this next six 6 6:30 noon midnight half quarter past to tomorrow tonight monday "
    "morning night ten minutes evening oclock from now hours and".split(" ")
)


@given(moments, st.integers(1, 12), st.integers(0, 59), st.sampled_from(["am", "pm", ""]), st.booleans())
def test_every_time_of_day_is_found_within_a_day(now: datetime, hour: int, minute: int, half: str, alarm: bool) -> None:
    found = moment_of(f"at {hour}:{minute:02} {half}".strip(), now, alarm=alarm)

    assert found is not None
    wait = found.astimezone(UTC) - now.astimezone(UTC)
    assert timedelta() < wait <= timedelta(days=1, hours=1)
    # In the hour that the clocks skip, the wall shows another time.
    shown = found.astimezone(UTC).astimezone(BERLIN)
    assert (shown.hour % 12, shown.minute) == (hour % 12, minute) or shown.month == 3


@given(moments, st.lists(words, max_size=7).map(" ".join))
def test_no_words_break_it(now: datetime, said: str) -> None:
    moment_of(said, now)


@pytest.mark.parametrize("when", [said for said, _ in SPOKEN if said.isascii()])
def test_the_rules_let_through_what_the_talent_understands(when: str) -> None:
    match = matcher("en").match(f"set an alarm for {when.removeprefix('at ')}")

    assert match is not None
    assert moment_of(match.slots["when"], MONDAY) is not None
