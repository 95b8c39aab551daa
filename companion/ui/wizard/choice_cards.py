"""Some cards of which one is chosen, by click or by arrow keys."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QRadioButton, QWidget

from companion.ui.theme import ICON, SMALL, SNUG
from companion.ui.widgets import Button, Card, Column, Quiet, plain

INDENT = ICON + SMALL
"""Pixels by which a remark stands below the words of its choice."""


class ChoiceCard(Card):
    """One of several. aside: a button at its right side, with what it does."""

    def __init__(
        self,
        title: str,
        note: str = "",
        aside: tuple[str, Callable[[], object]] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent=parent)
        self.radio = QRadioButton(plain.label(title))
        self.radio.setAccessibleName(title)
        self.radio.setAccessibleDescription(note)
        self.radio.toggled.connect(lambda is_on: self.choose(is_chosen=is_on))
        self.note = Quiet(note)
        self.note.setVisible(bool(note))
        self.button: Button | None = None
        line = QHBoxLayout()
        line.setSpacing(SNUG)
        line.addWidget(self.radio, 1)
        if aside is not None:
            self.button = Button(*aside)
            line.addWidget(self.button)
        self.column.addLayout(line)
        self.note.setIndent(INDENT)
        self.add(self.note)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def explain(self, note: str) -> None:
        """Say something else about it."""
        self.note.say(note)
        self.radio.setAccessibleDescription(note)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.radio.isEnabled() and self.rect().contains(event.position().toPoint()):
            self.radio.click()
        super().mouseReleaseEvent(event)


class ChoiceCards(Column):
    """chosen: the key of the card that somebody has chosen; not told of ``show_chosen``."""

    chosen = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, spacing=SNUG)
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self._cards: dict[str, ChoiceCard] = {}

    @property
    def cards(self) -> dict[str, ChoiceCard]:
        """By key."""
        return self._cards

    @property
    def key(self) -> str:
        """Of the one that is chosen; "" for none."""
        return next((key for key, card in self._cards.items() if card.radio.isChecked()), "")

    def put(self, key: str, card: ChoiceCard) -> ChoiceCard:
        """Offer one more."""
        self._cards[key] = card
        self._group.addButton(card.radio)
        card.radio.clicked.connect(lambda: self.chosen.emit(key))
        self.add(card)
        return card

    def show_chosen(self, key: str) -> None:
        """Show which one is chosen; none where there is no such card."""
        if key in self._cards:
            self._cards[key].radio.setChecked(True)

    def empty(self) -> None:
        """Offer nothing."""
        for card in self._cards.values():
            self._group.removeButton(card.radio)
            self.column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._cards.clear()
