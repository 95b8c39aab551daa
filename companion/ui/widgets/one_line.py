"""Quiet words on one line, whatever room there is: what does not fit ends in dots, and stands whole in the tooltip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from companion.ui.theme import mark
from companion.ui.widgets import plain
from companion.ui.widgets.words import Quiet


class OneLine(Quiet):
    """See the head of the file. Screen readers are told all of it."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setWordWrap(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._whole = ""
        self.say(text)

    def say(self, text: str, role: str | None = None) -> None:
        """As ``Words.say``."""
        if role is not None and role != self.property("role"):
            mark(self, role)
        self._whole = plain.short(text)
        self.setAccessibleName(self._whole)
        self._fit()
        self.setVisible(bool(text))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        line = " ".join(self._whole.split())
        shown = self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, max(self.width(), 0))
        is_cut = bool(self.width()) and shown != line
        self.setToolTip(plain.tip(self._whole) if is_cut else "")
        if self.text() != (shown if is_cut else line):
            self.setText(shown if is_cut else line)
