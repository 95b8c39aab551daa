"""Which days a question is about: "last week", "on Friday", "in May 2023", "three days ago", "上周五".

Questions to a memory look back, so what is left open is the latest that has passed: "in May" said in March is May of
last year. Days are counted in the zone of ``now``. Times are read as in what is told (``companion.memory.times``); but
a question has words that only look like one ("may I", "the second dog"), and nobody counts weeks by the day.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from companion.memory.times import when_en, when_zh
from companion.memory.times.when import When, every

MOST_SPANS = 4
_NO_TIME = re.compile(
    r"(?:the )?(?:spring|summer|autumn|fall|winter|may|march|mar|sept|dec|jan)|the \w+(?:[ -]\w+)?|"
    r"(?:in|for|these|about|since) (?!the |last |this )(?:\w+ )+(?:day|week|fortnight|month|year)s?|"
    r"五一|十一|六一|[^\d]{2}年|\d\d年|\S{1,3}[号號]"
)
_NO_TIME_BUT = re.compile(r"the year .+|[今明后後去前]年")
_WEEKS_AGO = re.compile(r".*(?:week|fortnight)s? ago|.*(?:周|週|星期|礼拜|禮拜)(?:以|之)?前")
_SLACK = timedelta(days=3)


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
    """The spans ``text`` names; nothing where it names none."""
    lowered, at = text.casefold(), datetime.combine(today, time(12), UTC)
    found: dict[Span, None] = {}
    for rules in (when_en.RULES, when_zh.RULES):
        for told in every(lowered, at, rules, past=True):
            if not _NO_TIME.fullmatch(told.said) or _NO_TIME_BUT.fullmatch(told.said):
                found |= dict.fromkeys(_span(told))
    return tuple(found)[:MOST_SPANS]


def _span(told: When) -> list[Span]:
    slack = _SLACK if _WEEKS_AGO.fullmatch(told.said) else timedelta()
    try:
        first = told.start.date() - slack
        last = (told.end - timedelta(microseconds=1)).date() + slack
    except OverflowError:  # before the first day there is
        return []
    return [Span(first, last)] if first <= last else []
