"""Three rings that fill with a tick, one each time something worked."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from companion.ui.theme import SNUG, look, looks

COUNT = 3
ACROSS = 28


class Ticks(QWidget):
    """A row of rings."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._done = 0
        self.setFixedSize(self.sizeHint())
        self._name()
        looks.changed.connect(self.update)

    @property
    def done(self) -> int:
        """How many are filled."""
        return self._done

    def show_done(self, done: int) -> None:
        """Fill so many."""
        done = min(max(done, 0), COUNT)
        if done != self._done:
            self._done = done
            self._name()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(COUNT * (ACROSS + SNUG), ACROSS + 2)

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number in range(COUNT):
            self._paint(painter, QRectF(1 + number * (ACROSS + SNUG), 1, ACROSS, ACROSS), number < self._done)
        painter.end()

    def _paint(self, painter: QPainter, ring: QRectF, is_done: bool) -> None:
        painter.setPen(QPen(look().colour("good" if is_done else "edge"), 2))
        painter.setBrush(look().colour("good") if is_done else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(ring)
        if is_done:
            pen = QPen(look().colour("raised"), 3)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            middle = ring.center()
            points = [middle + QPointF(x, y) for x, y in ((-6, 0), (-1.5, 5), (7, -5))]
            painter.drawPolyline(points)

    def _name(self) -> None:
        self.setAccessibleName(self.tr("Heard {done} of {count} times").format(done=self._done, count=COUNT))
