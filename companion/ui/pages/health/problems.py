"""What is wrong now, each with the place where it is mended; and what a look at everything has found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from companion.ui.engine_words import in_window_language
from companion.ui.icons import pixmap
from companion.ui.pages.health.words import fault_of, place_of, topic_name
from companion.ui.state import Fault, Task
from companion.ui.theme import ICON, SNUG, looks
from companion.ui.widgets import Body, Button, Card, Column, Notice, ProgressRow

GOOD = "ok"
Go = Callable[[str], object]


class Problems(Card):
    """on_go: called with the place that mends something. on_check, on_stop: look at everything, or stop that."""

    def __init__(
        self,
        on_go: Go,
        on_check: Callable[[], object],
        on_stop: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(self.tr("How I am"), parent=parent)
        self._on_go = on_go
        self._faults: tuple[Fault, ...] | None = None
        self._has_found = False
        self.now = Column(spacing=SNUG)
        self.well = Well()
        self.check = Button(self.tr("Look at everything"), on_check, icon_name="refresh")
        self.progress = ProgressRow(self.tr("Looking at everything"), on_stop)
        self.progress.hide()
        self.found = Column(spacing=SNUG)
        for part in (self.now, self.well, self.progress, self.found):
            self.add(part)
        self.add_beside(self.check)

    @property
    def notices(self) -> list[Notice]:
        """The problems that are shown, those of now first."""
        return self.findChildren(Notice)

    def show_faults(self, faults: tuple[Fault, ...]) -> None:
        """Show what is wrong now."""
        if faults == self._faults:
            return
        self._faults = faults
        _empty(self.now)
        for fault in faults:
            self.now.add(self._notice(fault))
        self.now.setVisible(bool(faults))
        self._tell_whether_well()

    def show_task(self, task: Task | None) -> None:
        """Show how far the look at everything is."""
        goes_on = task is not None and not task.is_over
        self.check.setEnabled(not goes_on)
        self.progress.show_task(_named(task) if goes_on else None)

    def show_findings(self, findings: Sequence[Mapping[str, Any]], *, is_done: bool) -> None:
        """Show what was found. What is wrong stands first."""
        _empty(self.found)
        bad = [one for one in findings if one["state"] != GOOD]
        self._has_found = bool(bad)
        self.found.setVisible(is_done)
        self._tell_whether_well()
        if not is_done:
            return
        for one in bad:
            self.found.add(self._notice(fault_of(one), kind="notice" if one["state"] == "bad" else "calm"))
        if not bad:
            told = self.tr("%n thing(s) looked at, and nothing is wrong.", "", len(findings))
            self.found.add(Well(told))

    def _tell_whether_well(self) -> None:
        self.well.setVisible(not self._faults and not self._has_found)

    def _notice(self, fault: Fault, kind: str = "notice") -> Notice:
        place = place_of(fault.topic)
        notice = Notice(mend_text=self.tr("Mend it") if place else "", on_mend=lambda: self._on_go(place), kind=kind)
        message = self.tr("{topic}: {message}").format(
            topic=topic_name(fault.topic), message=in_window_language(fault.message)
        )
        notice.say(Fault(message, fault.mend, fault.topic))
        return notice


class Well(QWidget):
    """Says that all is well."""

    def __init__(self, words: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = QLabel()
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(SNUG)
        line.addWidget(self._picture)
        line.addWidget(Body(words or self.tr("Everything works.")), 1)
        looks.changed.connect(self._draw)
        self._draw()

    def _draw(self) -> None:
        self._picture.setPixmap(pixmap("check", "good", ICON))


def _named(task: Task | None) -> Task | None:
    """The task with what it is at in words."""
    if task is None or not task.note:
        return task
    return Task(task.name, task.done, task.total, task.seconds_left, topic_name(task.note))


def _empty(column: Column) -> None:
    while (item := column.column.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
