"""What things lie on: a card with corners, and a thin line between two parts."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from companion.ui.theme import ROOMY, SNUG, mark
from companion.ui.widgets.words import Heading, Quiet


class Card(QFrame):
    """A raised surface that holds things one below the other. title, explanation: its head, if any.

    The named parts are added by ``add``, those side by side by ``add_beside``; ``column`` is the layout.
    """

    def __init__(self, title: str = "", explanation: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, "card")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(ROOMY, ROOMY, ROOMY, ROOMY)
        self.column.setSpacing(SNUG)
        if title:
            self.setAccessibleName(title)
            self.add(Heading(title))
        if explanation:
            self.add(Quiet(explanation))

    def add(self, widget: QWidget) -> QWidget:
        """Put it below what is there."""
        self.column.addWidget(widget)
        return widget

    def add_beside(self, *widgets: QWidget, stretch_last: bool = False) -> QHBoxLayout:
        """Put them below what is there, side by side; what room is left stays empty."""
        line = QHBoxLayout()
        line.setSpacing(SNUG)
        for widget in widgets:
            line.addWidget(widget)
        if widgets and stretch_last:
            line.setStretch(len(widgets) - 1, 1)
        else:
            line.addStretch(1)
        self.column.addLayout(line)
        return line

    def choose(self, *, is_chosen: bool) -> None:
        """Show whether it is the chosen one among several."""
        self.setProperty("chosen", "true" if is_chosen else "false")
        mark(self, "card")


class Line(QFrame):
    """A thin line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(1)
        mark(self, "line")
