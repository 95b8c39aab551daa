"""The button to talk: it shows what the companion is doing. A click or a short press of Space begins to listen; held
down, one talks until it is let go.
"""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from companion.ui.state import QUIET, Mark, UiState
from companion.ui.state_words import told
from companion.ui.theme import TINY, look, looks
from companion.ui.widgets import plain
from companion.ui.widgets.state_mark import COLOURS, Motion, loudness, paint

ACROSS = 60
SHAPE = 26
"""Pixels of the mark in it."""
TAP_MS = 400
"""What is let go sooner was a click."""


class Orb(QAbstractButton):
    """pressed_down and let_go are told of the mouse and of Space alike; was_tap: whether it was short."""

    pressed_down = Signal()
    let_go = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = Mark.ASLEEP
        self._level = QUIET
        self._is_held = False
        self._since = QElapsedTimer()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedSize(look().size(ACROSS), look().size(ACROSS))
        self._motion = Motion(self)
        self.clicked.connect(self._click)
        looks.changed.connect(self.update)

    def draw(self, state: UiState) -> None:
        """Show a state."""
        if (state.mark, state.level) != (self._mark, self._level):
            self._mark, self._level = state.mark, state.level
            self._motion.follow(self._mark)
            self.update()
        name = self.tr("Talk")
        description = self.tr("{state}. Click to talk, or hold while you speak.").format(state=told(state))
        if self.accessibleName() != name or self.accessibleDescription() != description:
            self.setAccessibleName(name)
            self.setAccessibleDescription(description)
            self.setToolTip(plain.tip(description))

    def press(self) -> None:
        """It goes down; once more while it is down counts for nothing."""
        if not self._is_held:
            self._is_held = True
            self._since.start()
            self.pressed_down.emit()
            self.update()

    def release(self) -> None:
        """It comes up."""
        if self._is_held:
            self._is_held = False
            self.let_go.emit(self._since.elapsed() < TAP_MS)
            self.update()

    def _click(self) -> None:
        """By a screen reader, which presses nothing down."""
        if not self._since.isValid() or self._since.elapsed() > 2 * TAP_MS:
            self.press()
            self.release()

    # -- Qt

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.press()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.release()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self.press()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self.release()
        else:
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.release()
        super().focusOutEvent(event)

    def showEvent(self, event: object) -> None:
        self._motion.follow(self._mark)

    def hideEvent(self, event: object) -> None:
        self._motion.stop()

    def sizeHint(self) -> QSize:
        return self.size()

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = look().colour(COLOURS[self._mark])
        room = QRectF(self.rect()).adjusted(TINY, TINY, -TINY, -TINY)
        loud = loudness(self._level) if self._mark is Mark.LISTENING else 0.0
        if loud or self._is_held:
            glow = look().colour(COLOURS[self._mark])
            glow.setAlphaF(0.25)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(glow)
            painter.drawEllipse(room)
        inner = room.adjusted(TINY, TINY, -TINY, -TINY)
        painter.setPen(QPen(colour, 2))
        painter.setBrush(look().colour("hover" if self.underMouse() or self._is_held else "raised"))
        painter.drawEllipse(inner)
        shape = QRectF(0, 0, look().size(SHAPE), look().size(SHAPE))
        shape.moveCenter(inner.center())
        paint(painter, shape, self._mark, look(), loud, self._motion.phase)
        if self.hasFocus():
            painter.setPen(QPen(look().colour("text"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(room)
        painter.end()
