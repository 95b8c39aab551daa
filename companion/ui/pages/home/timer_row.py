"""One timer, alarm or reminder: what it is, when it is due, and the way to cancel it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from companion.ui.icons import pixmap
from companion.ui.pages.home.times import left, moment, spoken_left
from companion.ui.theme import ICON, SNUG, TINY, looks
from companion.ui.widgets import Body, Fine, Heading, IconButton

ICONS = {"timer": "clock", "alarm": "bell", "reminder": "note"}


@dataclass(frozen=True, slots=True)
class Set:
    """What the desk tells of one; ``left`` in seconds at the moment of telling."""

    id: int
    kind: str
    label: str
    seconds: int
    due: datetime
    left: float

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Set:
        due = datetime.fromisoformat(str(row["due"]))
        return cls(int(row["id"]), str(row["kind"]), str(row["label"]), int(row["seconds"]), due, float(row["left"]))


class TimerRow(QWidget):
    """on_cancel: called with what it shows."""

    def __init__(self, shown: Set, on_cancel: Callable[[Set], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown = shown
        self._picture = QLabel()
        self._time = Heading()
        self._time.setWordWrap(False)
        self._when = Fine()
        name = self.named(shown)
        words = QVBoxLayout()
        words.setSpacing(TINY)
        words.addWidget(Body(name))
        words.addWidget(self._when)
        self.cancel = IconButton("close", self.tr("Cancel {name}").format(name=name), lambda: on_cancel(shown))
        line = QHBoxLayout(self)
        line.setContentsMargins(0, TINY, 0, TINY)
        line.setSpacing(SNUG)
        line.addWidget(self._picture)
        line.addLayout(words, 1)
        line.addWidget(self._time, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self.cancel)
        self.setAccessibleName(name)
        looks.changed.connect(self._draw)
        self._draw()
        self.pass_time(0.0)

    def pass_time(self, seconds: float) -> None:
        """Show how it stands so many seconds after it was told."""
        remaining = self.shown.left - seconds
        now = self.shown.due - timedelta(seconds=remaining)
        when = moment(self.shown.due, now)
        if self.shown.kind == "timer" or remaining < 3600:
            self._time.say(left(remaining))
            self._when.say(when)
        else:
            self._time.say("")
            self._when.say(when)
        told = f"{when}, {spoken_left(remaining)}"
        if told != self.accessibleDescription():
            self.setAccessibleDescription(told)

    def named(self, shown: Set) -> str:
        """What it is called."""
        if shown.kind == "reminder":
            return shown.label
        if shown.kind == "alarm":
            return self.tr("Alarm: {label}").format(label=shown.label) if shown.label else self.tr("Alarm")
        if shown.label:
            return self.tr("Timer: {label}").format(label=shown.label)
        minutes, seconds = divmod(shown.seconds, 60)
        if seconds or not minutes:
            return self.tr("Timer of {length}").format(length=left(shown.seconds))
        return self.tr("Timer of %n minute(s)", "", minutes)

    def _draw(self) -> None:
        self._picture.setPixmap(pixmap(ICONS.get(self.shown.kind, "clock"), "quiet", ICON))
