"""How a page is laid out: one column of things, as wide as is easy to read, which scrolls when it is long."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from companion.ui.theme import ROOMY, WIDE, mark

COLUMN_WIDTH = 760
NARROW = 560


class Column(QWidget):
    """Things one below the other, on the ground."""

    def __init__(self, parent: QWidget | None = None, *, spacing: int = ROOMY, margin: int = 0) -> None:
        super().__init__(parent)
        mark(self, "ground")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(margin, margin, margin, margin)
        self.column.setSpacing(spacing)

    def add(self, widget: QWidget, stretch: int = 0) -> QWidget:
        """Put it below what is there."""
        self.column.addWidget(widget, stretch)
        return widget

    def end(self) -> None:
        """What room is left stays empty, below."""
        self.column.addStretch(1)


class Scroll(QScrollArea):
    """A column in the middle that scrolls. ``add`` puts something into it; the room below stays empty by itself."""

    def __init__(self, parent: QWidget | None = None, *, width: int = COLUMN_WIDTH) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        holder = QWidget()
        mark(holder, "ground")
        self._middle = middle = QHBoxLayout(holder)
        middle.setContentsMargins(WIDE, WIDE, WIDE, WIDE)
        self.inside = Column()
        self.inside.setMaximumWidth(width)
        self.inside.column.addStretch(1)
        middle.addStretch(1)
        middle.addWidget(self.inside, 1000)
        middle.addStretch(1)
        self.setWidget(holder)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow one leaves less beside it."""
        super().resizeEvent(event)
        beside = WIDE if self.width() >= NARROW else ROOMY
        self._middle.setContentsMargins(beside, WIDE, beside, WIDE)

    def add(self, widget: QWidget) -> QWidget:
        """Put it below what is there."""
        self.inside.column.insertWidget(self.inside.column.count() - 1, widget)
        return widget
