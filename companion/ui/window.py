"""The window: its head with the state, the rail, and the page one is at."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from companion.ui.banner import Banner
from companion.ui.bridge import Bridge
from companion.ui.head import Head
from companion.ui.help import Help
from companion.ui.pages.page import Page
from companion.ui.places import PLACES, Place
from companion.ui.rail import Rail
from companion.ui.shortcuts import keys
from companion.ui.state import UiState
from companion.ui.theme import LEAST_HEIGHT, LEAST_WIDTH, NARROW_BELOW, look, mark

FIRST_SIZE = (1000, 680)


class Window(QMainWindow):
    """Closing hides it; it lives as long as the program.

    has_tray: whether there is an icon to bring it back by, as it is now: a panel comes and goes. Without one, closing
    makes it small instead.
    quitting: the user wants the program to end. wizard: the user wants to be led through the first steps.
    """

    quitting = Signal()
    wizard = Signal()

    def __init__(
        self, bridge: Bridge, *, has_tray: Callable[[], bool] = lambda: True, places: Sequence[Place] = PLACES
    ) -> None:
        super().__init__()
        self._bridge = bridge
        self._has_tray = has_tray
        self._places = {place.name: place for place in places}
        self._pages: dict[str, Page] = {}
        self._here = ""
        self._raised = bridge.state.raised
        self.setWindowTitle(self.tr("Companion"))
        self.setMinimumSize(LEAST_WIDTH, LEAST_HEIGHT)
        self.resize(*FIRST_SIZE)
        self.head = Head(bridge)
        self.banner = Banner(bridge)
        self.rail = Rail(places)
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self._bind_keys()

    @property
    def here(self) -> str:
        """The name of the place one is at; empty before the first."""
        return self._here

    @property
    def page(self) -> Page | None:
        """The page one is at."""
        return self._pages.get(self._here)

    def go(self, where: str) -> Page:
        """Go to a place, or a part of it, as "settings/models"."""
        name, _, part = where.partition("/")
        if name not in self._places:
            name, part = next(iter(self._places)), ""
        page = self._pages.get(name) or self._built(name)
        if name != self._here:
            before = self.page
            self._here = name
            if before is not None:
                before.leave()
            self._stack.setCurrentWidget(page)
        self.rail.show_chosen(name)
        if self.isVisible():
            page.enter()
        if part:
            page.open_at(part)
        return page

    def come_up(self) -> None:
        """Be seen, in front of everything."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def show_help(self) -> None:
        """Open the help over the window, with the keys of every page in it."""
        for name in self._places:
            if name not in self._pages:
                self._built(name)
        window = Help(self)
        window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        window.open()

    # -- Qt

    def showEvent(self, event: object) -> None:
        if not self._here:
            self.go(next(iter(self._places)))
        if self.page is not None:
            self.page.enter()

    def hideEvent(self, event: object) -> None:
        if self.page is not None:
            self.page.leave()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()
        if self._has_tray():
            self.hide()
        else:
            self.banner.tell_of_no_tray()
            self.showMinimized()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.rail.narrow(is_narrow=self.width() < look().size(NARROW_BELOW))

    # -- parts

    def _lay_out(self) -> None:
        below = QHBoxLayout()
        below.setSpacing(0)
        below.addWidget(self.rail)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self.banner)
        right.addWidget(self._stack, 1)
        below.addLayout(right, 1)
        whole = QWidget()
        mark(whole, "ground")
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addLayout(below, 1)
        self.setCentralWidget(whole)
        # Where nobody types, nothing has the focus until a key asks for it.
        whole.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        whole.setFocus()

    def _connect(self) -> None:
        self.rail.chosen.connect(self.go)
        self.banner.wants.connect(self.go)
        self.head.helped.connect(self.show_help)
        self.head.quitting.connect(self.quitting)
        self.head.wizard.connect(self.wizard)
        self._bridge.changed.connect(self._changed)

    def _bind_keys(self) -> None:
        keys.begin()
        for number, place in enumerate(self._places.values(), start=1):
            does = self.tr("Go to {place}").format(place=place.shown)
            keys.bind(self, f"Ctrl+{number}", does, functools.partial(self.go, place.name))
        keys.bind(self, "F1", self.tr("Show this help"), self.show_help)
        keys.bind(self, "?", self.tr("Show this help"), self.show_help)
        keys.bind(self, "Ctrl+M", self.tr("Mute the microphone, or unmute it"), self.head.turn_mute)
        keys.bind(self, "Ctrl+W", self.tr("Close the window"), self.close)
        keys.bind(self, "Ctrl+Q", self.tr("Quit the companion"), self.quitting.emit)

    def _built(self, name: str) -> Page:
        page = self._places[name].build(self._bridge)
        page.setAccessibleName(self._places[name].shown)
        page.wants.connect(self.go)
        self._pages[name] = page
        self._stack.addWidget(page)
        return page

    def _changed(self, state: UiState) -> None:
        if state.raised != self._raised:
            self._raised = state.raised
            self.come_up()
