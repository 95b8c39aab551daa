"""The words of the calendar, and what a phrase says about a moment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# strftime would follow the machine's locale, not the speaker's language.
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
HAN_WEEKDAYS = "一二三四五六日"


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a phrase says about a moment; None where it says nothing."""

    hour: int | None = None
    minute: int = 0
    is_open: bool = False
    """Whether ``hour`` may be in the morning or in the afternoon."""
    days: int | None = None
    """Days from today."""
    weekday: int | None = None
    """0 is Monday."""
    weeks: int = 0
    """1: the weekday of next week ("下周一"); a coming weekday otherwise."""
    month: int | None = None
    """1 is January; of ``day``, where it is said."""
    day: int | None = None
    """Of the month."""
    next_month: bool = False
    """Whether ``day`` is one of next month's."""
    not_today: bool = False
    part: str = ""
    """"morning", "noon", "afternoon", "evening" or "night"."""
    after: timedelta | None = None
    """From now; nothing else counts then."""
