"""One microphone or loudspeaker out of those that are there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

NARROW = 26
"""Letters of a name that are shown at least."""


class DeviceChoice(QComboBox):
    """chosen: the name as the settings keep it; "" for the one the system uses.

    system: what that one is called.
    """

    chosen = Signal(str)

    def __init__(self, system: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._system = system
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(NARROW)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.fill((), "")
        self.activated.connect(lambda index: self.chosen.emit(self.itemData(index)))

    def fill(self, names: Sequence[str], wanted: str, used: str = "") -> None:
        """Show what there is. wanted: what the settings name; used: the device they mean by that, if it is there."""
        self.clear()
        self.addItem(self._system, "")
        for name in names:
            self.addItem(name, name)
        if wanted and used not in names:
            self.addItem(self.tr("{name} (not plugged in)").format(name=wanted), wanted)
        self.setCurrentIndex(max(self.findData(used or wanted), 0))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A page that is scrolled past it must not change it."""
        event.ignore()
