"""The wizard: seven steps, a line of dots, and three buttons. What was done is kept at once, so it can be left."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from companion.ui.bridge import Bridge
from companion.ui.state import Engine, UiState
from companion.ui.theme import LEAST_HEIGHT, LEAST_WIDTH, ROOMY, SNUG, WIDE, mark
from companion.ui.widgets import Button, Fine, Line, LinkButton, PrimaryButton
from companion.ui.wizard.brains_step import BrainsStep
from companion.ui.wizard.bringing import bringing, is_coming
from companion.ui.wizard.dots import Dots
from companion.ui.wizard.hello_step import HelloStep
from companion.ui.wizard.personality_step import PersonalityStep
from companion.ui.wizard.privacy_step import PrivacyStep
from companion.ui.wizard.sound_steps import SoundStep, WakeStep
from companion.ui.wizard.step import WizardStep
from companion.ui.wizard.talk_step import TalkStep

STEPS: tuple[Callable[[Bridge], WizardStep], ...] = (
    HelloStep,
    SoundStep,
    WakeStep,
    BrainsStep,
    PersonalityStep,
    PrivacyStep,
    TalkStep,
)
NAMES = ("hello", "sound", "wake", "brains", "personality", "privacy", "talk")
FIRST_SIZE = (840, 700)
BRAINS = NAMES.index("brains")


class Wizard(QDialog):
    """left: it was closed, whole or not. spoken: another language is spoken; the wizard is to be made anew in it."""

    left = Signal()
    spoken = Signal(str)

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, "page")
        self.setWindowTitle(self.tr("First steps"))
        self.setMinimumSize(LEAST_WIDTH, LEAST_HEIGHT)
        self.resize(*FIRST_SIZE)
        self._bridge = bridge
        self._steps: dict[int, WizardStep] = {}
        self._at = -1
        self._can_talk = False
        self._is_restarting = False
        self.dots = Dots(len(STEPS))
        self.background = Fine()
        self.later = LinkButton(self.tr("Go on later"), self.close)
        self.back = Button(self.tr("Back"), lambda: self.go(self._at - 1))
        self.skip = Button(self.tr("Skip"), lambda: self._end_step("skipped"))
        self.next = PrimaryButton(self.tr("Next"), lambda: self._end_step("done"))
        self._stack = QStackedWidget()
        self._lay_out()
        bridge.changed.connect(self._draw)

    @property
    def at(self) -> str:
        """The name of the step one is at; empty before the first."""
        return NAMES[self._at] if self._at >= 0 else ""

    @property
    def step(self) -> WizardStep | None:
        """The step one is at."""
        return self._steps.get(self._at)

    def begin(self, standing: Mapping[str, Any]) -> None:
        """Be seen, at the step where one had left it. standing: as the setup desk tells it."""
        at = str(standing.get("at", NAMES[0]))
        self.go(0 if standing.get("finished") or at not in NAMES else NAMES.index(at))
        self.open()

    def go(self, at: int) -> None:
        """Go to a step, counted from 0."""
        at = min(max(at, 0), len(STEPS) - 1)
        before = self.step
        if before is not None:
            before.let_be()
        self._at = at
        step = self._steps.get(at) or self._built(at)
        self._stack.setCurrentWidget(step)
        self.dots.show_at(at)
        self.back.setVisible(at > 0)
        self.skip.setVisible(step.may_skip)
        self.next.say(step.next_words or self.tr("Next"))
        step.entered()
        if at == len(STEPS) - 1:
            self._bridge.tend("settings", "list", then=self._go_by, failed=lambda fault: None, owner=self)
        self._draw(self._bridge.state)
        self.next.setFocus()

    # -- Qt

    def closeEvent(self, event: QCloseEvent) -> None:
        self._let_go()
        super().closeEvent(event)

    def reject(self) -> None:
        """Escape closes it, as its button does."""
        self._let_go()
        super().reject()

    # -- parts

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(WIDE, ROOMY, WIDE, 0)
        head.addWidget(self.dots)
        head.addStretch(1)
        head.addWidget(self.later)
        foot = QHBoxLayout()
        foot.setContentsMargins(WIDE, SNUG, WIDE, ROOMY)
        foot.setSpacing(SNUG)
        foot.addWidget(self.back)
        foot.addWidget(self.background, 1000)
        foot.addStretch(1)
        foot.addWidget(self.skip)
        foot.addWidget(self.next)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._stack, 1)
        column.addWidget(Line())
        column.addLayout(foot)

    def _built(self, at: int) -> WizardStep:
        step = STEPS[at](self._bridge)
        if isinstance(step, HelloStep):
            step.spoken.connect(self.spoken)
        self._steps[at] = step
        self._stack.addWidget(step)
        return step

    def _end_step(self, how: str) -> None:
        given = {"step": self.at, "mark": how}
        self._bridge.send("setup", "mark", given)
        if self._at < len(STEPS) - 1:
            self.go(self._at + 1)
            return
        self._bridge.send("setup", "finish", {})
        self.close()

    def _go_by(self, answer: Mapping[str, Any]) -> None:
        """What was chosen on the way, and counts from the next start only, is to count in the first conversation."""
        state = self._bridge.state
        if answer.get("waiting") and state.engine is Engine.RUNNING and not is_coming(state):
            self._bridge.restart()

    def _let_go(self) -> None:
        step, self._at = self.step, -1
        if step is not None:
            step.let_be()
            self.left.emit()

    # -- what goes on behind it

    def _draw(self, state: UiState) -> None:
        step = self.step
        if step is None:
            return
        step.draw(state)
        self._emphasise(step)
        self.background.say(self._told(state) if self._at != BRAINS else "")
        self._wake_up(state)

    def _emphasise(self, step: WizardStep) -> None:
        """Only one button of a page is the one that is meant."""
        role = "plain" if step.has_more else "primary"
        if self.next.property("role") != role:
            mark(self.next, role)

    def _missing(self) -> Mapping[str, int]:
        brains = self._steps.get(BRAINS)
        return brains.missing if isinstance(brains, BrainsStep) else {}

    def _told(self, state: UiState) -> str:
        task = bringing(state, self._missing())
        if task is None:
            return ""
        if task.is_over:
            return (
                self.tr("The models could not be fetched.")
                if task.fault is not None
                else self.tr("The models are here.")
            )
        percent = round(100 * (task.share or 0.0))
        if task.seconds_left is None:
            return self.tr("Models on their way: {percent} %").format(percent=percent)
        minutes = max(1, round(task.seconds_left / 60))
        return self.tr("Models on their way: {percent} %, about %n minute(s) left", "", minutes).format(percent=percent)

    def _wake_up(self, state: UiState) -> None:
        """Where the models have come, and nobody could talk before, the engine begins anew with them."""
        if state.is_ready:
            self._is_restarting, self._can_talk = False, True
        task = bringing(state, self._missing())
        is_here = task is not None and task.is_over and task.fault is None
        if is_here and not self._can_talk and not self._is_restarting and state.engine is Engine.RUNNING:
            self._is_restarting = True
            self._bridge.restart()
