"""The health page: what is wrong, how quick the answers are, what it costs, and a bundle for whoever helps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, QTimer

from companion.app.control import Answer
from companion.app.events import EngineStarted, Finished
from companion.app.turn_log import TurnRecorded
from companion.ui.bridge import Bridge
from companion.ui.pages.health.bundle import BundleWindow
from companion.ui.pages.health.chart import Latency, Timed
from companion.ui.pages.health.problems import Problems
from companion.ui.pages.health.uses import Uses
from companion.ui.pages.page import Page
from companion.ui.state import UiState
from companion.ui.widgets import Button, Card, Display, Scroll

CHECKUP = "health.checkup"
LOOK_MS = 2000
"""Milliseconds from one look at the processor to the next, while somebody looks at the page."""


class HealthPage(Page):
    """Asks only while it is seen."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self.problems = Problems(self.wants.emit, lambda: self._tend("checkup"), lambda: self._tend("cancel"))
        self.latency = Latency()
        self.uses = Uses()
        quick = Card(self.tr("How quickly I answer"))
        quick.add(self.latency)
        scroll = Scroll()
        for part in (Display(self.tr("Health")), self.problems, quick, self.uses, self._help()):
            scroll.add(part)
        self.hold(scroll)
        self._look = QTimer(self)
        self._look.setInterval(LOOK_MS)
        self._look.timeout.connect(self._fetch_now)
        bridge.told.connect(self._told)

    def entered(self) -> None:
        self._fetch_now()
        self._fetch_turns()
        self._fetch_findings()
        self._look.start()

    def left(self) -> None:
        self._look.stop()

    def draw(self, state: UiState) -> None:
        self.problems.show_faults(state.problems)
        self.problems.show_task(state.task(CHECKUP))

    def show_bundle(self) -> BundleWindow:
        """Make a bundle, and show it."""
        window = BundleWindow(self.bridge, self)
        window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        window.open()
        return window

    def _help(self) -> Card:
        card = Card(
            self.tr("If somebody is to help you"),
            self.tr("A file that tells how this computer and I are doing, without anything that was said."),
        )
        self.bundle = Button(self.tr("Make a diagnostics bundle"), self.show_bundle, icon_name="export")
        card.add_beside(self.bundle)
        return card

    def _told(self, event: object) -> None:
        if not self.isVisible():
            return
        match event:
            case TurnRecorded():
                self._fetch_turns()
            case Finished(task) if task == CHECKUP:
                self._fetch_findings()
            case EngineStarted():
                self._fetch_now()
            case _:
                pass

    def _tend(self, action: str) -> None:
        self.bridge.tend("health", action, then=self._show_findings, failed=self.complain, owner=self)

    def _fetch_now(self) -> None:
        self.bridge.tend("health", "now", then=self.uses.show_now, failed=lambda _: None, owner=self)

    def _fetch_turns(self) -> None:
        self.bridge.tend("health", "turns", then=self._show_turns, failed=lambda _: None, owner=self)

    def _fetch_findings(self) -> None:
        self.bridge.tend("health", "findings", then=self._show_findings, failed=lambda _: None, owner=self)

    def _show_turns(self, answer: Answer) -> None:
        self.latency.show_turns([Timed.of(row) for row in _rows(answer, "turns")])

    def _show_findings(self, answer: Answer) -> None:
        self.problems.show_findings(_rows(answer, "findings"), is_done=bool(answer.get("is_done")))


def _rows(answer: Answer, name: str) -> list[Mapping[str, Any]]:
    rows = answer.get(name, ())
    return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
