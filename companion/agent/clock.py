"""The local time with a zone that knows when the clocks change."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# strftime would follow the machine's locale, and prompts are English.
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

_DAY_PARTS = ((18, "in the evening"), (12, "in the afternoon"), (5, "in the morning"), (0, "at night"))


def local_clock() -> Callable[[], datetime]:
    """A clock of the machine's zone.

    Where the zone cannot be found (Windows), its times carry today's offset only, and a reminder beyond
    the next change of the clocks comes an hour early or late.
    """
    zone = local_zone()
    if zone is None:
        return lambda: datetime.now(UTC).astimezone()
    return lambda: datetime.now(zone)


def local_zone(localtime: Path = Path("/etc/localtime")) -> ZoneInfo | None:
    """The zone of ``TZ`` or of the system; None where neither says."""
    name = os.environ.get("TZ", "").lstrip(":")
    try:
        if name:
            return ZoneInfo(name)
        with localtime.open("rb") as rules:
            return ZoneInfo.from_file(rules)
    except (OSError, ValueError, KeyError):
        return None


def day_in_words(now: datetime) -> str:
    """The day and its part, as a model is told them: "Monday, November 30, 2026, in the afternoon"."""
    part = next(part for start, part in _DAY_PARTS if now.hour >= start)
    return f"{WEEKDAYS[now.weekday()]}, {MONTHS[now.month - 1]} {now.day}, {now.year}, {part}"
