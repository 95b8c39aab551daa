"""Leads a new user through the first steps: once the engine answers, and again when asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from companion.ui.bridge import Bridge
from companion.ui.state import Fault
from companion.ui.translations import speak, window_language, worn
from companion.ui.wizard.wizard import Wizard

AGAIN_MS = 1000
"""Milliseconds before an engine that was not ready is asked again."""
MOST_TRIES = 120


class Leading(QObject):
    """window: over which the wizard opens. finished: it was closed."""

    finished = Signal()

    def __init__(self, bridge: Bridge, window: QWidget) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._window = window
        self._wizard: Wizard | None = None
        self._tries = 0
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(AGAIN_MS)
        self._again.timeout.connect(self._ask)
        self._is_wanted = False
        self._language = worn()

    @property
    def wizard(self) -> Wizard | None:
        """The wizard, once it was opened."""
        return self._wizard

    def begin(self, standing: Mapping[str, Any] | None = None) -> None:
        """Open it if it was never brought to its end. Called once, when the window is there.

        standing: as the setup desk tells it, if it is known; else the desk is asked, once the engine answers.
        """
        self._tries, self._is_wanted = 0, False
        if standing is None:
            self._ask()
        else:
            self._found(standing)

    def open(self) -> None:
        """Open it, because the user wants to."""
        self._tries, self._is_wanted = 0, True
        self._ask()

    def _ask(self) -> None:
        self._tries += 1
        self._bridge.tend("setup", "standing", then=self._found, failed=self._failed, owner=self)

    def _failed(self, fault: Fault) -> None:
        if self._tries < MOST_TRIES:
            self._again.start()

    def _found(self, standing: Mapping[str, Any]) -> None:
        if standing.get("finished", True) and not self._is_wanted:
            return
        if self._wizard is None:
            self._wizard = self._made()
        if not self._wizard.isVisible():
            self._wizard.begin(standing)

    def _made(self) -> Wizard:
        made = Wizard(self._bridge, self._window)
        made.left.connect(self.finished)
        made.spoken.connect(self._speak)
        return made

    def _speak(self, language: str) -> None:
        """Go on in another language: texts are made when a widget is."""
        old = self._wizard
        if old is None or window_language(language) == self._language:
            return
        self._language = window_language(language)
        speak(self._language)
        self._wizard = self._made()
        self._wizard.begin({})
        old.blockSignals(True)
        old.close()
        old.deleteLater()
