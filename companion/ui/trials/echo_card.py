"""Whether the companion hears itself, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from companion.ui.bridge import Bridge
from companion.ui.state import Fault, UiState
from companion.ui.widgets import Button, Card, Notice, ProgressRow, Quiet, Subheading

TASK = "sound.echo"


class EchoCard(Card):
    """over: a trial has ended."""

    over = Signal()

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(self.tr("Do I hear myself?"))
        self._bridge = bridge
        self.button = Button(self.tr("Test the echo"), self._try)
        self.progress = ProgressRow(self.tr("A short tune. Please be quiet until it ends."))
        self.progress.hide()
        self.told = Quiet()
        self.told.hide()
        self.notice = Notice()
        self.notice.hide()
        self.add(Subheading(self.tr("Do I hear myself?")))
        self.add(Quiet(self.tr("I play a short tune and listen. Then I know whether you can talk while I speak.")))
        self.add(self.progress)
        self.add(self.told)
        self.add(self.notice)
        self.add_beside(self.button)

    def draw(self, state: UiState) -> None:
        """Show how far it is."""
        task = state.task(TASK)
        is_going = task is not None and not task.is_over and not self.button.isEnabled()
        self.progress.show_task(task if is_going else None)

    def _try(self) -> None:
        self.button.setEnabled(False)
        self.notice.say(None)
        self.told.say(self.tr("A short tune. Please be quiet until it ends."), "quiet")
        self._bridge.tend("sound", "echo", then=self._tried, failed=self._failed, owner=self)

    def _tried(self, answer: Mapping[str, object]) -> None:
        verdict = str(answer["verdict"])
        self.told.say(self._sentence(verdict), "good" if verdict in ("good", "unheard") else "body")
        self._end()

    def _failed(self, fault: Fault) -> None:
        self.told.say("")
        self.notice.say(fault)
        self._end()

    def _end(self) -> None:
        self.button.setEnabled(True)
        self.button.say(self.tr("Test again"))
        self.progress.hide()
        self.over.emit()

    def _sentence(self, verdict: str) -> str:
        match verdict:
            case "good":
                return self.tr("Good. I hear myself, and I can tell my voice from yours. You can interrupt me.")
            case "unheard":
                return self.tr("I do not hear myself at all. If you heard the tune, all is well.")
            case "too_loud":
                return self.tr("The loudspeaker is a little too loud for me. Turn it down, or move it away.")
            case "headphones":
                return self.tr("I cannot tell my voice from yours here. Use headphones, or another loudspeaker.")
            case _:
                return ""
