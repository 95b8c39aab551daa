"""The name to call: which one, how easily it is heard, and a light for each time it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QSlider, QWidget

from companion.app.events import Metered, WakeTried
from companion.app.trials.sensitivity import threshold_of
from companion.ui.bridge import Bridge
from companion.ui.state import Fault, UiState
from companion.ui.state_words import wake_name
from companion.ui.trials.ticks import COUNT, Ticks
from companion.ui.widgets import Button, Card, LevelMeter, Notice, Quiet, Row

TASK = "sound.wake"
REST_MS = 400
"""Milliseconds the slider must rest before it counts."""
STEP = 5


class WakeCard(Card):
    """over: a trial has ended. passed: the word was heard as often as there are ticks. chosen: a setting, and what it
    is to be.
    """

    over = Signal()
    passed = Signal()
    chosen = Signal(str, str)

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(self.tr("The name to call"))
        self._bridge = bridge
        self._seen: object = None
        self._metered: object = None
        self._old: object = None
        """How the trial before this one ended."""
        self.is_trying = False
        self.words = _Words()
        self.words.activated.connect(self._word_chosen)
        self.slider = _Sensitivity(Qt.Orientation.Horizontal)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._sensitivity_chosen)
        self.slider.valueChanged.connect(lambda _: self._rest.start())
        self.meter, self.ticks = LevelMeter(), Ticks()
        self.button = Button(self.tr("Try it"), self.turn)
        self.button.setEnabled(False)  # until it is known what may be tried
        self.told = Quiet(self.tr("Say the name three times."))
        self.notice = Notice()
        self.notice.hide()
        self._lay_out()

    @property
    def word(self) -> str:
        """The one that is chosen."""
        return str(self.words.currentData() or "")

    def fill(self, listed: Mapping[str, Any]) -> None:
        """Show which words there are, and what is chosen."""
        self.words.fill(listed["words"], listed["word"])
        self.button.setEnabled(True)
        was = self.slider.blockSignals(True)
        self.slider.setValue(int(listed["percent"]))
        self.slider.blockSignals(was)

    def draw(self, state: UiState) -> None:
        """Show what was heard."""
        metered, tried = state.kept(Metered.__name__), state.kept(WakeTried.__name__)
        if self.is_trying and isinstance(metered, Metered) and metered is not self._metered:
            self.meter.show_level(metered.dbfs)
        self._metered = metered
        if self.is_trying and isinstance(tried, WakeTried) and tried is not self._seen:
            self.ticks.show_done(tried.count)
            self.told.say(self._sentence(tried), "good" if tried.outcome == "heard" else "quiet")
            if tried.count >= COUNT:
                self.passed.emit()
        self._seen = tried
        task = state.task(TASK)
        if self.is_trying and task is not None and task is not self._old and task.fault is not None:
            self.notice.say(task.fault)
            self._end()

    def turn(self) -> None:
        """Begin to listen for it, or stop."""
        if self.is_trying:
            self.stop()
            self.over.emit()
        else:
            self._begin()

    def kept(self) -> None:
        """What is tried is what was chosen last."""
        if self.is_trying:
            self._begin()

    def stop(self) -> None:
        """Listen no more."""
        if self.is_trying:
            self._bridge.tend("sound", "stop", failed=lambda fault: None, owner=self)
            self._end()

    def _lay_out(self) -> None:
        self.add(Row(self.tr("I am called by"), self.words, self.tr("Say it before you ask me something.")))
        self.add(
            Row(
                self.tr("How easily I hear it"),
                self.slider,
                self.tr("To the right I hear it more easily, and more often by mistake."),
            )
        )
        self.add(self.meter)
        self.add_beside(self.button, self.ticks, self.told, stretch_last=True)
        self.add(self.notice)

    def _begin(self) -> None:
        self.is_trying = True
        self._old = self._bridge.state.task(TASK)
        self.notice.say(None)
        self.ticks.show_done(0)
        self.button.say(self.tr("Stop"))
        self.told.say(self.tr("I am getting ready."), "quiet")
        given = {"word": self.word, "percent": self.slider.value()}
        self._bridge.tend("sound", "wake", given, failed=self._failed, owner=self)

    def _failed(self, fault: Fault) -> None:
        self.notice.say(fault)
        self._end()

    def _end(self) -> None:
        self.is_trying = False
        self.button.say(self.tr("Try it"))
        self.meter.show_level()
        if self.ticks.done < COUNT:
            self.told.say(self.tr("Say the name three times."), "quiet")

    def _word_chosen(self) -> None:
        self.chosen.emit("wake.word", self.word)

    def _sensitivity_chosen(self) -> None:
        self.chosen.emit("wake.threshold", str(threshold_of(self.slider.value())))

    def _sentence(self, tried: WakeTried) -> str:
        match tried.outcome:
            case "heard":
                return self.tr("I heard it.") if tried.count < COUNT else self.tr("I heard it three times. Well done.")
            case "almost":
                return self.tr("Almost. Say it a little louder, or move the slider to the right.")
            case "alike":
                return self.tr("That sounded like it, but I do not think it was.")
            case _:
                return self.tr("I am listening. Say: {word}").format(word=wake_name(tried.word))


class _Words(QComboBox):
    def fill(self, words: list[str], chosen: str) -> None:
        self.clear()
        for word in words:
            self.addItem(wake_name(word), word)
        self.setCurrentIndex(max(self.findData(chosen), 0))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class _Sensitivity(QSlider):
    def __init__(self, orientation: Qt.Orientation) -> None:
        super().__init__(orientation)
        self.setRange(0, 100)
        self.setSingleStep(STEP)
        self.setPageStep(2 * STEP)
        self.setValue(50)
        self.setMinimumWidth(180)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
