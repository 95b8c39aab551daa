from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from num2words import num2words

from companion.talents.spoken.durations import duration_of, say_duration, say_roughly

SPOKEN = [
    ("ten minutes", 600), ("10 minutes", 600), ("an hour and a half", 5400), ("one and a half hours", 5400),
    ("90 seconds", 90), ("half an hour", 1800), ("half a minute", 30), ("a quarter of an hour", 900),
    ("three quarters of an hour", 2700), ("two hours and thirty minutes", 9000), ("1 hour 30 minutes", 5400),
    ("a minute and a half", 90), ("two and a half minutes", 150), ("3.5 minutes", 210),
    ("a couple of minutes", 120), ("two hours and a quarter", 8100), ("one day", 86_400), ("十分钟", 600),
    ("半小时", 1800), ("半个小时", 1800), ("一个半小时", 5400), ("一小时半", 5400), ("一小时三十分钟", 5400),
    ("两分半钟", 150), ("90秒", 90), ("一刻钟", 900), ("三刻钟", 2700), ("一个钟头", 3600),
    ("一小时零五分", 3900), ("两个钟", 7200),
]  # fmt: skip


@pytest.mark.parametrize(("said", "seconds"), SPOKEN)
def test_a_spoken_length_is_understood(said: str, seconds: int) -> None:
    assert duration_of(said) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "ten",
        "minutes",
        "and a half",
        "ten apples",
        "minus five minutes",
        "half",
        "two years",
        "分钟",
        "十",
        "5000 days",
    ],
)
def test_what_is_no_length_is_none(said: str) -> None:
    assert duration_of(said) is None


@given(st.integers(1, 200), st.sampled_from(["second", "minute", "hour", "day"]), st.booleans())
def test_any_count_of_any_unit_is_understood(count: int, unit: str, in_words: bool) -> None:
    said = f"{num2words(count) if in_words else count} {unit}{'s' if count > 1 else ''}"

    assert duration_of(said) == timedelta(**{f"{unit}s": count})


@given(st.timedeltas(min_value=timedelta(seconds=1), max_value=timedelta(days=300)), st.sampled_from(["en", "zh"]))
def test_what_is_said_is_understood_again(length: timedelta, language: str) -> None:
    seconds = timedelta(seconds=round(length.total_seconds()))

    assert duration_of(say_duration(seconds, language).replace(",", "")) == seconds


def test_nobody_needs_the_seconds_of_a_long_wait() -> None:
    assert say_roughly(timedelta(hours=1, seconds=20), "en") == "1 hour"
    assert say_roughly(timedelta(minutes=3, seconds=20), "en") == "3 minutes and 20 seconds"
    assert say_roughly(timedelta(days=2, hours=3, minutes=40), "zh") == "2天4小时"
