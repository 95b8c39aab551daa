"""Days in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale, Qt

translate = QCoreApplication.translate


def day_in_words(iso: str) -> str:
    """ "3 March", with the year where that is not this one."""
    day = QDateTime.fromString(iso, Qt.DateFormat.ISODate).toLocalTime().date()
    form = translate("Fact", "d MMMM") if day.year() == QDate.currentDate().year() else translate("Fact", "d MMMM yyyy")
    return QLocale().toString(day, form)
