"""The microphone: which one, how loud it is, and how it sounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from companion.app.events import Metered
from companion.ui.bridge import Bridge
from companion.ui.state import Fault, UiState
from companion.ui.trials.device_choice import DeviceChoice
from companion.ui.widgets import Button, Card, LevelMeter, Notice, Quiet, Row
from companion.ui.widgets.notice import told_fault

SECONDS = 3
TASK = "sound.record"


class MicrophoneCard(Card):
    """over: a trial has ended. chosen: another microphone is wanted."""

    over = Signal()
    chosen = Signal(str)

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(self.tr("Microphone"))
        self._bridge = bridge
        self._metered: object = None
        self.choice = DeviceChoice(self.tr("The one this computer uses"))
        self.choice.chosen.connect(self.chosen)
        self.meter = LevelMeter()
        self.notice = Notice(mend_text=self.tr("Look again"), on_mend=self.over.emit)
        self.notice.hide()
        self.button = Button(self.tr("Record and play back"), self._try)
        self.told = Quiet(self.tr("Say something: you will hear what I hear."))
        self.add(Row(self.tr("Microphone"), self.choice, self.tr("The bar moves when you speak.")))
        self.add(self.meter)
        self.add(self.notice)
        self.add_beside(self.button, self.told, stretch_last=True)

    def fill(self, device: Mapping[str, Any]) -> None:
        """Show which microphones there are."""
        self.choice.fill(device["names"], device["wanted"], device["used"])
        self._complain(device["problem"], device["mend"])

    def draw(self, state: UiState) -> None:
        """Show how loud it is, and how far a recording is."""
        metered = state.kept(Metered.__name__)
        if isinstance(metered, Metered) and metered is not self._metered:
            self._metered = metered
            self.meter.show_level(metered.dbfs)
            self._tell_of(metered)
        task = state.task(TASK)
        if task is not None and not task.is_over and not self.button.isEnabled():
            playing = task.note == "playing"
            self.told.say(self.tr("That is how you sound.") if playing else self.tr("I am listening. Say something."))

    def rest(self) -> None:
        """Nothing is measured now."""
        self.meter.show_level()

    def _tell_of(self, metered: Metered) -> None:
        if metered.problem and metered.device:
            told = self.tr("I can't hear the microphone “{name}”.").format(name=metered.device)
            self._complain(told, self.tr("I will listen again when it is back. Or choose another one."))
        else:
            self._complain(metered.problem, metered.mend)

    def _complain(self, problem: str, mend: str) -> None:
        self.notice.say(Fault(problem, mend) if problem else None)

    def _try(self) -> None:
        self.button.setEnabled(False)
        self.told.say(self.tr("I am getting ready."), "quiet")
        self._bridge.tend("sound", "record", {"seconds": SECONDS}, then=self._tried, failed=self._failed, owner=self)

    def _tried(self, answer: Mapping[str, object]) -> None:
        verdict = str(answer["verdict"])
        self.told.say(self._sentence(verdict), "good" if verdict == "good" else "quiet")
        self._end()

    def _failed(self, fault: Fault) -> None:
        self.told.say(told_fault(fault), "problem")
        self._end()

    def _end(self) -> None:
        self.button.setEnabled(True)
        self.over.emit()

    def _sentence(self, verdict: str) -> str:
        match verdict:
            case "good":
                return self.tr("I hear you well.")
            case "faint":
                return self.tr("I hear you, but low. Come closer, or raise the microphone in the system's settings.")
            case "loud":
                return self.tr("That is too loud for me. Move back a little, or lower the microphone.")
            case "silent":
                return self.tr("The microphone sends nothing at all. Switch it on, or choose another one.")
            case "unheard":
                return self.tr("I did not hear anybody. Did you speak? If so, choose another microphone.")
            case _:
                return self.tr("Say something: you will hear what I hear.")
