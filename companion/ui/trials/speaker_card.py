"""The loudspeaker: which one, and whether it is heard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from companion.ui.bridge import Bridge
from companion.ui.state import Fault
from companion.ui.trials.device_choice import DeviceChoice
from companion.ui.widgets import Button, Card, Notice, Quiet, Row
from companion.ui.widgets.notice import told_fault


class SpeakerCard(Card):
    """over: a trial has ended. chosen: another loudspeaker is wanted."""

    over = Signal()
    chosen = Signal(str)

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(self.tr("Loudspeaker"))
        self._bridge = bridge
        self.choice = DeviceChoice(self.tr("The one this computer uses"))
        self.choice.chosen.connect(self.chosen)
        self.notice = Notice(mend_text=self.tr("Look again"), on_mend=self.over.emit)
        self.notice.hide()
        self.button = Button(self.tr("Play a chime"), self._try)
        self.told = Quiet(self.tr("Three rising notes."))
        self.add(Row(self.tr("Loudspeaker"), self.choice, self.tr("This is where you will hear me.")))
        self.add(self.notice)
        self.add_beside(self.button, self.told, stretch_last=True)

    def fill(self, device: Mapping[str, Any]) -> None:
        """Show which loudspeakers there are."""
        self.choice.fill(device["names"], device["wanted"], device["used"])
        self.notice.say(Fault(device["problem"], device["mend"]) if device["problem"] else None)

    def _try(self) -> None:
        self.button.setEnabled(False)
        self.told.say(self.tr("Playing."), "quiet")
        self._bridge.tend("sound", "chime", then=self._tried, failed=self._failed, owner=self)

    def _tried(self, answer: Mapping[str, object]) -> None:
        self.told.say(self.tr("Did you hear it? If not, turn the volume up, or choose another loudspeaker."))
        self._end()

    def _failed(self, fault: Fault) -> None:
        self.told.say(told_fault(fault), "problem")
        self._end()

    def _end(self) -> None:
        self.button.setEnabled(True)
        self.over.emit()
