"""One section of the settings: a column of cards that is built when it is first opened."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from companion.ui.bridge import Bridge
from companion.ui.pages.settings.book import Book
from companion.ui.pages.settings.setting_row import SettingRow
from companion.ui.state import Engine, Fault, UiState
from companion.ui.widgets import Card, Scroll


def is_up(state: UiState) -> bool:
    """Whether desks answer: the engine runs, and what lives in it was built."""
    return state.engine is Engine.RUNNING and (state.is_ready or state.is_stopped_by("start"))


class Section(Scroll):
    """complained: something did not work. wants: another place is asked for, as "settings/models"."""

    complained = Signal(object)
    wants = Signal(str)

    def __init__(self, bridge: Bridge, book: Book, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bridge = bridge
        self.book = book

    def card_of(self, title: str, *names: str, explanation: str = "") -> Card:
        """A card of settings, below what is there."""
        card = Card(title, explanation)
        for name in names:
            card.add(SettingRow(self.book, name))
        self.add(card)
        return card

    def complain(self, fault: Fault) -> None:
        """Have the page say what went wrong. Fits as ``failed`` of ``bridge.tend``."""
        self.complained.emit(fault)

    def draw(self, state: UiState) -> None:
        """Show a state. Overridden."""

    def entered(self) -> None:
        """It is seen: fetch what it shows. Overridden."""

    def left(self) -> None:
        """It is seen no more. Overridden."""
