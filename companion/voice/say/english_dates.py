"""English words for dates, years and times of day."""

from __future__ import annotations

import re

from companion.voice.say.english_numbers import cardinal, ordinal, plural, year
from companion.voice.say.rules import Rule

_MONTHS = (
    "January February March April May June July August September October November December".split()
)  # fmt: skip
_WEEKDAYS = {
    name[:3]: name for name in "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
}  # fmt: skip
MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_YEAR = r"(?:1[1-9]\d\d|20\d\d)"
_HALF = r"(?:[AaPp]\.?\s?[Mm]\b\.?)"


def _month_name(written: str) -> str:
    return next(name for name in _MONTHS if name.startswith(written[:3]))


def _date(month: int, day: int, in_year: str) -> str:
    words = f"{_MONTHS[month - 1]} {ordinal(day)}"
    return f"{words}, {year(_full_year(in_year))}" if in_year else words


def _full_year(written: str) -> int:
    short = int(written)
    return short + (2000 if short < 50 else 1900) if len(written) == 2 else short


def _is_date(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


def _year_first(match: re.Match[str]) -> str:
    month, day = int(match[3]), int(match[4])
    if not _is_date(month, day):
        return match[0]
    return _date(month, day, match[1]) + (" " if match[5] else "")


def _year_last(match: re.Match[str]) -> str:
    first, second = int(match[1]), int(match[3])
    # As in the United States, unless that is no date; with dots it is a European date.
    month, day = (second, first) if match[2] == "." or first > 12 else (first, second)
    return _date(month, day, match[4]) if _is_date(month, day) else match[0]


def _month_first(match: re.Match[str]) -> str:
    words = f"{_month_name(match[1])} {ordinal(int(match[2]))}"
    return f"{words}, {year(int(match[3]))}" if match[3] else words


def _day_first(match: re.Match[str]) -> str:
    words = f"{match[1] or 'the '}{ordinal(int(match[2]))} of {_month_name(match[3])}"
    return f"{words}, {year(int(match[4]))}" if match[4] else words


def _month_and_year(match: re.Match[str]) -> str:
    return f"{_month_name(match[1])} {year(int(match[2]))}"


def _years(match: re.Match[str]) -> str:
    until = int(match[2])
    return f"{year(int(match[1]))} to {year(until) if until > 99 else cardinal(until)}"


def _bare_year(match: re.Match[str]) -> str:
    """What stands alone is read as a year; "1850 people" is said so, too, but "1205 people" is not."""
    number = int(match[1])
    return cardinal(number) if number < 1900 and 0 < number % 100 < 10 else year(number)


def _month_and_day(match: re.Match[str]) -> str:
    month, day = int(match[2]), int(match[3])
    return f"{match[1]} {_date(month, day, '')}" if _is_date(month, day) else match[0]


def _decade(match: re.Match[str]) -> str:
    century, rest = match[1], int(match[2])
    return plural(year(int(century) * 100 + rest) if century else cardinal(rest))


def _time(match: re.Match[str]) -> str:
    hour, minute, second = int(match[1]), int(match[2]), int(match[3] or 0)
    if hour > 24 or minute > 59 or second > 59:
        return match[0]
    half = half_of_day(match, 4)
    words = _clock(hour, minute, half)
    if second:
        words += f" and {cardinal(second)} second{'' if second == 1 else 's'}"
    return words + (" UTC" if match[5] else "")


def _clock(hour: int, minute: int, half: str) -> str:
    if not half and minute == 0 and hour % 24 == 0:
        return "midnight"
    if not half and not 1 <= hour <= 12:
        half = " PM" if 12 < hour < 24 else " AM"
    words = cardinal(hour % 12 or 12)
    if minute:
        return f"{words} {'oh ' if minute < 10 else ''}{cardinal(minute)}{half}"
    return words + (half or " o'clock")


def _hour(match: re.Match[str]) -> str:
    hour = int(match[1])
    return f"{cardinal(hour)}{half_of_day(match, 2)}" if hour <= 24 else match[0]


def half_of_day(match: re.Match[str], group: int) -> str:
    """ " AM" or " PM", with the full stop that also ends the sentence."""
    written = match[group]
    if not written:
        return ""
    rest = match.string[match.end(group) :].lstrip()
    ends = written.endswith(".") and (not rest or rest[0].isupper())
    return f" {written[0].upper()}M{'.' if ends else ''}"


def _weekday(match: re.Match[str]) -> str:
    return _WEEKDAYS[match[1]]


DATES: tuple[Rule, ...] = (
    (re.compile(r"(?<![\d.,/-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d/-]|\.\d)(T(?=\d))?"), _year_first),
    (re.compile(r"(?<![\d.,/-])(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?![\d/-]|\.\d)"), _year_last),
    (re.compile(r"(?<![\d.,/-])(\d{1,2})(/)(\d{1,2})/(\d\d)(?![\d/-]|\.\d)"), _year_last),
    (
        re.compile(r"(?i:\b(on|by|until|till|since|before|after|due))\s(\d{1,2})/(\d{1,2})(?![\d/]|[.,]\d)"),
        _month_and_day,
    ),
    (re.compile(rf"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|nes|rs?)?\b\.?(?=,?\s+(?:{MONTH}|{_DAY}\b))"), _weekday),
    (
        re.compile(
            rf"\b({MONTH})\s+({_DAY})(?:st|nd|rd|th)?(?![\d%°]|[:.,]\d|\s?[ap]\.?m\b)(?:,?\s+({_YEAR})(?!\d|,\d|\.\d))?"
        ),
        _month_first,
    ),
    (
        re.compile(
            rf"(\b[Tt]he\s)?(?<![\d.,:/-])({_DAY})(?:st|nd|rd|th)?\s+(?:of\s+)?({MONTH})"
            rf"(?:,?\s+({_YEAR})(?!\d|,\d|\.\d))?"
        ),
        _day_first,
    ),
    (re.compile(rf"\b({MONTH}),?\s+({_YEAR})(?!\d|,\d|\.\d)"), _month_and_year),
)
"""Before times and amounts."""

TIMES: tuple[Rule, ...] = (
    (
        re.compile(rf"(:\d\d|\d|{_HALF})\s?[-–—]\s?(?=\d{{1,2}}:\d\d|\d{{1,2}}\s?[ap]\.?m\b)", re.IGNORECASE),
        lambda match: f"{match[1]} to ",
    ),
    (
        re.compile(
            rf"(?<![\d:.,])(\d{{1,2}}):(\d\d)(?::(\d\d)(?:\.\d{{1,9}})?)?(?![\d:])"
            rf"(?:\s?o['’]clock)?(?:\s?({_HALF}))?(Z\b)?"
        ),
        _time,
    ),
    (re.compile(r"(?<![\w.,])(1[1-9]|20)(\d0)['’]?s\b"), _decade),
    (re.compile(r"(?:(?<=\bthe )|(?<=early )|(?<=mid )|(?<=late )|['’])()([2-9]0)['’]?s\b"), _decade),
    (re.compile(rf"(?<![\d:.,])(\d{{1,2}})(?:\s?o['’]clock)?\s?({_HALF})"), _hour),
)

YEARS: tuple[Rule, ...] = (
    (re.compile(rf"(?<![\w.,$€£-])({_YEAR})\s?[-–—]\s?({_YEAR}|\d\d)(?![\w%°]|[.,]\d)"), _years),
    (
        re.compile(
            rf"(?i:\b(in|since|from|until|till|by|of|year|early|late|mid|circa|around|before|after|during)[\s-])"
            rf"({_YEAR})(?![\w%°]|[.,:/]\d)"
        ),
        lambda match: f"{match[1]} {year(int(match[2]))}",
    ),
    (
        re.compile(
            r"(?i:\b(in|year|since|until))\s(10[1-9]\d)(?=[.,;!?)](?!\d)|$|\s(?:and|AD|CE|was|were|when|by|at|after)\b)"
        ),
        lambda match: f"{match[1]} ten {cardinal(int(match[2][2:]))}",
    ),
    (re.compile(r"(?<![\w.,:/$€£^-])(1[1-9]\d[1-9]|1[1-9][1-9]0|1[1-9]00|20\d\d)(?![\w%°]|[.,:/-]\d)"), _bare_year),
)
"""After amounts, so that "2000 kg" is a weight."""
