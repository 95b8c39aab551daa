"""English times: "on friday", "a week on wednesday", "the twentieth at quarter past nine", "two years ago"."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from re import Match

from companion.memory.times import numbers
from companion.memory.times.numbers import CARDINAL, ORDINAL, SHORT_YEAR, YEAR
from companion.memory.times.when import (
    Rule,
    When,
    a_day,
    a_month,
    a_weekday,
    found,
    in_days,
    midnight,
    months,
    whole_year,
)

_MONTHS = (
    "january february march april may june july august september october november december "
    "jan feb mar apr may jun jul aug sept oct nov dec"
).split()
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTH = rf"(?P<month>{'|'.join(dict.fromkeys(_MONTHS))})"
_DAY = rf"(?P<day>{'|'.join(_DAYS)})"
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_SPANS = {"day": 1, "week": 7, "fortnight": 14}
_A_NUMBER = rf"(?P<count>a|an|a couple of|a few|{CARDINAL})"
_COUNTS = {"a": 1, "an": 1, "a couple of": 2, "a few": 3}
_OF_DAY = r"(?: (?:morning|afternoon|evening|night|lunchtime))?"

Span = tuple[datetime, datetime]


def _month(match: Match[str]) -> int:
    return _MONTHS.index(match["month"]) % 12 + 1


def _count(match: Match[str]) -> int:
    return _COUNTS.get(match["count"]) or numbers.english(match["count"]) or 0


def _near(match: Match[str], at: datetime, past: bool) -> Span:
    days = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "last night": -1}
    word = match[1]
    return in_days(at, days.get(word, 2 if "after" in word else -2))


def _weekday(match: Match[str], at: datetime, past: bool) -> Span:
    told = (match["which"] or "").strip()
    later = 1 if match["week"] or told.endswith("week on") else 0
    day = _DAYS.index(match["day"])
    if told == "next" and not later:
        # "Next" is the day of the week to come, as most say it; on a Sunday both readings are the same.
        return in_days(at, day - at.weekday() + 7)
    if told == "last" and day == at.weekday():
        return in_days(at, -7)
    return a_weekday(at, day, past=told == "last" or (past and told != "this coming"), weeks=later)


def _in_weeks_on(match: Match[str], at: datetime, past: bool) -> Span:
    return in_days(at, _DAYS.index(match["day"]) - at.weekday() + 7 * _count(match))


def _dated(match: Match[str], at: datetime, past: bool) -> Span | None:
    day = numbers.nth(match["nth"]) or numbers.english(match["nth"])
    told = match["year"]
    year = numbers.year(told) if told else None
    return a_day(at, year=year, month=_month(match), day=day or 0, past=past) if day and day < 32 else None


def _day_of_month(match: Match[str], at: datetime, past: bool) -> Span | None:
    day = numbers.nth(match["nth"])
    return a_day(at, year=None, month=None, day=day, past=past) if day and day < 32 else None


def _whole_month(match: Match[str], at: datetime, past: bool) -> Span:
    told = match["year"]
    which = match["which"]
    return a_month(
        at, _month(match), past=which == "last" or (past and which != "next"), year=numbers.year(told) if told else None
    )


def _away(match: Match[str], at: datetime, past: bool) -> Span | None:
    count, unit = _count(match), match["unit"]
    ago = bool(match["ago"]) or match["lead"] in ("since", "for", "these")
    count = -count if ago or past else count
    if unit == "year":
        return whole_year(at, at.year + count)
    if unit == "month":
        return months(at, count)
    return in_days(at, count * _SPANS[unit])


def _calendar(match: Match[str], at: datetime, past: bool) -> Span | None:
    step = {"this": 0, "next": 1, "last": -1}[match["which"]]
    unit = match["unit"]
    if unit == "year":
        return whole_year(at, at.year + step)
    if unit == "month":
        return months(at, step)
    if unit == "week":
        start = midnight(at) - timedelta(days=at.weekday()) + timedelta(weeks=step)
        return start, start + timedelta(days=7)
    start = midnight(at) - timedelta(days=at.weekday() - 5) + timedelta(weeks=step)
    return start, start + timedelta(days=2)


def _season(match: Match[str], at: datetime, past: bool) -> Span:
    year = numbers.year(match["year"]) if match["year"] else None
    first = a_month(at, _SEASONS[match["season"]], past=past or match["which"] == "last", year=year)[0]
    return first, months(first, 2)[1]


def _iso(match: Match[str], at: datetime, past: bool) -> Span | None:
    return a_day(at, year=int(match["year"]), month=int(match["month"]), day=int(match["nth"]), past=past)


def _year(match: Match[str], at: datetime, past: bool) -> Span | None:
    number = numbers.year(match["year"])
    return None if number is None else whole_year(at, number)


def _feast(match: Match[str], at: datetime, past: bool) -> Span | None:
    month, day = {"christmas eve": (12, 24), "boxing day": (12, 26), "new year": (1, 1), "halloween": (10, 31)}.get(
        match[1], (12, 25)
    )
    return a_day(at, year=None, month=month, day=day, past=past)


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b{pattern}\b")


RULES: tuple[Rule, ...] = (
    (_rule(r"(?P<year>(?:19|20)\d\d)-(?P<month>\d\d?)-(?P<nth>\d\d?)"), _iso),
    (_rule(r"(?:the )?(day after tomorrow|day before yesterday)"), _near),
    (_rule(rf"in {_A_NUMBER} weeks?,? on {_DAY}"), _in_weeks_on),
    (
        _rule(rf"(?:on )?(?:the )?(?P<nth>{ORDINAL}|\d{{1,2}})(?: of)? {_MONTH}(?:,? (?:in )?(?P<year>{YEAR}))?"),
        _dated,
    ),
    (_rule(rf"(?:on )?{_MONTH} (?:the )?(?P<nth>{ORDINAL}|\d{{1,2}})(?:,? (?P<year>{YEAR}))?"), _dated),
    (
        _rule(
            rf"(?:on )?(?:(?P<which>this coming|this|next|last|a week on|coming) )?{_DAY}{_OF_DAY}(?P<week> "
            r"week)?"
        ),
        _weekday,
    ),
    (_rule(rf"(?:(?:at |in )?the )?(today|tonight|tomorrow|yesterday|last night){_OF_DAY}"), _near),
    (
        _rule(
            rf"(?:on )?the (?P<nth>{ORDINAL})(?! (?:time|one|place|floor|year|week|child|"
            r"half|class|grade|born))"
        ),
        _day_of_month,
    ),
    (
        _rule(
            rf"(?:(?P<lead>in|since|for|these|about) )?{_A_NUMBER} (?P<unit>day|week|"
            r"fortnight|month|year)s?(?P<ago> ago)?(?<! old)"
        ),
        lambda match, at, past: (
            _away(match, at, past)
            if match["lead"] in ("in", "since", "these") or match["ago"] or (past and match["lead"] == "for")
            else None
        ),
    ),
    (_rule(r"(?P<which>this|next|last) (?P<unit>week|weekend|month|year)"), _calendar),
    (
        _rule(
            r"(?:in |over |during |of )?(?:the )?(?:(?P<which>this|next|last|come) )?(?P<season>spring|"
            rf"summer|autumn|fall|winter)(?: (?:of )?(?P<year>{YEAR}))?"
        ),
        _season,
    ),
    (_rule(rf"(?:in|since|back in|during) (?P<year>{YEAR}|{SHORT_YEAR})"), _year),
    (
        _rule(
            r"(?:(?:in|by|since|from|until|till|this|early|late|mid|back in) )?(?:(?P<which>last|"
            rf"next) )?(?<!i )(?<!they )(?<!we ){_MONTH}(?: (?:of )?(?P<year>{YEAR}))?"
        ),
        _whole_month,
    ),
    (_rule(r"(?:at |for |on )?(christmas eve|christmas day|christmas|boxing day|halloween|new year)"), _feast),
    (_rule(rf"the year (?P<year>{YEAR})"), _year),
)
_CUE = re.compile(
    r"day\b|morrow|tonight|night|week|month|year|ago\b|spring|summer|autumn|fall\b|winter|christmas|halloween|\d|"
    rf"since|\bin |the \w+(?:st|nd|rd|th)\b|twenty|thirty|first|second|third|{'|'.join(_MONTHS)}"
)
_HOUR_WORD = r"(?P<hour>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})"
_HALF = r"(?P<half>am|pm|a\.m\.|p\.m\.|o'clock|in the morning|in the afternoon|in the evening|at night|sharp)"
_MINUTES = r"(?P<minutes>[0-5]\d|oh five|ten|fifteen|twenty(?:[ -]five)?|thirty|forty(?:[ -]five)?|fifty)"
_HOURS = (
    re.compile(
        r"\b(?:at |by |from |around |about )?(?P<part>half|quarter|twenty|ten|five)(?P<side> "
        rf"past| to)? {_HOUR_WORD}(?: ?{_HALF})?\b"
    ),
    re.compile(
        rf"\b(?:at|by|from|around|for|about) (?:like |about )?{_HOUR_WORD}(?:[: .]?{_MINUTES})?(?: "
        rf"?{_HALF})?\b(?! (?:days|weeks|months|years|kids|people))"
    ),
    re.compile(rf"\b(?P<hour>\d{{1,2}}):(?P<minutes>[0-5]\d)(?: ?{_HALF})?\b"),
    re.compile(rf"\b{_HOUR_WORD} ?(?P<half>am|pm|o'clock)\b"),
)
_PARTS = {"half": 30, "quarter": 15, "twenty": 20, "ten": 10, "five": 5}


def hour(text: str) -> tuple[int, int, int, int] | None:
    """The hour and minute that are told, and where. From one to seven it is the afternoon, where nothing says else."""
    for pattern in _HOURS:
        match = pattern.search(text)
        if match is not None:
            told = match.groupdict()
            minutes = _minutes(told)
            number = numbers.english(told["hour"])
            if number is None or number > 24 or minutes is None:
                continue
            total = number * 60 + minutes
            return *divmod(_of_the_day(total, told.get("half") or "", text) % 1440, 60), match.start(), match.end()
    return None


def _minutes(told: dict[str, str | None]) -> int | None:
    part, side = told.get("part"), told.get("side")
    if part:
        if side is None and part != "half":
            return None
        return -_PARTS[part] if side == " to" else _PARTS[part]
    minutes = told.get("minutes")
    return 0 if minutes is None else numbers.english(minutes.replace("oh ", "")) or 0


def _of_the_day(total: int, half: str, text: str) -> int:
    if total >= 780:
        return total
    is_early = half in ("am", "a.m.", "in the morning") or "morning" in text
    is_late = half in ("pm", "p.m.", "in the afternoon", "in the evening", "at night") or any(
        word in text for word in ("evening", "night", "afternoon")
    )
    if is_early:
        return total % 720
    if is_late and total < 720:
        return total + 720
    return total + 720 if 60 <= total < 480 and half != "sharp" else total


def when(text: str, at: datetime, *, past: bool = False) -> When | None:
    """The time that ``text`` (lower case) tells, seen from ``at``; None where it tells none."""
    return found(text, at, RULES, hour, past=past) if _CUE.search(text) else None
