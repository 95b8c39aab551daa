"""Tells the time, the date and the day of the week."""

from __future__ import annotations

from datetime import datetime, timedelta

from companion.agent.plugin import Reply, Request
from companion.talents.phrases import Phrases
from companion.talents.spoken.calendar import HAN_WEEKDAYS, MONTHS, WEEKDAYS
from companion.talents.spoken.language import is_chinese
from companion.talents.spoken.moments import say_date, say_time

_SAY = Phrases(
    {
        "clock.time": ("It's {time}.", "现在{time}。"),
        "clock.date": ("It's {date}.", "今天是{date}。"),
        "clock.month": ("It's {month}.", "现在是{month}。"),
        "clock.year": ("It's {year}.", "今年是{year}年。"),
        "today": ("It's {weekday}.", "今天是{weekday}。"),
        "tomorrow": ("Tomorrow is {weekday}.", "明天是{weekday}。"),
        "overmorrow": ("The day after tomorrow is {weekday}.", "后天是{weekday}。"),
        "yesterday": ("Yesterday was {weekday}.", "昨天是{weekday}。"),
    }
)
_DAYS = {
    "tomorrow": ("tomorrow", 1),
    "明天": ("tomorrow", 1),
    "the day after tomorrow": ("overmorrow", 2),
    "后天": ("overmorrow", 2),
    "yesterday": ("yesterday", -1),
    "昨天": ("yesterday", -1),
}

_A_QUESTION_TAKES = 4.0
"""Seconds from the wake word to the reply, or so."""


class Clock:
    """Answers from ``Request.now``."""

    name = "clock"
    intents = frozenset({"clock.time", "clock.date", "clock.day", "clock.month", "clock.year"})

    async def answer(self, request: Request) -> Reply:
        now, language = request.now, request.language
        if request.intent == "clock.day":
            key, ahead = _DAYS.get(request.slots.get("day", ""), ("today", 0))
            weekday = _weekday((now.date() + timedelta(days=ahead)).weekday(), language)
            return Reply(_SAY.say(key, language, weekday=weekday))
        month = f"{now.month}月" if is_chinese(language) else MONTHS[now.month - 1]
        return Reply(
            _SAY.say(
                request.intent,
                language,
                time=say_time(now, language),
                date=say_date(now.date(), language),
                month=month,
                year=str(now.year),
            )
        )

    def frequent_replies(self, language: str) -> tuple[str, ...]:
        return _SAY.frequent(language)

    def likely_replies(self, language: str, now: datetime) -> tuple[str, ...]:
        """The time now, and in a minute if that is near."""
        soon = now + timedelta(seconds=_A_QUESTION_TAKES)
        times = dict.fromkeys(say_time(moment, language) for moment in (now, soon))
        return tuple(_SAY.say("clock.time", language, time=time) for time in times)


def _weekday(number: int, language: str) -> str:
    return f"星期{HAN_WEEKDAYS[number]}" if is_chinese(language) else WEEKDAYS[number].capitalize()
