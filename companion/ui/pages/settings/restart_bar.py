"""What is changed and does not count yet, and the restart that makes it count."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from companion.ui.bridge import Bridge
from companion.ui.pages.settings.words import words_of
from companion.ui.state import Engine, Fault, UiState
from companion.ui.widgets import Notice

MOST_NAMED = 3


class RestartBar(Notice):
    """Hidden while everything counts."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(kind="calm", mend_text=self.tr("Restart now"), on_mend=bridge.restart, parent=parent)
        self._shown: tuple[str, ...] = ()
        self.hide()

    def draw(self, state: UiState) -> None:
        """Show what waits."""
        self.button.setEnabled(state.engine is Engine.RUNNING)
        if state.waiting == self._shown:
            return
        self._shown = state.waiting
        self.say(self._told(state.waiting) if state.waiting else None)

    def _told(self, waiting: tuple[str, ...]) -> Fault:
        names = [words_of(name).name for name in waiting]
        mend = self.tr("A restart takes about a second. The window stays.")
        if len(names) > MOST_NAMED:
            return Fault(self.tr("%n change(s) count after a restart.", "", len(names)), mend)
        listed = self.tr(", ").join(names)
        return Fault(self.tr("Counts after a restart: {names}.").format(names=listed), mend)
