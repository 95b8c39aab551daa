"""Every setting there is, with its explanation and what is usual; and what a search finds among them."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QWidget

from companion.ui.bridge import Bridge
from companion.ui.pages.settings.book import Book
from companion.ui.pages.settings.section import Section
from companion.ui.pages.settings.setting_row import SettingRow
from companion.ui.pages.settings.words import group_name
from companion.ui.widgets import Card, EmptyState, Fine, LinkButton, Quiet


class Everything(Section):
    """A card for each table of the settings file. ``search`` hides what is not meant."""

    def __init__(self, bridge: Bridge, book: Book) -> None:
        super().__init__(bridge, book)
        self._words = ""
        self._cards: dict[str, Card] = {}
        self._rows: dict[str, SettingRow] = {}
        self._head = Quiet(self.tr("All settings, one by one. Most people never need them."))
        self.add(self._head)
        self._nothing = EmptyState("search", self.tr("Nothing found"), self.tr("Try another word."))
        self._nothing.hide()
        self.add(self._nothing)
        self._file = Fine()
        book.listed.connect(self._fill)
        self._fill()

    def search(self, words: str) -> None:
        """Show only what is meant by the words; all of it without any."""
        self._words = words
        self._head.setVisible(not words)
        for section, card in self._cards.items():
            rows = [row for name, row in self._rows.items() if name.startswith(f"{section}.")]
            for row in rows:
                row.setVisible(not words or row.says(words))
            card.setVisible(any(not row.isHidden() for row in rows))
        self._nothing.setVisible(bool(self._cards) and all(card.isHidden() for card in self._cards.values()))

    @property
    def found(self) -> list[str]:
        """The names of the settings that are shown."""
        return [name for name, row in self._rows.items() if not row.isHidden()]

    def _fill(self) -> None:
        for name in self.book.rows:
            if name not in self._rows:
                section = name.partition(".")[0]
                if section not in self._cards:
                    self._cards[section] = Card(group_name(section))
                    self.add(self._cards[section])
                self._rows[name] = SettingRow(self.book, name, has_details=True)
                self._cards[section].add(self._rows[name])
        self.search(self._words)


class Found(Section):
    """What a search finds: the sections whose name or contents are meant, and single settings."""

    def __init__(self, bridge: Bridge, book: Book, sections: list[tuple[str, str, str]]) -> None:
        super().__init__(bridge, book)
        self._sections = sections
        self._links: dict[str, LinkButton] = {}
        self.places = Card(self.tr("Sections"))
        for name, title, _ in sections:
            link = LinkButton(title, partial(self.wants.emit, f"settings/{name}"))
            self._links[name] = link
            self.places.add(link)
        self.add(self.places)
        self.everything = Everything(bridge, book)
        self.add(self.everything.inside)
        self.everything.setParent(self)
        self.everything.hide()

    def search(self, words: str) -> None:
        """Show what is meant."""
        for name, title, topics in self._sections:
            text = f"{title} {topics}".lower()
            self._links[name].setVisible(all(word in text for word in words.lower().split()))
        self.places.setVisible(any(not link.isHidden() for link in self._links.values()))
        self.everything.search(words)

    @property
    def found(self) -> list[str]:
        """The names of the settings that are found."""
        return self.everything.found

    def widgets(self) -> list[QWidget]:
        """The links to sections that are shown."""
        return [link for link in self._links.values() if not link.isHidden()]
