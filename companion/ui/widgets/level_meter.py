"""How loud it is at the microphone, as a bar that moves when somebody speaks."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from companion.ui.state import QUIET
from companion.ui.theme import SMALL, TINY, look, looks
from companion.ui.widgets.state_mark import loudness

PARTS = 24


class LevelMeter(QWidget):
    """A row of parts that light up from the left."""

    def __init__(self, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lit = 0
        self.setAccessibleName(name or self.tr("Loudness at the microphone"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        looks.changed.connect(self.update)

    @property
    def lit(self) -> int:
        """How many of its parts are lit."""
        return self._lit

    def show_level(self, dbfs: float = QUIET) -> None:
        """Show a level in dBFS."""
        lit = round(loudness(dbfs) * PARTS)
        if lit != self._lit:
            self._lit = lit
            self.setAccessibleDescription(self.tr("{share} percent").format(share=round(100 * lit / PARTS)))
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, 2 * SMALL)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 2 * SMALL)

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        wide = self.width() / PARTS
        for number in range(PARTS):
            painter.setBrush(look().colour("listening" if number < self._lit else "line"))
            painter.drawRoundedRect(QRectF(number * wide, 0, wide - TINY / 2, self.height()), 2, 2)
        painter.end()
