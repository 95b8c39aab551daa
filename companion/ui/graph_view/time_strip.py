"""A slider through time: how much was learned in each month above it, and the day that is looked at below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from PySide6.QtCore import QDate, QDateTime, QLocale, QRectF, QSize, Qt, QTime, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QVBoxLayout, QWidget

from companion.ui.theme import SMALL, SNUG, TINY, look, looks
from companion.ui.widgets import Fine, LinkButton

BARS = 28
"""Pixels of the highest bar."""
REST_MS = 60
_A_MONTH = 30


class TimeStrip(QWidget):
    """moment: milliseconds since 1970, the end of the day that is chosen; None: now."""

    moment = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.first_day = QDate.currentDate()
        self._bars = _Bars()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(self.tr("Show what was known on a day"))
        self.slider.setPageStep(_A_MONTH)
        self._day = Fine()
        self._back = LinkButton(self.tr("Back to now"), self.go_to_now)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._tell)
        self.slider.valueChanged.connect(self._moved)
        line = QHBoxLayout()
        line.setSpacing(SNUG)
        line.addWidget(self._day, 1)
        line.addWidget(self._back)
        column = QVBoxLayout(self)
        column.setContentsMargins(SNUG, TINY, SNUG, SMALL)
        column.setSpacing(0)
        column.addWidget(self._bars)
        column.addWidget(self.slider)
        column.addLayout(line)
        self.show_months([])

    @property
    def is_now(self) -> bool:
        return self.slider.value() == self.slider.maximum()

    def show_months(self, months: Sequence[Mapping[str, Any]]) -> None:
        """Show how much was learned when, by rows of the desk; of less than two days there is nothing to see."""
        was_now = self.is_now
        today = QDate.currentDate()
        counts = {cast(str, one["month"]): cast(int, one["facts"]) for one in months}
        first = QDate.fromString(f"{min(counts)}-01", "yyyy-MM-dd") if counts else today
        self.first_day = min(first, today)
        days = self.first_day.daysTo(today)
        self.slider.setRange(0, max(days, 0))
        if was_now:
            self.slider.setValue(self.slider.maximum())
        self._bars.show_counts(_each_month(counts, self.first_day, today))
        self.setVisible(days > 1 and bool(counts))
        self._say()

    def go_to(self, day: QDate) -> None:
        """Look at a day."""
        self.slider.setValue(self.first_day.daysTo(day))

    def go_to_now(self) -> None:
        self.slider.setValue(self.slider.maximum())

    def _moved(self) -> None:
        self._say()
        self._rest.start()

    def _tell(self) -> None:
        self.moment.emit(None if self.is_now else self._end_of(self._chosen_day()))

    def _say(self) -> None:
        day = QLocale().toString(self._chosen_day(), self.tr("d MMMM yyyy", "a day, as QLocale formats it"))
        words = self.tr("As I know it now") if self.is_now else self.tr("As I knew it on {day}").format(day=day)
        self._day.say(words)
        self.slider.setAccessibleDescription(words)
        self._back.setVisible(not self.is_now)

    def _chosen_day(self) -> QDate:
        return self.first_day.addDays(self.slider.value())

    def _end_of(self, day: QDate) -> int:
        return int(QDateTime(day.addDays(1), QTime(0, 0)).toMSecsSinceEpoch())


class _Bars(QWidget):
    """One bar a month."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: list[int] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        looks.changed.connect(self.update)

    def show_counts(self, counts: list[int]) -> None:
        self._counts = counts
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, BARS)

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look().colour("edge"))
        most, wide = max(self._counts, default=0), self.width() / max(len(self._counts), 1)
        for place, count in enumerate(self._counts):
            high = (BARS - 2) * (count / most) ** 0.5 if most else 0
            if count:
                high = max(high, 2)
                painter.drawRect(QRectF(place * wide + 1, BARS - high, max(min(wide - 2, 24), 1), high))
        painter.end()


def _each_month(counts: Mapping[str, int], first: QDate, last: QDate) -> list[int]:
    """The counts of every month from the first to the last."""
    months = (last.year() - first.year()) * 12 + last.month() - first.month() + 1
    shown = [first.addMonths(step) for step in range(max(months, 1))]
    return [counts.get(f"{month.year():04}-{month.month():02}", 0) for month in shown]
