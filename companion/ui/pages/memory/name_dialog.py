"""Asks for a name: a new one for somebody, or who somebody is the same as."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import QCompleter, QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from companion.ui.theme import SNUG, WIDE, mark
from companion.ui.widgets import Body, Button, Heading, PrimaryButton

LONGEST = 200
WIDTH = 420


class NameDialog(QDialog):
    """named: what was typed. suggest: asks for names that begin so, and is told where to put them."""

    named = Signal(str)

    def __init__(
        self,
        title: str,
        words: str,
        action: str,
        *,
        text: str = "",
        suggest: Callable[[str, Callable[[Sequence[str]], None]], None] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        mark(self, "page")
        self.setWindowTitle(title)
        self.setMinimumWidth(WIDTH)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.field = QLineEdit(text)
        self.field.setMaxLength(LONGEST)
        self.field.setAccessibleName(self.tr("Name"))
        self.button = PrimaryButton(action, self._tell)
        self._names = QStringListModel(self)
        if suggest is not None:
            completer = QCompleter(self._names, self)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            self.field.setCompleter(completer)
            self.field.textEdited.connect(lambda typed: suggest(typed.strip(), self._names.setStringList))
        self.field.textChanged.connect(self._check)
        self.field.returnPressed.connect(self._tell)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(Button(self.tr("Cancel"), self.reject))
        buttons.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(WIDE, WIDE, WIDE, WIDE)
        column.setSpacing(SNUG)
        column.addWidget(Heading(title))
        column.addWidget(Body(words))
        column.addWidget(self.field)
        column.addLayout(buttons)
        self._was = text
        self._check()
        self.field.selectAll()
        self.field.setFocus()

    def _check(self) -> None:
        typed = self.field.text().strip()
        self.button.setEnabled(bool(typed) and typed != self._was)

    def _tell(self) -> None:
        if self.button.isEnabled():
            self.named.emit(self.field.text().strip())
            self.accept()
