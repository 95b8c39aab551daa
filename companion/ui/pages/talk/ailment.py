"""What keeps the conversation from going as it should, with one button to mend it: the most pressing thing only."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from companion.ui.state import Engine, Fault, UiState
from companion.ui.theme import SMALL, WIDE, mark
from companion.ui.widgets import Notice

PRESSING = ("microphone", "conversation", "voice", "language model", "turn judge", "settings", "history", "timers")
"""Topics, the most pressing first; by how they begin. What belongs to no conversation is told on the health page."""
ELSEWHERE = "start"
"""Told over every page."""


class Ailment(QWidget):
    """wants: the place where it is mended. What was put away comes back when it is told anew."""

    wants = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, "ground")
        self._fault: Fault | None = None
        self.notice = Notice(mend_text=self.tr("See what helps"), on_mend=self._mend, closable=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(WIDE, 0, WIDE, SMALL)
        column.addWidget(self.notice)
        self.hide()

    def draw(self, state: UiState) -> None:
        """Show what is wrong now."""
        fault = most_pressing(state)
        if fault == self._fault:
            return
        self._fault = fault
        if fault is not None:
            self.notice.say(fault)
            self.notice.button.say(self._button(fault.topic))
        self.setVisible(fault is not None)

    def _button(self, topic: str) -> str:
        if topic in ("microphone", "conversation"):
            return self.tr("Choose another")
        if topic.startswith(("voice", "language model", "turn judge")):
            return self.tr("Open models")
        return self.tr("See what helps")

    def _mend(self) -> None:
        if self._fault is not None:
            self.wants.emit(place_of(self._fault.topic))


def most_pressing(state: UiState) -> Fault | None:
    """The problem to be told here, if any."""
    if state.engine is not Engine.RUNNING or state.is_stopped_by(ELSEWHERE):
        return None
    ranked = [(rank, fault) for fault in state.problems if (rank := _rank(fault.topic)) is not None]
    return min(ranked, key=lambda one: one[0])[1] if ranked else None


def place_of(topic: str) -> str:
    """Where a problem of that topic is mended."""
    if topic in ("microphone", "conversation"):
        return "settings/sound"
    if topic.startswith(("voice", "language model", "turn judge")):
        return "settings/models"
    return "settings" if topic == "settings" else "health"


def _rank(topic: str) -> int | None:
    return next((rank for rank, begins in enumerate(PRESSING) if topic.startswith(begins)), None)
