"""Moments as people say them: "at half past six", "tomorrow morning", "in ten minutes", "明天早上八点".

What is left open is settled so, and said back with "AM" or "PM" so that a mistake is noticed:

* an hour of twelve without day is the next that comes; in an alarm it is a morning hour
* with another day, one to six are in the afternoon and seven to twelve as they are
* a day without hour means nine o'clock, and each part of a day has an hour of its own
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from companion.talents.spoken import moments_chinese, moments_english
from companion.talents.spoken.calendar import HAN_WEEKDAYS, MONTHS, WEEKDAYS, Spoken
from companion.talents.spoken.durations import LONGEST
from companion.talents.spoken.language import is_chinese, looks_chinese

_USUAL_HOUR = {"": 9, "night": 21, "morning": 9, "noon": 12, "afternoon": 15, "evening": 19}


def moment_of(text: str, now: datetime, *, alarm: bool = False) -> datetime | None:
    """The moment that all of ``text`` names, in the zone of ``now``; None where it names none.

    A moment that has passed ("today at six", at seven) is returned as it is.
    """
    grammar = moments_chinese if looks_chinese(text) else moments_english
    spoken = grammar.read(text)
    return None if spoken is None else settle(spoken, now, alarm=alarm)


def settle(spoken: Spoken, now: datetime, *, alarm: bool = False) -> datetime | None:
    """The moment that ``spoken`` means, said at ``now``; None beyond a year."""
    if spoken.after is not None:
        if spoken.after > LONGEST:
            return None
        # Elapsed time is counted in UTC, or a change of the clocks would be counted with it.
        return (now.astimezone(UTC) + spoken.after).astimezone(now.tzinfo)
    if spoken.days is None and spoken.weekday is None and spoken.day is None:
        return _next_that_comes(spoken, now, alarm=alarm)
    hours = _hours(spoken, alarm=alarm)
    day = _day(spoken, now)
    if day is None:
        return None
    if day == now.date():
        today = [_at(day, hour, spoken, now) for hour in hours]
        coming = next((moment for moment in today if _is_after(moment, now)), None)
        if coming is None and spoken.weekday is not None:
            return _at(day + timedelta(days=7), hours[0], spoken, now)
        return coming or today[-1]
    hour = hours[-1] if len(hours) == 2 and not 7 <= hours[0] < 12 and not alarm else hours[0]
    return _at(day, hour, spoken, now)


def _next_that_comes(spoken: Spoken, now: datetime, *, alarm: bool) -> datetime:
    hours = _hours(spoken, alarm=alarm)
    days = (now.date() + timedelta(days=ahead) for ahead in range(3))
    moments = (_at(day, hour, spoken, now) for day in days for hour in hours)
    return next(moment for moment in moments if _is_after(moment, now))


def _hours(spoken: Spoken, *, alarm: bool) -> list[int]:
    """The hours of the day that may be meant, in order."""
    hour, part = spoken.hour, spoken.part
    if hour is None:
        return [_USUAL_HOUR[part]]
    if not spoken.is_open:
        return [hour]
    match part:
        case "morning":
            return [hour % 12]
        case "noon":
            return [hour if hour >= 11 else hour + 12]
        case "afternoon" | "evening":
            return [hour % 12 + 12]
        case "night":
            return [hour % 12 + 12 if 6 <= hour < 12 else hour % 12]
        case _ if alarm:
            return [hour % 12 if hour != 12 else 12]
        case _:
            return [hour % 12, hour % 12 + 12]


def _day(spoken: Spoken, now: datetime) -> date | None:
    today = now.date()
    if spoken.day is not None:
        return _dated(spoken, today)
    if spoken.weekday is None:
        return today + timedelta(days=spoken.days or 0)
    if spoken.weeks:
        return today - timedelta(days=today.weekday()) + timedelta(days=7 * spoken.weeks + spoken.weekday)
    ahead = (spoken.weekday - today.weekday()) % 7
    return today + timedelta(days=7 if ahead == 0 and spoken.not_today else ahead)


def _dated(spoken: Spoken, today: date) -> date | None:
    """The next day of that date; None where none comes within a year."""
    first = (today.replace(day=1) + timedelta(days=32)).replace(day=1) if spoken.next_month else today
    days = (first + timedelta(days=ahead) for ahead in range(31 if spoken.next_month else LONGEST.days))
    return next((day for day in days if day.day == spoken.day and spoken.month in (None, day.month)), None)


def _at(day: date, hour: int, spoken: Spoken, now: datetime) -> datetime:
    # "Tonight at one" and "midnight tonight" lie in the small hours of the next day.
    small_hours = spoken.part == "night" and hour < 6 and spoken.days is not None
    after_midnight = timedelta(days=1 if small_hours or hour == 24 else 0)
    return datetime.combine(day + after_midnight, time(hour % 24, spoken.minute), tzinfo=now.tzinfo)


def _is_after(moment: datetime, now: datetime) -> bool:
    # Times of one zone compare by the clock on the wall, which lies in the hour that comes twice.
    return moment.astimezone(UTC) > now.astimezone(UTC)


def say_time(moment: datetime, language: str) -> str:
    """The time of day: "3:10 PM", "6 PM", "下午3点10分"."""
    hour, minute = moment.hour, moment.minute
    if is_chinese(language):
        return f"{_han_part(hour)}{hour % 12 or 12}点{f'{minute}分' if minute else ''}"
    if not minute and hour in (0, 12):
        return "noon" if hour else "midnight"
    clock = f"{hour % 12 or 12}:{minute:02}" if minute else f"{hour % 12 or 12}"
    return f"{clock} {'AM' if hour < 12 else 'PM'}"


def _han_part(hour: int) -> str:
    starts = [(19, "晚上"), (13, "下午"), (12, "中午"), (6, "上午"), (0, "凌晨")]
    return next(part for start, part in starts if hour >= start)


def say_date(day: date, language: str) -> str:
    """The day: "Monday, November 30", "11月30日星期一"."""
    if is_chinese(language):
        return f"{day.month}月{day.day}日星期{HAN_WEEKDAYS[day.weekday()]}"
    return f"{WEEKDAYS[day.weekday()].capitalize()}, {MONTHS[day.month - 1]} {day.day}"


def say_moment(moment: datetime, now: datetime, language: str) -> str:
    """The moment as seen from ``now``: "at 6 PM", "tomorrow at 8 AM", "on Monday at 9 AM"."""
    ahead = (moment.date() - now.date()).days
    if is_chinese(language):
        return f"{_han_day(moment.date(), ahead)}{say_time(moment, language)}"
    clock = f"at {say_time(moment, language)}"
    near = {-1: f"yesterday {clock}", 0: clock, 1: f"tomorrow {clock}"}
    if ahead in near:
        return near[ahead]
    if 1 < ahead < 7:
        return f"on {WEEKDAYS[moment.weekday()].capitalize()} {clock}"
    return f"on {say_date(moment.date(), language)} {clock}"


def _han_day(day: date, ahead: int) -> str:
    near = {-1: "昨天", 0: "", 1: "明天", 2: "后天"}
    return near[ahead] if ahead in near else say_date(day, "zh")
