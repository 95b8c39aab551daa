"""A line of dots: how many steps there are, and at which one is."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from companion.ui.theme import ROOMY, SMALL, look, looks

HERE, ELSEWHERE = 5.0, 4.0
"""Pixels from the middle of a dot to its edge."""


class Dots(QWidget):
    """The one of now is filled and larger, those before are filled, those to come are rings."""

    def __init__(self, count: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._count = count
        self._at = 0
        self.setFixedSize(QSize(count * ROOMY + SMALL, ROOMY))
        looks.changed.connect(self.update)

    def show_at(self, at: int) -> None:
        """Be at a step, counted from 0."""
        self._at = at
        told = self.tr("Step {number} of {count}").format(number=at + 1, count=self._count)
        self.setAccessibleName(told)
        self.setToolTip(told)
        self.update()

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number in range(self._count):
            is_here = number == self._at
            painter.setPen(look().colour("accent" if number <= self._at else "edge"))
            painter.setBrush(look().colour("accent") if number <= self._at else Qt.BrushStyle.NoBrush)
            middle = QPointF(SMALL + number * ROOMY + 0.5, self.height() / 2)
            across = HERE if is_here else ELSEWHERE - 1
            painter.drawEllipse(middle, across, across)
        painter.end()
