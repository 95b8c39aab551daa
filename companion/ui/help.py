"""The help: every key, and where to read on."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QGridLayout, QVBoxLayout, QWidget

from companion.ui.shortcuts import keys
from companion.ui.theme import ROOMY, SMALL, WIDE, mark
from companion.ui.widgets import Body, Heading, PrimaryButton, Quiet, Scroll, Subheading


class Help(QDialog):
    """A window of its own, closed by Escape."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Help"))
        self.resize(560, 520)
        scroll = Scroll()
        scroll.add(Heading(self.tr("Talking")))
        scroll.add(Body(self.tr("Say the wake word, wait for the sound, and speak. Speak over an answer to stop it.")))
        scroll.add(Heading(self.tr("Keys")))
        scroll.add(self._keys())
        scroll.add(Quiet(self.tr("Keys of your desktop can run: companion toggle, companion mute, companion talk.")))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, ROOMY)
        column.addWidget(scroll, 1)
        close = PrimaryButton(self.tr("Close"), self.accept)
        line = QVBoxLayout()
        line.setContentsMargins(WIDE, 0, WIDE, 0)
        line.addWidget(close)
        column.addLayout(line)
        close.setFocus()

    def _keys(self) -> QWidget:
        table = QWidget()
        mark(table, "ground")
        grid = QGridLayout(table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(ROOMY)
        grid.setVerticalSpacing(SMALL)
        grid.setColumnStretch(1, 1)
        where = ""
        for listed in keys.listed:
            row = grid.rowCount()
            if listed.where != where:
                where = listed.where
                grid.addWidget(Subheading(where), row, 0, 1, 2)
                row += 1
            name = Subheading(listed.keys)
            name.setWordWrap(False)
            grid.addWidget(name, row, 0)
            grid.addWidget(Body(listed.does), row, 1)
        return table
