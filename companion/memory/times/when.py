"""What a spoken time means: a stretch from its beginning to its end, seen from when it was said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from re import Match, Pattern


@dataclass(frozen=True, slots=True)
class When:
    """A stretch of time, with its zone. has_hour: that an hour of the day was said. said: the words for it."""

    start: datetime
    end: datetime
    said: str
    has_hour: bool = False
    at: tuple[int, int] = (0, 0)
    """Where in the text these words are."""


Resolver = Callable[[Match[str], datetime, bool], tuple[datetime, datetime] | None]
Rule = tuple[Pattern[str], Resolver]

Hour = Callable[[str], tuple[int, int, int, int] | None]
"""The hour and minute in a text, and where they are."""


def midnight(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def one_day(day: datetime) -> tuple[datetime, datetime]:
    return midnight(day), midnight(day) + timedelta(days=1)


def in_days(at: datetime, days: int) -> tuple[datetime, datetime]:
    return one_day(at + timedelta(days=days))


def months(at: datetime, count: int) -> tuple[datetime, datetime]:
    """The whole month that is ``count`` months away."""
    number = at.year * 12 + at.month - 1 + count
    return first_of(at, number), first_of(at, number + 1)


def first_of(at: datetime, number: int) -> datetime:
    """The first of a month, counted from the year zero."""
    return midnight(at).replace(year=number // 12, month=number % 12 + 1, day=1)


def whole_year(at: datetime, year: int) -> tuple[datetime, datetime] | None:
    if not 1900 <= year <= 2200:
        return None
    start = midnight(at).replace(year=year, month=1, day=1)
    return start, start.replace(year=year + 1)


def a_day(
    at: datetime, *, year: int | None, month: int | None, day: int, past: bool
) -> tuple[datetime, datetime] | None:
    """A day of a month; without a year or a month the next one, or the last one (``past``)."""
    here = midnight(at)
    for step in range(13 if month is None else 5):
        count = -step if past else step
        if month is None:
            number = here.year * 12 + here.month - 1 + count
            wanted = (number // 12, number % 12 + 1)
        else:
            wanted = (year if year is not None else here.year + count, month)
        try:
            found = here.replace(year=wanted[0], month=wanted[1], day=day)
        except ValueError:
            if year is not None:
                return None
            continue
        if year is not None or (found <= here if past else found >= here):
            return one_day(found)
    return None


def a_month(at: datetime, month: int, *, past: bool, year: int | None = None) -> tuple[datetime, datetime]:
    """The next month of that name, or the last."""
    if year is None:
        year = at.year - (month > at.month) if past else at.year + (month < at.month)
    number = year * 12 + month - 1
    return first_of(at, number), first_of(at, number + 1)


def a_weekday(at: datetime, day: int, *, past: bool, weeks: int = 0) -> tuple[datetime, datetime]:
    """The next day of that name after today, or the last before; ``weeks`` further on."""
    ahead = (day - at.weekday() - 1) % 7 + 1
    return in_days(at, (ahead - 7 if past else ahead) + 7 * weeks)


def a_weekday_of(at: datetime, day: int, weeks: int) -> tuple[datetime, datetime]:
    """That day of the week that begins on a Monday, ``weeks`` away."""
    return in_days(at, day - at.weekday() + 7 * weeks)


def found(text: str, at: datetime, rules: tuple[Rule, ...], hour: Hour, *, past: bool) -> When | None:
    """The first rule that fits says which day; an hour beside it narrows it."""
    for pattern, resolve in rules:
        match = pattern.search(text)
        if match is None:
            continue
        days = resolve(match, at, past)
        if days is not None:
            return _with_hour(When(days[0], days[1], match[0].strip(), at=match.span()), text, hour)
    return None


def every(text: str, at: datetime, rules: tuple[Rule, ...], *, past: bool) -> Iterator[When]:
    """All the days a text tells, by the order of the rules; what one rule has read no later one reads again."""
    for pattern, resolve in rules:
        for match in list(pattern.finditer(text)):
            try:
                days = resolve(match, at, past)
            except (ValueError, OverflowError):  # the year 9999, and days before the first
                days = None
            if days is not None:
                yield When(days[0], days[1], match[0].strip(), at=match.span())
        text = pattern.sub(lambda match: " " * len(match[0]), text)


def _with_hour(when: When, text: str, hour: Hour) -> When:
    told = hour(text) if when.end - when.start <= timedelta(days=1) else None
    if told is None:
        return when
    start = when.start.replace(hour=told[0], minute=told[1])
    span = (min(when.at[0], told[2]), max(when.at[1], told[3]))
    return When(start, start + timedelta(hours=1), text[span[0] : span[1]].strip(), has_hour=True, at=span)
