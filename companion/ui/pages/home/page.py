"""The home page: what is set and when it is due, a way to set more, and what the companion can do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QElapsedTimer, QTimer
from PySide6.QtWidgets import QWidget

from companion.app.control import Answer
from companion.app.events import EngineStarted, Ready, TimersChanged
from companion.ui.bridge import Bridge
from companion.ui.pages.home.setter import Setter
from companion.ui.pages.home.talents import Talents
from companion.ui.pages.home.timer_row import Set, TimerRow
from companion.ui.pages.page import Page
from companion.ui.widgets import Card, Display, Line, Quiet, Scroll

TICK_MS = 1000
AGAIN_MS = 60_000
"""Milliseconds after which the desk is asked again: a machine that slept has not counted."""


class HomePage(Page):
    """Asks the desk when it is entered, and whenever something was set or is over; counts down by itself meanwhile."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self.set = SetCard(self._cancel)
        self.setter = Setter(self._add)
        self.talents = Talents(lambda: self.wants.emit("settings/plugins"))
        scroll = Scroll()
        for part in (Display(self.tr("At home")), self.set, self.setter, self.talents):
            scroll.add(part)
        self.hold(scroll)
        bridge.told.connect(self._told)
        self._again = QTimer(self)
        self._again.setInterval(AGAIN_MS)
        self._again.timeout.connect(self._fetch)

    def entered(self) -> None:
        self._again.start()
        self.setter.renew()
        self._fetch()
        self.bridge.tend("plugins", "list", then=self._show_talents, failed=lambda _: None, owner=self)

    def left(self) -> None:
        self._again.stop()
        self.set.rest()

    def _told(self, event: object) -> None:
        if self.isVisible() and isinstance(event, TimersChanged | EngineStarted | Ready):
            self._fetch()

    def _fetch(self) -> None:
        self.bridge.tend("home", "list", then=self._show, failed=self.complain, owner=self)

    def _show(self, answer: Answer) -> None:
        self.set.show_all([Set.of(row) for row in _rows(answer, "timers")], counts=self.isVisible())

    def _show_talents(self, answer: Answer) -> None:
        self.talents.show_plugins(_rows(answer, "plugins"))

    def _add(self, wanted: Mapping[str, object]) -> None:
        self.bridge.tend("home", "add", wanted, then=self._added, failed=self.complain, owner=self)

    def _added(self, answer: Answer) -> None:
        self.notice.say(None)
        self.setter.clear()
        self._show(answer)

    def _cancel(self, gone: Set, name: str) -> None:
        def cancelled(answer: Answer) -> None:
            self._show(answer)
            self.undo.offer(self.tr("{name} is cancelled.").format(name=name), lambda: self._restore(gone))

        self.bridge.tend("home", "cancel", {"id": gone.id}, then=cancelled, failed=self.complain, owner=self)

    def _restore(self, gone: Set) -> None:
        self.bridge.tend("home", "restore", {"id": gone.id}, then=self._show, failed=self.complain, owner=self)


class SetCard(Card):
    """What is set, soonest first. on_cancel: called with one and its name."""

    def __init__(self, on_cancel: Callable[[Set, str], object], parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Set now"), parent=parent)
        self._on_cancel = on_cancel
        self._rows: list[TimerRow] = []
        self._lines: list[QWidget] = []
        self._since = QElapsedTimer()
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._pass_time)
        self.nothing = Quiet(self.tr("Nothing is set. Say “set a timer for ten minutes”, or set one below."))
        self.add(self.nothing)

    @property
    def rows(self) -> list[TimerRow]:
        """What is shown."""
        return list(self._rows)

    def show_all(self, shown: list[Set], *, counts: bool) -> None:
        """Show these. counts: whether somebody sees them count down."""
        focused = [number for number, row in enumerate(self._rows) if self.window().focusWidget() is row.cancel]
        for widget in (*self._rows, *self._lines):
            self.column.removeWidget(widget)
            widget.deleteLater()
        self._rows = [TimerRow(one, lambda gone: self._on_cancel(gone, _name(self._rows, gone))) for one in shown]
        self._lines = [Line() for _ in shown[1:]]
        for number, row in enumerate(self._rows):
            if number:
                self.column.addWidget(self._lines[number - 1])
            self.column.addWidget(row)
        self.nothing.setVisible(not shown)
        if focused and self._rows:
            row = self._rows[min(focused[0], len(self._rows) - 1)]
            row.show()
            row.cancel.setFocus()
        self._since.start()
        if counts and shown:
            self._tick.start()
        else:
            self._tick.stop()

    def rest(self) -> None:
        """Nobody looks."""
        self._tick.stop()

    def _pass_time(self) -> None:
        for row in self._rows:
            row.pass_time(self._since.elapsed() / 1000)


def _name(rows: list[TimerRow], gone: Set) -> str:
    return next((row.accessibleName() for row in rows if row.shown.id == gone.id), "")


def _rows(answer: Answer, name: str) -> list[Mapping[str, Any]]:
    rows = answer.get(name, ())
    return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
