"""A slider through time: how much was learned in each month above it, and the day that is looked at below."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

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
        first = min((str(one.get("first") or f"{one['month']}-01") for one in months), default="")
        self.first_day = min(QDate.fromString(first, "yyyy-MM-dd"), today) if first else today
        days = self.first_day.daysTo(today)
        self.slider.setRange(0, max(days, 0))
        if was_now:
            self.slider.setValue(self.slider.maximum())
        self._bars.show_bars([_bar(month, count, self.first_day, today) for month, count in counts.items()])
        self.setVisible(days > 0 and bool(counts))
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


class _Bar(NamedTuple):
    """A month: where it begins and ends along the strip, 0 to 1, and how much was learned."""

    begin: float
    end: float
    facts: int


class _Bars(QWidget):
    """One bar a month, above the days it has on the slider."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bars: list[_Bar] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        looks.changed.connect(self.update)

    def show_bars(self, bars: list[_Bar]) -> None:
        self._bars = bars
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, BARS)

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look().colour("edge"))
        most = max((bar.facts for bar in self._bars), default=0)
        for bar in self._bars:
            high = max((BARS - 2) * math.sqrt(bar.facts / most), 2.0) if most else 0.0
            wide = max((bar.end - bar.begin) * self.width() - 2, 1.0)
            painter.drawRect(QRectF(bar.begin * self.width() + 1, BARS - high, wide, high))
        painter.end()


def _bar(month: str, count: int, first: QDate, last: QDate) -> _Bar:
    begin = QDate.fromString(f"{month}-01", "yyyy-MM-dd")
    days = max(first.daysTo(last), 0) + 1

    def along(day: QDate) -> float:
        return min(max(first.daysTo(day) / days, 0.0), 1.0)

    return _Bar(along(begin), along(begin.addMonths(1)), count)
