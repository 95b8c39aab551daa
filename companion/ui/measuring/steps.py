"""How long the steps of Qt's event loop take: the time from one beat of an idle timer to the next."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer

MOST = 100_000
"""Steps that are kept."""
SHORT = 0.5
"""Milliseconds. A step that takes less was only a look whether there is anything to do."""


class Steps(QObject):
    """Beats as often as the loop comes round, from ``begin`` to ``end``, and keeps what took ``SHORT`` or longer."""

    def __init__(self) -> None:
        super().__init__()
        self.milliseconds: list[float] = []
        self._last = 0.0
        self._beat = QTimer(self)
        self._beat.setInterval(0)
        self._beat.timeout.connect(self._come_round)

    def begin(self) -> None:
        """Count from here on."""
        self.milliseconds.clear()
        self._last = time.perf_counter()
        self._beat.start()

    def end(self) -> None:
        """Count no more."""
        self._beat.stop()

    def _come_round(self) -> None:
        now = time.perf_counter()
        took = (now - self._last) * 1000
        if took >= SHORT and len(self.milliseconds) < MOST:
            self.milliseconds.append(took)
        self._last = now
