"""A switch: on or off, at once."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from companion.ui.theme import look, looks

WIDTH, HEIGHT, GAP = 44, 26, 3


class Switch(QAbstractButton):
    """Told by ``toggled``, like a check box. name: for screen readers, where no ``Row`` gives one."""

    def __init__(self, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        looks.changed.connect(self.update)

    def set_quietly(self, *, on: bool) -> None:
        """Show that it is on or off, and tell nobody."""
        was = self.blockSignals(True)
        self.setChecked(on)
        self.blockSignals(was)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(WIDTH + 4, HEIGHT + 4)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        body = QRectF((self.width() - WIDTH) / 2, (self.height() - HEIGHT) / 2, WIDTH, HEIGHT)
        if self.hasFocus():
            painter.setPen(QPen(look().colour("text"), 2))
            painter.drawRoundedRect(body.adjusted(-1, -1, 1, 1), HEIGHT / 2, HEIGHT / 2)
        on, off = look().colour("accent"), look().colour("edge")
        fill = on if self.isChecked() else off
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setOpacity(1.0 if self.isEnabled() else 0.5)
        painter.setBrush(fill)
        painter.drawRoundedRect(body.adjusted(1, 1, -1, -1), HEIGHT / 2, HEIGHT / 2)
        painter.setBrush(look().colour("raised"))
        across = HEIGHT - 2 * GAP - 2
        left = body.right() - GAP - 1 - across if self.isChecked() else body.left() + GAP + 1
        painter.drawEllipse(QRectF(left, body.top() + GAP + 1, across, across))
        painter.end()
