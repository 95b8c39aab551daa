"""One setting: what it is called and does, its control, what is usual, and a way back to that."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from companion.ui.pages.settings.book import Book
from companion.ui.pages.settings.controls import Control, control_for
from companion.ui.pages.settings.words import words_of
from companion.ui.state import Fault
from companion.ui.theme import SNUG, TINY
from companion.ui.widgets import Fine, LinkButton, Row
from companion.ui.widgets.notice import told_fault


class SettingRow(QWidget):
    """Draws itself when the book has it. has_details: whether what is usual is told, and when it counts."""

    def __init__(self, book: Book, name: str, *, has_details: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self._book = book
        self._has_details = has_details
        self.control: Control | None = None
        self._usual, self._fault = Fine(), Fine()
        self._back = LinkButton(self.tr("Back to that"), lambda: book.reset(name))
        self._back.setAccessibleName(self.tr("{name}: back to what is usual").format(name=words_of(name).name))
        self._back.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(TINY)
        self._add_details()
        self._fault.hide()
        self._column.addWidget(self._fault)
        book.listed.connect(self._draw)
        self._draw()

    def says(self, words: str) -> bool:
        """Whether it is meant by ``words`` that somebody searches for."""
        row = self._book.rows.get(self.name, {})
        told = words_of(self.name)
        text = " ".join((self.name.replace("_", " "), told.name, told.explanation, str(row.get("meaning", "")))).lower()
        return all(word in text for word in words.lower().split())

    def _add_details(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(SNUG)
        line.addWidget(self._usual, 1)
        line.addWidget(self._back)
        self._usual.hide()
        if self._has_details:
            self._column.addLayout(line)

    def _draw(self) -> None:
        row = self._book.rows.get(self.name)
        if row is None:
            return
        if self.control is None:
            words = words_of(self.name, str(row["meaning"]))
            self.control = control_for(row, words.unit)
            self.control.chosen.connect(self._chosen)
            self._column.insertWidget(0, Row(words.name, self.control, words.explanation))
        self.control.show_value(str(row["value"]))
        if self._has_details:
            self._tell_what_is_usual(
                str(row["default"]), is_changed=bool(row["is_changed"]), at_once=bool(row["at_once"])
            )

    def _tell_what_is_usual(self, default: str, *, is_changed: bool, at_once: bool) -> None:
        usual = self._book.shown(self.name, default)
        if at_once:
            self._usual.say(self.tr("Usually: {value}.").format(value=usual))
        else:
            self._usual.say(self.tr("Usually: {value}. Counts after a restart.").format(value=usual))
        self._back.setVisible(is_changed)

    def _chosen(self, value: str) -> None:
        self._fault.say("")
        self._book.set(self.name, value, self._refused)

    def _refused(self, fault: Fault) -> None:
        self._fault.say(told_fault(fault), "problem")
        self._draw()
