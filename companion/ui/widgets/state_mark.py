"""What the companion is doing, as a shape of its own for each state, so that nobody needs to see colours."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QWidget

from companion.ui.state import QUIET, Mark
from companion.ui.theme import Look, look, looks
from companion.ui.widgets import plain

MOVING_MS = 80
LOUD = -20.0
"""dBFS at which the ring is full."""
COLOURS = {
    Mark.ASLEEP: "quiet",
    Mark.LISTENING: "listening",
    Mark.THINKING: "thinking",
    Mark.SPEAKING: "accent",
    Mark.MUTED: "quiet",
    Mark.PROBLEM: "problem",
}


class Motion(QTimer):
    """Moves a mark that thinks or speaks, where the desktop allows. phase: 0 to 23."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self.phase = 0
        self.setInterval(MOVING_MS)
        self.timeout.connect(self._move)

    def follow(self, mark: Mark) -> None:
        """Move as this mark does, if at all, while it is seen."""
        moves = mark in (Mark.THINKING, Mark.SPEAKING) and look().has_motion and self._widget.isVisible()
        if moves and not self.isActive():
            self.start()
        elif not moves:
            self.stop()

    def _move(self) -> None:
        self.phase = (self.phase + 1) % 24
        self._widget.update()


class StateMark(QWidget):
    """Draws one mark; a listening one shows the level, a thinking and a speaking one move where the desktop allows."""

    def __init__(self, size: int = 20, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = Mark.ASLEEP
        self._level = QUIET
        self.setFixedSize(QSize(size, size))
        self._motion = Motion(self)
        looks.changed.connect(self.update)

    def show_mark(self, mark: Mark, name: str, level: float = QUIET) -> None:
        """Show a state. name: what a screen reader says. level: dBFS."""
        if mark is not self._mark or (level != self._level and mark is Mark.LISTENING):
            self._mark, self._level = mark, level
            self._motion.follow(self._mark)
            self.update()
        if name != self.accessibleName():
            self.setAccessibleName(name)
            self.setToolTip(plain.tip(name))

    def showEvent(self, event: object) -> None:
        self._motion.follow(self._mark)

    def hideEvent(self, event: object) -> None:
        self._motion.stop()

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint(painter, QRectF(self.rect()), self._mark, look(), loudness(self._level), self._motion.phase)
        painter.end()


def loudness(level: float) -> float:
    """0 for a quiet room to 1 for a loud voice."""
    return min(max((level - QUIET) / (LOUD - QUIET), 0.0), 1.0)


def mark_icon(mark: Mark, wearing: Look, size: int = 22, ratio: float = 2.0) -> QIcon:
    """The mark as an icon, for the tray."""
    picture = QPixmap(QSize(size, size) * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint(painter, QRectF(0, 0, size, size), mark, wearing)
    painter.end()
    return QIcon(picture)


def paint(painter: QPainter, room: QRectF, mark: Mark, wearing: Look, loud: float = 0.0, phase: int = 0) -> None:
    """Draw a mark into a square room. loud: 0 to 1, for the ring. phase: 0 to 23, for what moves."""
    colour = wearing.colour(COLOURS[mark])
    unit = min(room.width(), room.height()) / 20
    painter.save()
    painter.translate(room.center())
    painter.scale(unit, unit)
    painter.setPen(_pen(colour))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    _DRAWERS[mark](painter, colour, loud, phase)
    painter.restore()


def _asleep(painter: QPainter, colour: QColor, loud: float, phase: int) -> None:
    painter.drawEllipse(QPointF(0, 0), 4.5, 4.5)


def _listening(painter: QPainter, colour: QColor, loud: float, phase: int) -> None:
    painter.drawEllipse(QPointF(0, 0), 8, 8)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    across = 2.5 + 3.5 * loud
    painter.drawEllipse(QPointF(0, 0), across, across)


def _thinking(painter: QPainter, colour: QColor, loud: float, phase: int) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    for number, x in enumerate((-6.5, 0.0, 6.5)):
        lift = 1.5 * max(math.sin((phase - 3 * number) / 24 * math.tau), 0.0)
        painter.drawEllipse(QPointF(x, -lift), 2.2, 2.2)


def _speaking(painter: QPainter, colour: QColor, loud: float, phase: int) -> None:
    for number, (x, height) in enumerate(((-7.0, 2.5), (-3.5, 6.0), (0.0, 8.0), (3.5, 6.0), (7.0, 2.5))):
        tall = height * (0.8 + 0.2 * math.cos((phase + 5 * number) / 24 * math.tau))
        painter.drawLine(QPointF(x, -tall), QPointF(x, tall))


def _muted(painter: QPainter, colour: QColor, loud: float, phase: int) -> None:
    painter.setBrush(colour)
    painter.drawEllipse(QPointF(0, 0), 4.5, 4.5)
    painter.drawLine(QPointF(-7.5, 7.5), QPointF(7.5, -7.5))


def _problem(painter: QPainter, colour: QColor, loud: float, phase: int) -> None:
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(0, -7.5), QPointF(8.5, 7), QPointF(-8.5, 7)]))
    path.closeSubpath()
    painter.drawPath(path)
    painter.drawLine(QPointF(0, -2), QPointF(0, 2))
    painter.drawPoint(QPointF(0, 4.6))


_DRAWERS = {
    Mark.ASLEEP: _asleep,
    Mark.LISTENING: _listening,
    Mark.THINKING: _thinking,
    Mark.SPEAKING: _speaking,
    Mark.MUTED: _muted,
    Mark.PROBLEM: _problem,
}


def _pen(colour: QColor) -> QPen:
    pen = QPen(colour, 2)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen
