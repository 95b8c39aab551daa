"""Several cards of which one is chosen, by click, by arrow key or by Space."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QVBoxLayout, QWidget

from companion.ui.theme import ROOMY, SMALL, SNUG, TINY
from companion.ui.widgets import Button, Card, Quiet, plain

INDENT = ROOMY + SMALL + 2 * TINY
"""The words stand below the title, not below the circle before it."""


class OneOf(QWidget):
    """chosen: the user wants this one. Entries are value, title and explanation."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self._cards: dict[str, tuple[Card, QRadioButton, Quiet]] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SNUG)
        self.value = ""

    def fill(
        self, entries: Sequence[tuple[str, str, str]], action: tuple[str, Callable[[str], object]] | None = None
    ) -> None:
        """Show these; cards that are there stay. action: a button on each, and what it does with the value."""
        for value, title, explanation in entries:
            if value in self._cards:
                self._cards[value][2].say(explanation)
            else:
                self._add(value, title, explanation, action)
        gone = set(self._cards) - {value for value, _, _ in entries}
        for value in gone:
            card, button, _ = self._cards.pop(value)
            self._group.removeButton(button)
            card.hide()
            card.deleteLater()

    def choose(self, value: str) -> None:
        """Show which is chosen, and tell nobody."""
        self.value = value
        for name, (card, button, _) in self._cards.items():
            was = button.blockSignals(True)
            button.setChecked(name == value)
            button.blockSignals(was)
            card.choose(is_chosen=name == value)

    def button(self, value: str) -> QRadioButton:
        """What chooses one."""
        return self._cards[value][1]

    def _add(
        self, value: str, title: str, explanation: str, action: tuple[str, Callable[[str], object]] | None
    ) -> None:
        card, button, words = Card(), QRadioButton(plain.label(title)), Quiet(explanation)
        card.setAccessibleName(title)
        card.column.setContentsMargins(SNUG, SMALL, ROOMY, SNUG)
        card.column.setSpacing(0)
        words.setContentsMargins(INDENT, 0, 0, 0)
        button.setAccessibleName(title)
        button.setAccessibleDescription(explanation)
        button.clicked.connect(lambda: self._clicked(value))
        self._group.addButton(button)
        words.setVisible(bool(explanation))
        if action is None:
            card.add(button)
        else:
            name, work = action
            doing = Button(name, lambda: work(value), icon_name="play")
            doing.setAccessibleName(f"{name}: {title}")
            line = card.add_beside(button, doing)
            line.setStretch(0, 1)
            line.setStretch(line.count() - 1, 0)
        card.add(words)
        self._cards[value] = (card, button, words)
        self._column.addWidget(card)

    def _clicked(self, value: str) -> None:
        if value != self.value:
            self.choose(value)
            self.chosen.emit(value)
