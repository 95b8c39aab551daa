"""Does something once a window has been drawn: what takes a while shall not keep the first picture waiting."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

AT_LAST_MS = 1000
"""Milliseconds after which it is done all the same, as where the window opens behind others."""


class FirstPicture(QObject):
    """``then`` is called once: after the first picture of ``window``, at once where it is hidden, or at last."""

    def __init__(self, window: QWidget, then: Callable[[], object]) -> None:
        super().__init__(window)
        self._window = window
        self._then: Callable[[], object] | None = then
        if window.isVisible():
            window.installEventFilter(self)
            QTimer.singleShot(AT_LAST_MS, self._do)
        else:
            self._do()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            self._window.removeEventFilter(self)
            QTimer.singleShot(0, self._do)
        return False

    def _do(self) -> None:
        then, self._then = self._then, None
        if then is not None:
            then()
