"""The card of whoever is chosen: what is known of them in sentences, a few at a time, and what can be done with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from companion.ui.graph_view.picture import USER
from companion.ui.pages.memory.fact import Fact, facts_of
from companion.ui.pages.memory.fact_row import FactEditor, FactRow
from companion.ui.theme import SMALL, TINY
from companion.ui.widgets import Column, Fine, Heading, IconButton, Line, LinkButton, Scroll

MOST_JOINED = 5
AT_ONCE = 12
"""Facts that are shown before more are asked for."""


@dataclass(frozen=True, slots=True)
class Somebody:
    """Whose card it is."""

    name: str
    label: str
    aliases: tuple[str, ...]
    facts: tuple[Fact, ...]

    @staticmethod
    def of(answer: Mapping[str, object]) -> Somebody:
        aliases = answer.get("aliases", ())
        names = tuple(map(str, aliases)) if isinstance(aliases, list | tuple) else ()
        name = str(answer.get("name", ""))
        return Somebody(name, str(answer.get("label", name)), names, tuple(facts_of(answer)))


class EntityCard(Scroll):
    """closed: it is put away. The others name what a person wants done: with a fact, or with all that is known.

    corrected: the fact, and what is right: subject, relation, object. parting: the id of a merge that is to be undone.
    """

    closed = Signal()
    around = Signal(str)
    renaming = Signal(str)
    merging = Signal(str)
    forgetting_all = Signal(str)
    forgetting = Signal(object)
    pinning = Signal(object, bool)
    corrected = Signal(object, str, str, str)
    parting = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._somebody: Somebody | None = None
        self._relations: list[tuple[str, str]] = []
        self._shown = AT_ONCE
        self._editing: int | None = None
        self._content: QWidget | None = None
        self._title = Heading()
        self._aliases = Fine()
        self._joined: list[QWidget] = []
        self.add(self._head())
        self.add(self._aliases)

    @property
    def somebody(self) -> Somebody | None:
        return self._somebody

    def know_relations(self, relations: Sequence[tuple[str, str]]) -> None:
        """Names of relations and their words, for correcting."""
        self._relations = list(relations)

    def show_somebody(self, somebody: Somebody) -> None:
        """Show what is known of somebody."""
        if self._somebody is None or self._somebody.name != somebody.name:
            self._shown = AT_ONCE
            self._editing = None
            self.verticalScrollBar().setValue(0)
        self._somebody = somebody
        self._title.say(self.tr("You") if somebody.name == USER else _capital(somebody.label))
        names = self.tr("Also known as {names}.").format(names=", ".join(somebody.aliases))
        self._aliases.say(names if somebody.aliases else "")
        self._fill()

    def show_joined(self, joined: Sequence[tuple[int, str]]) -> None:
        """Who went up in whoever is shown: the id of each merge, and the name."""
        for link in self._joined:
            self.inside.column.removeWidget(link)
            link.hide()
            link.deleteLater()
        self._joined = [self._part(number, name) for number, name in joined[:MOST_JOINED]]
        for link in self._joined:
            self.inside.column.insertWidget(2, link)

    def edit(self, fact: Fact) -> None:
        """Turn a fact into fields."""
        self._editing = fact.id
        self._fill()

    def end_editing(self) -> None:
        """Turn it back into a sentence."""
        self._editing = None
        self._fill()

    def _part(self, number: int, name: str) -> QWidget:
        return LinkButton(self.tr("Part it from “{name}” again").format(name=name), lambda: self.parting.emit(number))

    def _head(self) -> QWidget:
        head = QWidget()
        line = QHBoxLayout(head)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(TINY)
        line.addWidget(self._title, 1)
        self._more = IconButton("more", self.tr("More about this"), self._open_menu)
        line.addWidget(self._more)
        line.addWidget(IconButton("close", self.tr("Close the card"), self.closed.emit))
        return head

    def menu(self) -> QMenu:
        """What can be done with all that is known of somebody."""
        menu = QMenu(self)
        name = self._somebody.name if self._somebody else ""
        menu.addAction(self.tr("Show the surroundings"), lambda: self.around.emit(name))
        if name != USER:
            menu.addAction(self.tr("Rename…"), lambda: self.renaming.emit(name))
            menu.addAction(self.tr("This is the same as…"), lambda: self.merging.emit(name))
        menu.addSeparator()
        menu.addAction(self.tr("Forget everything about this"), lambda: self.forgetting_all.emit(name))
        return menu

    def _open_menu(self) -> None:
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft()))

    def _fill(self) -> None:
        if self._content is not None:
            self.inside.column.removeWidget(self._content)
            self._content.hide()
            self._content.deleteLater()
        facts = self._somebody.facts if self._somebody else ()
        self._content = Column(spacing=SMALL)
        for place, fact in enumerate(facts[: self._shown]):
            if place:
                self._content.add(Line())
            self._content.add(self._row(fact))
        left = len(facts) - self._shown
        if left > 0:
            self._content.add(LinkButton(self.tr("Show %n more", "", left), self._show_more))
        self.add(self._content)

    def _row(self, fact: Fact) -> QWidget:
        if fact.id == self._editing:
            editor = FactEditor(fact, self._relations)
            editor.saved.connect(lambda *right: self.corrected.emit(fact, *right))
            editor.given_up.connect(self.end_editing)
            return editor
        row = FactRow(fact)
        row.editing.connect(self.edit)
        row.forgetting.connect(self.forgetting)
        row.pinning.connect(self.pinning)
        return row

    def _show_more(self) -> None:
        self._shown += 4 * AT_ONCE
        self._fill()


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]
