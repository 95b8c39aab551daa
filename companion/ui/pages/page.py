"""What a page is. It is built when it is first entered, and never dropped; it draws only while it is seen."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from companion.ui.bridge import Bridge
from companion.ui.state import Fault, UiState
from companion.ui.theme import SMALL, WIDE, mark
from companion.ui.widgets import Notice, UndoBar


class Page(QWidget):
    """One place of the window: a notice at its head, the content, and at its foot the bar that takes something back.

    wants: another place is asked for, as "settings/models"; the window goes there.
    """

    wants = Signal(str)

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bridge = bridge
        mark(self, "page")
        self._is_entered = False
        self.notice = Notice(closable=True)
        self.notice.hide()
        self.undo = UndoBar()
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._outer.setSpacing(0)
        self._outer.addLayout(_framed(self.notice, below=0))
        self._outer.addLayout(_framed(self.undo, below=SMALL))
        bridge.changed.connect(self._changed)

    def hold(self, content: QWidget) -> None:
        """Put the content between the notice and the foot. Called once, by the page itself."""
        self._outer.insertWidget(1, content, 1)

    def complain(self, fault: Fault) -> None:
        """Show what went wrong, at the head of the page. Fits as ``failed`` of ``bridge.tend``."""
        self.notice.say(fault)

    def draw(self, state: UiState) -> None:
        """Show a state. Called while the page is seen, and when it is entered; overridden."""

    def entered(self) -> None:
        """The page is seen from now on: fetch what it shows. Overridden."""

    def left(self) -> None:
        """The page is not seen any more: let go of what costs something. Overridden."""

    def open_at(self, part: str) -> None:
        """Show a part of the page, as "models" of the settings. Overridden where there are parts."""

    # -- called by the window

    def enter(self) -> None:
        if not self._is_entered:
            self._is_entered = True
            self.entered()
            self.draw(self.bridge.state)

    def leave(self) -> None:
        if self._is_entered:
            self._is_entered = False
            self.left()

    def _changed(self, state: UiState) -> None:
        if self._is_entered:
            self.draw(state)


def _framed(widget: QWidget, *, below: int) -> QVBoxLayout:
    frame = QVBoxLayout()
    frame.setContentsMargins(WIDE, SMALL, WIDE, below)
    frame.addWidget(widget)
    return frame
