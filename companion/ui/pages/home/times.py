"""Times as the home page says them: what is left of a timer, and when something is due."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from companion.ui.counts import Counts

A_DAY = 86_400


def left(seconds: float) -> str:
    """What is left: "4:05", "1:04:05", "2 days"."""
    whole = max(round(seconds), 0)
    days = whole // A_DAY
    if days >= 2:
        return Counts().days(days)
    hours, rest = divmod(whole, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def spoken_left(seconds: float) -> str:
    """The same to the minute, for a screen reader, which must not be told every second."""
    minutes = max(round(seconds / 60), 0)
    if minutes < 1:
        return QCoreApplication.translate("Times", "less than a minute left")
    return Counts().minutes_left(minutes)


def moment(due: datetime, now: datetime) -> str:
    """When it is due, seen from ``now``; both in the zone of the user."""
    time = QLocale().toString(_qt(due).time(), QLocale.FormatType.ShortFormat)
    days = (due.date() - now.date()).days
    if days == 0:
        return QCoreApplication.translate("Times", "today at {time}").format(time=time)
    if days == 1:
        return QCoreApplication.translate("Times", "tomorrow at {time}").format(time=time)
    if 1 < days < 7:
        day = QLocale().toString(_qt(due), "dddd")
    else:
        day = QLocale().toString(_qt(due), QCoreApplication.translate("Times", "d MMMM"))
    return QCoreApplication.translate("Times", "{day} at {time}").format(day=day, time=time)


def _qt(moment: datetime) -> QDateTime:
    naive = moment.replace(tzinfo=None)
    return QDateTime.fromString(naive.isoformat(timespec="seconds"), "yyyy-MM-ddTHH:mm:ss")
