"""Takes out Python's garbage on the thread of Qt, and on no other.

Python collects on whichever thread happens to run when the heap has grown. Where that is the engine's, a widget that
only a cycle kept alive would be destroyed there, and Qt does not survive that. What is there when the program
has started stays anyway, and is not looked through again and again.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

EVERY_MS = 1000


class Tidying(QObject):
    """Begins at once; ``end`` gives Python its own way back."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._limits = gc.get_threshold()
        gc.disable()
        gc.freeze()
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self.tidy)
        self._timer.start()

    def tidy(self) -> None:
        """Collect the generations that are due, as Python would."""
        young, middle, old = gc.get_count()
        if old > self._limits[2]:
            gc.collect(2)
        elif middle > self._limits[1]:
            gc.collect(1)
        elif young > self._limits[0]:
            gc.collect(0)

    def end(self) -> None:
        """Collect by itself again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
