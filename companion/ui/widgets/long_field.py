"""A field for longer texts, into which nobody can paste a book: to set that in type takes longer than one waits."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QPlainTextEdit, QWidget


class LongField(QPlainTextEdit):
    """most: characters up to which is taken what is pasted or dropped; the rest stays outside, as one sees."""

    def __init__(self, most: int, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._most = most

    def insertFromMimeData(self, source: QMimeData) -> None:
        chosen = len(self.textCursor().selectedText())
        room = self._most - self.document().characterCount() + 1 + chosen  # it counts an end that is not there
        self.insertPlainText(source.text()[: max(room, 0)])
