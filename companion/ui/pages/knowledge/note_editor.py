"""The fields of one note: its name, which stays once it has one, and its text."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from companion.ui.theme import look
from companion.ui.widgets import Column, Fine, PrimaryButton
from companion.ui.widgets.long_field import LongField

LONGEST_NAME = 60
LONGEST = 200_000
"""Characters, as the desk has it."""
LINES = 14


class NoteEditor(Column):
    """saved: name and text."""

    saved = Signal(str, str)

    def __init__(self, name: str = "", text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # One more than it may have, so that it is told.
        self.name, self.text = QLineEdit(name), LongField(LONGEST + 1, text)
        self.name.setMaxLength(LONGEST_NAME)
        self.name.setPlaceholderText(self.tr("Name, as “boiler”"))
        self.name.setAccessibleName(self.tr("Name of the note"))
        self.name.setReadOnly(bool(name))
        self.text.setPlaceholderText(self.tr("What I should know"))
        self.text.setAccessibleName(self.tr("Text of the note"))
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(look().size(LINES * 20))
        self._told = Fine()
        self._told.hide()
        self.save = PrimaryButton(self.tr("Save"), self._tell)
        for widget in (self.name, self.text, self._told, self.save):
            self.add(widget)
        self.name.setVisible(not name)
        self.name.textChanged.connect(self._check)
        self.text.textChanged.connect(self._check)
        self._check()

    def complain(self, words: str) -> None:
        """Say beside the fields why it could not be saved."""
        self._told.say(words, "problem")

    def _check(self) -> None:
        length = len(self.text.toPlainText())
        is_too_long = length > LONGEST
        self.save.setEnabled(
            bool(self.name.text().strip()) and bool(self.text.toPlainText().strip()) and not is_too_long
        )
        told = self.tr("A note has at most %n characters.", "", LONGEST) if is_too_long else ""
        self._told.say(told, "problem")

    def _tell(self) -> None:
        self.saved.emit(self.name.text().strip(), self.text.toPlainText())
