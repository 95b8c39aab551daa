"""The card of the user's own notes, a few at a time, each to be opened or removed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from companion.ui.theme import TINY
from companion.ui.widgets import Button, Card, Fine, IconButton, LinkButton, Quiet
from companion.ui.widgets.notice import sentence

AT_ONCE = 10
"""Notes that are shown before more are asked for."""


class NotesCard(Card):
    """writing: a new note is wanted. opening, removing: the name of one."""

    writing = Signal()
    opening = Signal(str)
    removing = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Notes"), self.tr("What you wrote down for me, or asked me to keep."), parent)
        self._notes: list[Mapping[str, Any]] = []
        self._shown = AT_ONCE
        self._rows: list[QWidget] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        self.column.addLayout(self._list)
        self._nothing = Quiet(self.tr("No note yet."))
        self.add(self._nothing)
        self.add_beside(Button(self.tr("Write a note"), self.writing.emit, icon_name="add"))

    def show_notes(self, notes: Iterable[Mapping[str, Any]]) -> None:
        """Rows of the desk."""
        self._notes = list(notes)
        self._fill()

    def _fill(self) -> None:
        for row in self._rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = [self._row(note) for note in self._notes[: self._shown]]
        left = len(self._notes) - self._shown
        if left > 0:
            self._rows.append(LinkButton(self.tr("Show %n more", "", left), self._show_more))
        for row in self._rows:
            self._list.addWidget(row)
        self._nothing.setVisible(not self._notes)

    def _show_more(self) -> None:
        self._shown += 10 * AT_ONCE
        self._fill()

    def _row(self, note: Mapping[str, Any]) -> QWidget:
        name = note["name"]
        row = QWidget()
        opener = LinkButton(name, lambda: self.opening.emit(name), icon_name="note")
        opener.setAccessibleDescription(self.tr("Open this note"))
        told = Fine(sentence(note["problem"]))
        remove = IconButton("trash", self.tr("Remove"), lambda: self.removing.emit(name))
        remove.setAccessibleName(self.tr("Remove {name}").format(name=name))
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(TINY)
        line.addWidget(opener)
        line.addWidget(told, 1)
        line.addWidget(remove)
        return row
