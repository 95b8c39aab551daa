"""Every setting there is, with its explanation and what is usual; and what a search finds among them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QTimer

from companion.ui.bridge import Bridge
from companion.ui.pages.settings.book import Book
from companion.ui.pages.settings.section import Section
from companion.ui.pages.settings.setting_row import SettingRow
from companion.ui.pages.settings.words import group_name
from companion.ui.widgets import Card, EmptyState, LinkButton, Quiet

AT_ONCE = 3
"""Rows that are made between two looks at the user; all of them at once would be felt."""


class Everything(Section):
    """A card for each table of the settings file. ``search`` hides what is not meant, and shows sections that are."""

    def __init__(self, bridge: Bridge, book: Book) -> None:
        super().__init__(bridge, book)
        self._words = ""
        self._sections: list[tuple[str, LinkButton]] = []
        self._cards: dict[str, Card] = {}
        self._rows: dict[str, SettingRow] = {}
        self._head = Quiet(self.tr("All settings, one by one. Most people never need them."))
        self.add(self._head)
        self._places = Card(self.tr("Sections"))
        self._places.hide()
        self.add(self._places)
        self._nothing = EmptyState("search", self.tr("Nothing found"), self.tr("Try another word."))
        self._nothing.hide()
        self.add(self._nothing)
        self._more = QTimer(self)
        self._more.timeout.connect(self._make_some)
        book.listed.connect(self._fill)
        self._fill()

    def know(self, sections: Sequence[tuple[str, str, str]]) -> None:
        """These sections there are: name, title, and what else they are found by."""
        for name, title, about in sections:
            link = LinkButton(title, partial(self.wants.emit, f"settings/{name}"))
            self._sections.append((f"{title} {about}".lower(), link))
            self._places.add(link)

    def search(self, words: str) -> None:
        """Show only what is meant by the words; all of it without any."""
        self._words = words
        self._head.setVisible(not words)
        for about, link in self._sections:
            link.setVisible(bool(words) and all(word in about for word in words.lower().split()))
        self._places.setVisible(bool(self.places))
        for name in self._rows:
            self._show_or_hide(name)
        self._close_up()

    @property
    def is_whole(self) -> bool:
        """Whether all rows are made."""
        return bool(self._cards) and not self._more.isActive()

    @property
    def found(self) -> list[str]:
        """The names of the settings that are shown."""
        return [name for name, row in self._rows.items() if not row.isHidden()]

    @property
    def places(self) -> list[LinkButton]:
        """The ways to sections that are shown."""
        return [link for _, link in self._sections if not link.isHidden()]

    def _fill(self) -> None:
        if len(self._rows) < len(self.book.rows):
            self._more.start()

    def _make_some(self) -> None:
        """Make a few of the rows that are missing."""
        missing = [name for name in self.book.rows if name not in self._rows]
        for name in missing[:AT_ONCE]:
            section = name.partition(".")[0]
            if section not in self._cards:
                self._cards[section] = Card(group_name(section))
                self._cards[section].hide()
                self.add(self._cards[section])
            self._rows[name] = SettingRow(self.book, name, has_details=True)
            self._cards[section].add(self._rows[name])
            self._show_or_hide(name)
        if len(missing) <= AT_ONCE:
            self._more.stop()
        self._close_up()

    def _show_or_hide(self, name: str) -> None:
        self._rows[name].setVisible(not self._words or self._rows[name].says(self._words))

    def _close_up(self) -> None:
        """A card of which nothing is shown takes no room; one that is still being filled is not seen."""
        missing = {name.partition(".")[0] for name in self.book.rows if name not in self._rows}
        shown = {name.partition(".")[0] for name in self.found} - missing
        for section, card in self._cards.items():
            card.setVisible(section in shown)
        self._nothing.setVisible(self.is_whole and not shown and not self.places)
