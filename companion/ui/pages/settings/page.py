"""The settings page: a search field, the sections at the left, and what is open at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QStackedWidget, QVBoxLayout, QWidget

from companion.ui.bridge import Bridge
from companion.ui.icons import icon
from companion.ui.pages.page import Page
from companion.ui.pages.settings.book import Book
from companion.ui.pages.settings.contents import PARTS, Part
from companion.ui.pages.settings.everything import Everything
from companion.ui.pages.settings.restart_bar import RestartBar
from companion.ui.pages.settings.section import Section, is_up
from companion.ui.shortcuts import keys
from companion.ui.state import UiState
from companion.ui.theme import ROOMY, SMALL, WIDE, looks, mark
from companion.ui.widgets import Heading, SearchField

LIST_WIDTH = 190
EVERYTHING = "everything"
SOON_MS = 500
"""Milliseconds until desks answer where the companion could not be built."""


class SettingsPage(Page):
    """Sections are built when they are first opened."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self.book = Book(bridge, self)
        self._sections: dict[str, Section] = {}
        self._open: Section | None = None
        self._is_up = False
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._refresh)
        self.search = SearchField(self.tr("Search the settings"))
        self.list = QListWidget()
        self.restart = RestartBar(bridge)
        self._stack = QStackedWidget()
        self._lay_out()
        self._fill_list()
        self._connect()
        self.open_at(PARTS[0].name)

    @property
    def section(self) -> Section | None:
        """What is open."""
        return self._open

    def open_at(self, part: str) -> None:
        """Open a section by its name."""
        names = [one.name for one in PARTS]
        if part not in names:
            return
        if self.search.text():
            self.search.clear()
            self._searched("")
        self.list.setCurrentRow(names.index(part))
        self._show(self._built(part))

    def draw(self, state: UiState) -> None:
        self.restart.draw(state)
        was_up, self._is_up = self._is_up, is_up(state)
        if self._is_up and not was_up:
            self._again.start(0 if state.is_ready else SOON_MS)
        if self._is_up:
            self.book.draw(state)
        if self._open is not None:
            self._open.draw(state)

    def entered(self) -> None:
        self._is_up = is_up(self.bridge.state)
        if self._is_up:
            self._refresh()

    def left(self) -> None:
        self._again.stop()
        if self._open is not None:
            self._open.left()

    def _refresh(self) -> None:
        """Fetch what is shown: the page is seen, or the engine is there again."""
        self.notice.hide()
        self.book.fetch()
        if self._open is not None:
            self._open.entered()

    # -- parts

    def _lay_out(self) -> None:
        mark(self.list, "bare")
        self.list.setAccessibleName(self.tr("Sections"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        left = QVBoxLayout()
        left.setContentsMargins(WIDE, ROOMY, 0, ROOMY)
        left.setSpacing(ROOMY)
        left.addWidget(Heading(self.tr("Settings")))
        left.addWidget(self.search)
        left.addWidget(self.list, 1)
        holder = QWidget()
        holder.setLayout(left)
        holder.setFixedWidth(LIST_WIDTH + WIDE)
        right = QVBoxLayout()
        right.setSpacing(0)
        bar = QVBoxLayout()
        bar.setContentsMargins(WIDE, SMALL, WIDE, 0)
        bar.addWidget(self.restart)
        right.addLayout(bar)
        right.addWidget(self._stack, 1)
        whole = QWidget()
        line = QHBoxLayout(whole)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        line.addWidget(holder)
        line.addLayout(right, 1)
        self.hold(whole)

    def _fill_list(self) -> None:
        self.list.clear()
        for part in PARTS:
            item = QListWidgetItem(icon(part.icon), part.shown)
            item.setData(Qt.ItemDataRole.UserRole, part.name)
            self.list.addItem(item)

    def _connect(self) -> None:
        self.list.currentItemChanged.connect(self._chosen)
        self.search.searched.connect(self._searched)
        self.book.done.connect(lambda told: self.undo.offer(told, self.book.undo))
        self.book.complained.connect(self.complain)
        self.book.listed.connect(self._told_of_file)
        looks.changed.connect(self._paint)
        keys.bind(self, "Ctrl+F", self.tr("Search the settings"), self.search.setFocus, where=self.tr("Settings"))

    def _built(self, name: str) -> Section:
        if name not in self._sections:
            part = next(one for one in PARTS if one.name == name)
            section = part.build(self.bridge, self.book)
            section.setAccessibleName(part.shown)
            section.complained.connect(self.complain)
            section.wants.connect(self._go)
            self._sections[name] = section
            self._stack.addWidget(section)
            if isinstance(section, Everything):
                section.know([(one.name, one.shown, one.about) for one in PARTS if one.name != EVERYTHING])
        return self._sections[name]

    def _show(self, section: Section) -> None:
        if section is self._open:
            return
        before, self._open = self._open, section
        self._stack.setCurrentWidget(section)
        if self.isVisible():
            if before is not None:
                before.left()
            if self._is_up:
                section.entered()
            section.draw(self.bridge.state)

    def _go(self, place: str) -> None:
        page, _, part = place.partition("/")
        if page == "settings":
            self.open_at(part)
        else:
            self.wants.emit(place)

    # -- what was done

    def _chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._show(self._built(str(item.data(Qt.ItemDataRole.UserRole))))

    def _searched(self, words: str) -> None:
        """What is found is of no section, so that none is marked meanwhile."""
        item = self.list.currentItem()
        if item is not None:
            item.setSelected(not words)
        if not words:
            everything = self._sections.get(EVERYTHING)
            if isinstance(everything, Everything):
                everything.search("")
            self._chosen(self.list.currentItem())
            return
        found = self._built(EVERYTHING)
        if isinstance(found, Everything):
            found.search(words)
        self._show(found)

    def _told_of_file(self) -> None:
        if self.book.problem is not None:
            self.complain(self.book.problem)
        elif self.notice.message and not self.notice.isHidden():
            self.notice.hide()

    def _paint(self) -> None:
        for number, part in enumerate(PARTS):
            self.list.item(number).setIcon(icon(part.icon))


__all__ = ["Part", "SettingsPage"]
