"""The head of the window: what the companion is doing, the microphone's switch, and the menu."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QWidget

from companion.app.orders import Mute
from companion.ui.bridge import Bridge
from companion.ui.state import UiState
from companion.ui.state_words import reason, told
from companion.ui.theme import ICON, ROOMY, SMALL, SNUG, mark
from companion.ui.widgets import IconButton, StateMark, Subheading
from companion.ui.widgets.one_line import OneLine
from companion.voice.events import State


class Head(QFrame):
    """helped, wizard, quitting: chosen from the menu."""

    helped = Signal()
    wizard = Signal()
    quitting = Signal()

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, "top")
        self._bridge = bridge
        self._mark = StateMark(ICON)
        name = Subheading(self.tr("Companion"))
        name.setWordWrap(False)
        self._words = OneLine()
        self._mute = IconButton("microphone", self.tr("Mute the microphone"), self.turn_mute)
        self._menu = IconButton("menu", self.tr("Menu"))
        self._menu.setMenu(self._made_menu())
        self._menu.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        line = QHBoxLayout(self)
        line.setContentsMargins(ROOMY, SMALL, SMALL, SMALL)
        line.setSpacing(SNUG)
        line.addWidget(self._mark)
        line.addWidget(name)
        line.addWidget(self._words, 1)
        line.addWidget(self._mute)
        line.addWidget(self._menu)
        bridge.changed.connect(self.draw)
        self.draw(bridge.state)

    def draw(self, state: UiState) -> None:
        """Show a state."""
        words = told(state)
        self._mark.show_mark(state.mark, words, state.level)
        self._words.say(self._told(state, words))
        if state.is_muted:
            self._mute.show_icon("microphone-off", "problem")
            self._mute.rename(self.tr("Unmute the microphone"))
        else:
            self._mute.show_icon("microphone")
            self._mute.rename(self.tr("Mute the microphone"))

    def _told(self, state: UiState, words: str) -> str:
        """What it does and why; why it hears nothing says both."""
        why = reason(state)
        if not why or state.phase is State.DEAF:
            return why or words
        return self.tr("{state}. {reason}").format(state=words, reason=why)

    def turn_mute(self) -> None:
        """Close the ears, or open them."""
        self._bridge.ask(Mute(not self._bridge.state.is_muted))

    def _made_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction(self.tr("Help"), self.helped.emit)
        menu.addAction(self.tr("First steps"), self.wizard.emit)
        menu.addSeparator()
        menu.addAction(self.tr("Restart the companion"), self._bridge.restart)
        menu.addAction(self.tr("Quit"), self.quitting.emit)
        return menu
