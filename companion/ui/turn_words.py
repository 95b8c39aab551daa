"""Turns in words: the small line under one (how quick it was, who answered, what was recalled, what you thought of
it), and when it was.
"""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QTime

from companion.app.turn_log import TurnRecord
from companion.app.turn_notes import Verdict
from companion.ui.counts import Counts
from companion.ui.transcript import Row

THINKING = "language model"
BETWEEN = " · "


def remark(row: Row) -> str:
    """The line, of what is known."""
    parts = [clock_time(row), *_of_record(row.record), _verdict(row.verdict)]
    if row.interrupted and row.answer:
        parts.append(QCoreApplication.translate("Remark", "interrupted"))
    return BETWEEN.join(part for part in parts if part)


def provider_of(record: TurnRecord) -> str:
    """The provider whose model has answered; empty where it was one of this machine, or a rule."""
    return dict(record.served).get(THINKING, "") if record.by_model else ""


def seconds(length: float) -> str:
    """A time that somebody waited."""
    shown = QLocale().toString(length, "f", 1)
    return QCoreApplication.translate("Remark", "{seconds} s").format(seconds=shown)


def shown_day(at: datetime) -> str:
    """The day of a moment here, as people of this language write it."""
    local = at.astimezone()
    day = QDate(local.year, local.month, local.day)
    match day.daysTo(QDate.currentDate()):
        case 0:
            return QCoreApplication.translate("Remark", "Today")
        case 1:
            return QCoreApplication.translate("Remark", "Yesterday")
        case _:
            return QLocale().toString(day, QLocale.FormatType.LongFormat)


def clock_time(row: Row) -> str:
    """When it was asked, on the clock of this place."""
    if row.at is None:
        return ""
    local = row.at.astimezone()
    return QLocale().toString(QTime(local.hour, local.minute), QLocale.FormatType.ShortFormat)


def _of_record(record: TurnRecord | None) -> list[str]:
    if record is None:
        return []
    parts = [seconds(record.total) if record.total else ""]
    if record.source:
        parts.append(_who(record))
    count = len(record.recalled)
    if count:
        parts.append(Counts().memories(count))
    return parts


def _who(record: TurnRecord) -> str:
    if not record.by_model:
        return QCoreApplication.translate("Remark", "by rule")
    return provider_of(record) or QCoreApplication.translate("Remark", "on this computer")


def _verdict(verdict: Verdict) -> str:
    match verdict:
        case Verdict.GOOD:
            return QCoreApplication.translate("Remark", "you liked it")
        case Verdict.BAD:
            return QCoreApplication.translate("Remark", "you did not like it")
        case Verdict.WRONG:
            return QCoreApplication.translate("Remark", "you said it was wrong")
        case _:
            return ""
