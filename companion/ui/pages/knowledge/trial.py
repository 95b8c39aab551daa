"""The card to try the search on: what would be found, and where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from companion.ui.theme import SNUG, TINY
from companion.ui.widgets import Body, Card, Fine, Line, Quiet, SearchField, Subheading

LONGEST = 420
"""Characters of a passage that are shown."""


class TrialCard(Card):
    """searched: the words; empty where there are none."""

    searched = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Try a search"), self.tr("This is what I would find if you asked me."), parent)
        self.field = SearchField(self.tr("Search your folders and notes"))
        self.field.searched.connect(self.searched)
        self.add(self.field)
        self._told = Quiet()
        self._told.hide()
        self.add(self._told)
        self._hits: list[QWidget] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(SNUG)
        self.column.addLayout(self._list)

    def show_found(self, found: Iterable[Mapping[str, Any]]) -> None:
        """Rows of the desk."""
        self.clear()
        for place, hit in enumerate(found):
            if place:
                self._put(Line())
            self._put(_hit(hit))
        self._told.say("" if self._hits else self.tr("Nothing fits. Other words may."))

    def clear(self) -> None:
        """Show nothing."""
        for hit in self._hits:
            self._list.removeWidget(hit)
            hit.hide()
            hit.deleteLater()
        self._hits = []
        self._told.say("")

    def _put(self, widget: QWidget) -> None:
        self._hits.append(widget)
        self._list.addWidget(widget)


def _hit(hit: Mapping[str, Any]) -> QWidget:
    text = " ".join(str(hit["text"]).split())
    words = Body(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")
    words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    shown = QWidget()
    column = QVBoxLayout(shown)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(TINY)
    column.addWidget(Subheading(str(hit["place"])))
    column.addWidget(words)
    column.addWidget(Fine(str(hit["file"])))
    return shown
