"""What the talk page shows while nothing was said yet: three things to try, by voice or by a click."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from companion.ui.state import Mark, UiState
from companion.ui.state_words import wake_name
from companion.ui.theme import ROOMY, SNUG, WIDE, mark
from companion.ui.widgets import Button, Display, Quiet

WIDTH = 420


class Beginning(QWidget):
    """tried: the question of a button."""

    tried = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, "ground")
        self._how = Quiet()
        column = QVBoxLayout(self)
        column.setContentsMargins(WIDE, WIDE, WIDE, WIDE)
        column.setSpacing(SNUG)
        column.addStretch(2)
        for words in (Display(self.tr("What can I do for you?")), self._how):
            words.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(words)
        column.addSpacing(ROOMY)
        for question in self._questions():
            button = Button(question, partial(self.tried.emit, question))
            button.setMinimumWidth(WIDTH - 2 * WIDE)
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)

    def draw(self, state: UiState) -> None:
        """Show a state."""
        self._how.say(self._told(state))

    def _told(self, state: UiState) -> str:
        if state.is_muted:
            return self.tr("The microphone is closed. Click one of these, or type.")
        if state.mark is Mark.PROBLEM:
            return self.tr("Click one of these, or type.")
        if state.wake_word:
            told = self.tr("Say “{word}” and then one of these, or click one.")
            return told.format(word=wake_name(state.wake_word))
        return self.tr("Say one of these, or click one.")

    def _questions(self) -> tuple[str, ...]:
        return (
            self.tr("What time is it?"),
            self.tr("Set a timer for five minutes"),
            self.tr("What can you do?"),
        )
