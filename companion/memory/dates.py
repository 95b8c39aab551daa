"""Which days a question is about: "last week", "on Friday", "in May 2023", "three days ago", "上周五".

Questions to a memory look back, so what is left open is the latest that has passed: "in May" said in March is May of
last year. Days are counted in the zone of ``now``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

MOST_SPANS = 4

_MONTHS = "january february march april may june july august september october november december".split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_COUNTS |= {"eight": 8, "nine": 9, "ten": 10, "couple of": 2, "a couple of": 2, "a few": 3}
_HAN_DIGITS = "零一二三四五六七八九"
_HAN_WEEKDAYS = "一二三四五六日"


class Span(NamedTuple):
    """Days, the last one included."""

    first: date
    last: date

    def days_after(self, day: date) -> int:
        """How many days ``day`` lies behind the span: 0 within, below 0 before it."""
        if day > self.last:
            return (day - self.last).days
        return min(0, (day - self.first).days)


def spans_in(text: str, today: date) -> tuple[Span, ...]:
    """The spans ``text`` names, in the order of the kinds below; nothing where it names none."""
    lowered = text.casefold()
    found: dict[Span, None] = {}
    for pattern, reader in _READERS:
        for said in pattern.finditer(lowered):
            try:
                found |= dict.fromkeys(reader(said, today))
            except (ValueError, OverflowError):  # the 31st of February, the year 9999
                continue
        lowered = pattern.sub(" ", lowered)
    return tuple(found)[:MOST_SPANS]


def _one(day: date) -> Iterator[Span]:
    yield Span(day, day)


def _iso(said: re.Match[str], today: date) -> Iterator[Span]:
    yield from _one(date(int(said["year"]), int(said["month"]), int(said["day"])))


def _written(said: re.Match[str], today: date) -> Iterator[Span]:
    """A month, with a day, a year, both or neither."""
    named = said["name"]
    month = next(number for number, name in enumerate(_MONTHS, start=1) if name.startswith(named[:3]))
    year, day = said["year"], said["before"] or said["behind"]
    yield _of_month(month, int(day) if day else None, int(year) if year else None, today)


def _of_month(month: int, day: int | None, year: int | None, today: date) -> Span:
    if year is None:
        year = today.year if (month, day or 1) <= (today.month, today.day) else today.year - 1
    if day is not None:
        return Span(date(year, month, day), date(year, month, day))
    return Span(date(year, month, 1), _next_month(date(year, month, 1)) - timedelta(days=1))


def _next_month(first: date) -> date:
    return (first.replace(day=1) + timedelta(days=32)).replace(day=1)


def _year(said: re.Match[str], today: date) -> Iterator[Span]:
    yield _of_year(int(said["year"]))


def _of_year(year: int) -> Span:
    return Span(date(year, 1, 1), date(year, 12, 31))


def _season(said: re.Match[str], today: date) -> Iterator[Span]:
    month = _SEASONS[said["season"]]
    year = int(said["year"]) if said["year"] else today.year - ((month, 1) > (today.month, today.day))
    first = date(year, month, 1)
    yield Span(first, _next_month(_next_month(_next_month(first))) - timedelta(days=1))


def _near(said: re.Match[str], today: date) -> Iterator[Span]:
    """A word for one day."""
    back = {"yesterday": 1, "last night": 1, "day before yesterday": 2, "昨天": 1, "昨晚": 1, "前天": 2, "tomorrow": -1}
    yield from _one(today - timedelta(days=back.get(said["day"], 0)))


def _unit(said: re.Match[str], today: date) -> Iterator[Span]:
    """ "last week", "this month": a unit of the calendar."""
    back = 1 if said["which"] in {"last", "past", "previous", "上", "上个", "去"} else 0
    yield _calendar(said["unit"], back, today)


def _calendar(unit: str, back: int, today: date) -> Span:
    if unit in {"week", "周", "星期", "礼拜"}:
        monday = today - timedelta(days=today.weekday() + 7 * back)
        return Span(monday, monday + timedelta(days=6))
    if unit == "weekend":
        # On a Sunday "last weekend" is the one before.
        monday = today - timedelta(days=today.weekday() + 7 * back)
        return Span(monday + timedelta(days=5), monday + timedelta(days=6))
    if unit in {"month", "月"}:
        first = today.replace(day=1)
        for _ in range(back):
            first = (first - timedelta(days=1)).replace(day=1)
        return Span(first, _next_month(first) - timedelta(days=1))
    return _of_year(today.year - back)


def _weekday(said: re.Match[str], today: date) -> Iterator[Span]:
    """ "on Friday", "last Friday": the last one that has passed."""
    back = (today.weekday() - _WEEKDAYS.index(said["name"])) % 7
    yield from _one(today - timedelta(days=back or (7 if said["which"] else 0)))


def _han_weekday(said: re.Match[str], today: date) -> Iterator[Span]:
    day = _HAN_WEEKDAYS.index(said["name"].replace("天", "日"))
    weeks = 1 if said["which"] else 0
    named = today - timedelta(days=today.weekday() - day + 7 * weeks)
    yield from _one(named if weeks or named <= today else named - timedelta(days=7))


def _ago(said: re.Match[str], today: date) -> Iterator[Span]:
    """So long ago; the longer, the less exactly."""
    count, unit = _count(said["count"]), said["unit"]
    days = {"day": 1, "天": 1, "week": 7, "周": 7, "month": 30, "月": 30, "year": 365, "年": 365}
    length = days[unit] * count
    slack = 0 if days[unit] == 1 else days[unit] // 2
    middle = today - timedelta(days=length)
    yield Span(middle - timedelta(days=slack), middle + timedelta(days=slack))


def _count(said: str) -> int:
    if said.isdecimal():
        return int(said)
    return _COUNTS[said] if said in _COUNTS else _han_count(said)


def _han_count(said: str) -> int:
    """ "两", "十二", "二十五"."""
    tens, ten, ones = said.replace("两", "二").rpartition("十")
    if not ten:
        return _HAN_DIGITS.index(ones)
    return 10 * (_HAN_DIGITS.index(tens) if tens else 1) + (_HAN_DIGITS.index(ones) if ones else 0)


def _han_date(said: re.Match[str], today: date) -> Iterator[Span]:
    year = int(said["year"]) if said["year"] else today.year - 1 if said["last"] else None
    yield _of_month(_count(said["month"]), _count(said["day"]) if said["day"] else None, year, today)


def _han_year(said: re.Match[str], today: date) -> Iterator[Span]:
    yield _of_year(today.year - {"今": 0, "去": 1, "前": 2}[said["which"]])


_MONTH = (
    r"(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_ORDINAL = r"(?:st|nd|rd|th)?"
# "May I", "the march": some months are a time only beside a day or behind a word that leads to a time.
_BEFORE_MONTH = (
    rf"(?:\b(?P<before>\d{{1,2}}){_ORDINAL}(?: of)? |\b(?:in|of|since|during|last|early|late|by) |"
    r"\b(?!(?:may|mar|march|sept?|dec|jan)\b)|(?=(?:may|march) \d))\b"
)
_BEHIND_MONTH = rf"\b\.?(?: (?:the )?(?P<behind>\d{{1,2}}){_ORDINAL}\b)?(?:,? ?(?P<year>\d{{4}})\b)?"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
_COUNT = r"(?P<count>\d{1,3}|(?:a )?couple of|a few|an?|one|two|three|four|five|six|seven|eight|nine|ten)"
_HAN_COUNT = r"\d{1,2}|[一二三]?十[一二三四五六七八九]?|[一二两三四五六七八九]"
_HAN_MONTH = rf"(?P<month>{_HAN_COUNT})月(?:份|(?P<day>{_HAN_COUNT})[日号])?"

_Reader = Callable[[re.Match[str], date], Iterator[Span]]
_READERS: tuple[tuple[re.Pattern[str], _Reader], ...] = tuple(
    (re.compile(pattern), reader)
    for pattern, reader in (
        (r"\b(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})\b", _iso),
        (_BEFORE_MONTH + _MONTH + _BEHIND_MONTH, _written),
        (rf"\b(?:last|this|in|during|of) (?:the )?{_SEASON}(?: (?:of )?(?P<year>\d{{4}}))?\b", _season),
        (r"\b(?:in|of|during|since|year) (?P<year>(?:19|20)\d{2})\b", _year),
        (r"(?P<day>day before yesterday|yesterday|last night|昨天|昨晚|前天)", _near),
        (r"(?P<day>\b(?:today|tonight|this (?:morning|afternoon|evening))\b|今天|今早|今晚)", _near),
        (rf"\b{_COUNT} (?P<unit>day|week|month|year)s? ago\b", _ago),
        (r"\b(?P<which>last|past|previous|this) (?P<unit>weekend|week|month|year)\b", _unit),
        (rf"\b(?:(?P<which>last) |on |this )?(?P<name>{'|'.join(_WEEKDAYS)})\b", _weekday),
        (r"(?P<which>上)?个?(?:周|星期|礼拜)(?P<name>[一二三四五六日天])", _han_weekday),
        (rf"(?P<count>{_HAN_COUNT})个?(?P<unit>天|周|月|年)(?:以|之)?前", _ago),
        (rf"(?:(?P<year>\d{{4}})年|(?P<last>去)年)?{_HAN_MONTH}", _han_date),
        (r"(?P<year>(?:19|20)\d{2})年", _year),
        (r"(?P<which>上|这)个?(?P<unit>周|星期|礼拜|月)", _unit),
        (r"(?P<which>今|去|前)年", _han_year),
    )
)
