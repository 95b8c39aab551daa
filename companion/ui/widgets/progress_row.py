"""How far a long piece of work is: a name, a bar, the time that is left, and a way to stop it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from companion.ui.state import Task
from companion.ui.theme import SNUG, TINY
from companion.ui.widgets.buttons import LinkButton
from companion.ui.widgets.notice import told_fault
from companion.ui.widgets.words import Body, Fine

STEPS = 1000
A_MINUTE = 60


class ProgressRow(QWidget):
    """name: what is being done, for people. on_cancel: None where it cannot be stopped."""

    def __init__(
        self, name: str = "", on_cancel: Callable[[], object] | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._name, self._note = Body(name), Fine()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(name)
        self._stop = LinkButton(self.tr("Stop"), on_cancel)
        self._stop.setVisible(on_cancel is not None)
        self._can_stop = on_cancel is not None
        head = QHBoxLayout()
        head.setSpacing(SNUG)
        head.addWidget(self._name, 1)
        head.addWidget(self._stop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(TINY)
        column.addLayout(head)
        column.addWidget(self._bar)
        column.addWidget(self._note)

    def show_task(self, task: Task | None) -> None:
        """Show how far it is; None: it has not begun, and nothing is shown."""
        self.setVisible(task is not None)
        if task is None:
            return
        share = task.share
        self._bar.setVisible(not task.is_over)
        self._bar.setRange(0, 0 if share is None and not task.is_over else STEPS)
        if share is not None:
            self._bar.setValue(round(share * STEPS))
        self._stop.setVisible(self._can_stop and not task.is_over)
        if task.fault is not None:
            self._note.say(told_fault(task.fault), "problem")
        elif task.is_over:
            self._note.say(self.tr("Done."), "good")
        else:
            self._note.say(self._told(task), "fine")
        self._bar.setAccessibleDescription(self._note.text())

    def _told(self, task: Task) -> str:
        left = self.time_left(task.seconds_left)
        if task.note and left:
            return self.tr("{note}, {left}").format(note=task.note, left=left)
        return task.note or left

    def time_left(self, seconds: float | None) -> str:
        """The remaining time in words; empty where nobody knows."""
        if seconds is None:
            return ""
        if seconds < A_MINUTE:
            return self.tr("less than a minute left")
        return self.tr("about %n minute(s) left", "", round(seconds / A_MINUTE))
