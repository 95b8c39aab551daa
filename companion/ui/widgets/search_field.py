"""A field to search by: tells what is typed once it rests for a moment; Escape empties it."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from companion.ui.icons import icon
from companion.ui.theme import looks

REST_MS = 200


class SearchField(QLineEdit):
    """searched: the words, without blanks around them; also when the field is emptied."""

    searched = Signal(str)

    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(words)
        self.setAccessibleName(words)
        self.setClearButtonEnabled(True)
        self._picture = QAction(self)
        self._draw()
        self.addAction(self._picture, QLineEdit.ActionPosition.LeadingPosition)
        looks.changed.connect(self._draw)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._tell)
        self.textChanged.connect(lambda _: self._rest.start())
        self.returnPressed.connect(self._tell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            self._tell()
            return
        super().keyPressEvent(event)

    def _draw(self) -> None:
        self._picture.setIcon(icon("search", "quiet"))

    def _tell(self) -> None:
        self._rest.stop()
        self.searched.emit(self.text().strip())
