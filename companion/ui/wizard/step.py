"""One page of the wizard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from companion.ui.bridge import Bridge
from companion.ui.state import UiState
from companion.ui.theme import TEXT_WIDTH
from companion.ui.widgets import Display, Notice, Quiet, Scroll

AGAIN_MS = 700
"""Milliseconds before a companion that was starting is asked again."""


class WizardStep(Scroll):
    """A title, a sentence below it, and what there is to do.

    name: as ``app.setup_file.Step``. may_skip: whether one can go on without it.
    """

    name = ""
    may_skip = True

    def __init__(self, bridge: Bridge, title: str, explanation: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=TEXT_WIDTH)
        self.bridge = bridge
        self._is_seen = False
        self.title = title
        self.setAccessibleName(title)
        self.notice = Notice(closable=True)
        self.notice.hide()
        self.explanation = Quiet(explanation)
        self.add(Display(title))
        self.add(self.explanation)
        self.add(self.notice)

    @property
    def has_more(self) -> bool:
        """Whether there is something to do here that is meant before one goes on."""
        return False

    @property
    def next_words(self) -> str:
        """What the button says that goes on; "" for the usual word."""
        return ""

    def fetch(self, desk: str, action: str, then: Callable[[Mapping[str, Any]], object]) -> None:
        """Ask a desk for what the step shows; again and again while the companion is only starting."""
        self._is_seen = True

        def come(answer: Mapping[str, Any]) -> None:
            then(answer)

        def ask() -> None:
            self.bridge.tend(desk, action, then=come, failed=lambda fault: again(), owner=self)

        def again() -> None:
            if self._is_seen:
                QTimer.singleShot(AGAIN_MS, self, ask)

        ask()

    def keep(self, name: str, value: str) -> None:
        """Keep a setting, though the companion be only starting and the step be left meanwhile."""
        given = {"name": name, "value": value}
        self.bridge.send("settings", "set", given, failed=self.notice.say, owner=self)

    def let_be(self) -> None:
        """Called by the wizard when another step is seen."""
        self._is_seen = False
        self.left()

    def draw(self, state: UiState) -> None:
        """Show a state. Called while the step is seen; overridden."""

    def entered(self) -> None:
        """It is seen from now on. Overridden."""

    def left(self) -> None:
        """It is seen no more. Overridden."""
