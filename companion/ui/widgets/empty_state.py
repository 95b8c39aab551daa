"""What a page shows when there is nothing on it yet: what will be here, and how to begin."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from companion.ui.icons import pixmap
from companion.ui.theme import SNUG, WIDE, looks
from companion.ui.widgets.buttons import Button
from companion.ui.widgets.words import Heading, Quiet

PICTURE = 40
WIDTH = 420


class EmptyState(QWidget):
    """In the middle of the room it is given. action, on_action: the one way to begin, if any."""

    def __init__(
        self,
        icon_name: str,
        title: str,
        explanation: str = "",
        *,
        action: str = "",
        on_action: Callable[[], object] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self._picture = QLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(WIDE, WIDE, WIDE, WIDE)
        column.setSpacing(SNUG)
        column.addStretch(1)
        column.addWidget(self._picture)
        for words in (Heading(title), Quiet(explanation)):
            words.setAlignment(Qt.AlignmentFlag.AlignCenter)
            words.setMaximumWidth(WIDTH)
            words.setVisible(bool(words.text()))
            # Not by an alignment: what is aligned does not get the height that its width needs.
            middle = QHBoxLayout()
            middle.addStretch(1)
            middle.addWidget(words, 1000)
            middle.addStretch(1)
            column.addLayout(middle)
        if action:
            column.addWidget(Button(action, on_action), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        self._draw()
        looks.changed.connect(self._draw)

    def _draw(self) -> None:
        self._picture.setPixmap(pixmap(self._icon_name, "quiet", PICTURE))
