"""The memory page: the picture or the list on the left, and on the right the card of whoever is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from PySide6.QtCore import QDateTime, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from companion.app.control import Answer
from companion.app.events import EngineStarted, Ready
from companion.ui.bridge import Bridge
from companion.ui.graph_view.picture import USER
from companion.ui.pages.memory.card import EntityCard, Somebody
from companion.ui.pages.memory.carrying import Carrying
from companion.ui.pages.memory.changing import Changing
from companion.ui.pages.memory.fact import Fact
from companion.ui.pages.memory.facts_table import PAGE, FactsTable
from companion.ui.pages.memory.overview import Overview
from companion.ui.pages.memory.stage import Stage
from companion.ui.pages.memory.toolbar import Toolbar
from companion.ui.pages.memory.wishes import Wishes
from companion.ui.pages.page import Page
from companion.ui.shortcuts import keys
from companion.ui.state import Fault
from companion.ui.theme import SMALL, WIDE, look, mark
from companion.ui.widgets import EmptyState, Notice
from companion.voice.events import Spoken

LEARNED_MS = 1500
"""Milliseconds after an answer in which what was said may have become a fact."""
LEAST_CARD, LEAST_SHARE = 304, 0.46
"""Pixels of the right third, before the user's scale of type; and the most of the page that it may take by that."""


class MemoryPage(Page):
    """Shows what the desks tell; asks them again when something was said, learned or changed."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self.wishes = Wishes(bridge, self)
        self.toolbar, self.stage, self.card, self.overview = Toolbar(), Stage(), EntityCard(), Overview()
        self.table = FactsTable(self._fetch_page)
        self.nothing = EmptyState(
            "memory",
            self.tr("I don't remember anything yet"),
            self.tr(
                "Talk with me, or write something on the right. What I learn appears here, with who told me and when."
            ),
        )
        self.off = EmptyState(
            "memory",
            self.tr("My memory cannot be seen"),
            self.tr("What I know is safe. I can talk with you all the same."),
            action=self.tr("Open the settings"),
            on_action=lambda: self.wants.emit("settings/everything"),
        )
        self.done = Notice(closable=True, kind="calm")
        self.done.hide()
        self.changing = Changing(self, self.wishes, self._changed_memory)
        self.carrying = Carrying(self, self.wishes, self.done, lambda: self._changed_memory(""))
        self._about, self._chosen, self._typed = "", "", ""
        self._has_all = False
        self._left, self._right = QStackedWidget(), QStackedWidget()
        self._learned = QTimer(self)
        self._learned.setSingleShot(True)
        self._learned.setInterval(LEARNED_MS)
        self._learned.timeout.connect(self._fetch)
        self.hold(self._laid_out())
        self._connect()
        self._bind_keys()

    # -- as a page

    def entered(self) -> None:
        self.wishes.relations(self._take_relations)
        self._fetch()

    def left(self) -> None:
        self._learned.stop()

    def choose(self, name: str) -> None:
        """Show the card of somebody, in the picture too."""
        dot = self.stage.view.picture.named(name)
        if dot is not None:
            self.stage.view.choose(dot.id)
        else:
            self.go_to(name)

    def go_to(self, name: str) -> None:
        """Show the surroundings of somebody."""
        self._about, self._chosen, self._has_all = name, name, False
        self._fetch()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._right.setMinimumWidth(min(look().size(LEAST_CARD), int(self.width() * LEAST_SHARE)))

    # -- fetching

    def _fetch(self) -> None:
        """All that is shown, anew."""
        self.wishes.look(self._about, self._take_look, self._look_failed, all_of_it=self._has_all)
        self.wishes.months(lambda answer: self.stage.strip.show_months(_rows(answer, "months")))
        self.wishes.counts(self._take_counts)
        self.wishes.alike(self._take_pairs)
        if self._chosen:
            self._fetch_card(self._chosen)
        if self.toolbar.list.isChecked():
            self.table.model.begin()

    def _fetch_page(self, offset: int) -> None:
        typed = self._typed

        def take(answer: Answer) -> None:
            if typed == self._typed:
                self.table.take(answer)

        self.wishes.page_of(typed, offset, PAGE, take)

    def _take_look(self, answer: Answer) -> None:
        self.notice.say(None)
        self._right.show()
        if not answer.get("total"):
            self._left.setCurrentWidget(self.nothing)
        around = "" if self._about == USER else self._about
        self.stage.show_answer(answer, now=QDateTime.currentMSecsSinceEpoch(), has_all=self._has_all, around=around)

    def _look_failed(self, fault: Fault) -> None:
        if self._about:  # whoever stood in the middle was forgotten
            self._about = ""
            self._fetch()
        else:
            self.complain(fault)
            self._left.setCurrentWidget(self.off)
            self._right.hide()

    def _take_counts(self, answer: Answer) -> None:
        facts, names = cast(int, answer.get("facts", 0)), cast(int, answer.get("entities", 0))
        problems = answer.get("problems", ())
        self.overview.show_counts(facts, names, list(cast(Iterable[str], problems)))

    def _take_pairs(self, answer: Answer) -> None:
        self.overview.show_pairs([(row["source"], row["target"]) for row in _rows(answer, "pairs")])

    def _take_relations(self, answer: Answer) -> None:
        self.card.know_relations([(row["name"], row["words"]) for row in _rows(answer, "relations")])

    def _fetch_card(self, name: str) -> None:
        """Show the card of somebody, if it is still wanted when it comes."""
        self._chosen = name

        def take(answer: Answer) -> None:
            if name == self._chosen:
                somebody = Somebody.of(answer)
                self._chosen = somebody.name
                self.card.show_somebody(somebody)
                self.wishes.merges(lambda answer: self._take_merges(somebody.name, answer))
                self._right.setCurrentWidget(self.card)

        self.wishes.card(name, take, lambda _: self._close_card())

    def _take_merges(self, name: str, answer: Answer) -> None:
        if name == self._chosen:
            joined = [(row["id"], row["source"]) for row in _rows(answer, "merges") if row["target"] == name]
            self.card.show_joined(joined)

    def _drawn(self) -> None:
        """A picture is there: whoever was chosen is chosen in it."""
        self._show_left()
        dot = self.stage.view.picture.named(self._chosen) if self._chosen else None
        if dot is not None and self.stage.view.chosen_id != dot.id:
            self.stage.view.choose(dot.id)

    # -- what a person does

    def _chose(self, number: int) -> None:
        dot = self.stage.view.picture.dots.get(number)
        if dot is None:
            if self._left.currentWidget() is self.stage:
                self._close_card()
            return
        if dot.name != self._chosen:
            self._fetch_card(dot.name)

    def _chose_fact(self, fact: Fact) -> None:
        self._fetch_card(fact.subject)

    def _close_card(self) -> None:
        self._chosen = ""
        self._right.setCurrentWidget(self.overview)
        if self.stage.view.chosen_id:
            self.stage.view.choose(0)

    def _enter_dot(self, number: int) -> None:
        dot = self.stage.view.picture.dots.get(number)
        if dot is not None:
            self.go_to(dot.name)

    def _want_all(self, has_all: bool) -> None:
        self._has_all = has_all
        self._about = ""
        self._fetch()

    def _want_list(self, is_list: bool) -> None:
        self._show_left()
        if is_list:
            self.table.model.begin()

    def _show_left(self) -> None:
        """The list, the picture, or a word on how to begin where there is nothing in it."""
        if self.toolbar.list.isChecked():
            self._left.setCurrentWidget(self.table)
        else:
            self._left.setCurrentWidget(self.stage if self.stage.view.picture.dots else self.nothing)

    def _type(self, typed: str) -> None:
        self._typed = typed
        self.wishes.names(typed, lambda answer: self.toolbar.suggest([str(name) for name in _rows(answer, "names")]))
        if self.toolbar.list.isChecked():
            self.table.model.begin()

    def _tell(self, text: str) -> None:
        def told(answer: Answer) -> None:
            added = _rows(answer, "added")
            self.overview.clear()
            words = self.tr("I'll remember that.") if added else self.tr("I knew that already.")
            self.done.say(Fault(words))
            self._changed_memory("")

        self.wishes.tell(text, told)

    def _changed_memory(self, name: str) -> None:
        """Something is different now; name: what the chosen one is called now."""
        if name:
            self._chosen = name
            self._about = name if self._about else ""
        self.card.end_editing()
        self._fetch()

    def _told(self, event: object) -> None:
        if not self.isVisible():
            return
        if isinstance(event, Spoken):
            self._learned.start()
        elif isinstance(event, EngineStarted | Ready):
            self._fetch()

    # -- parts

    def _laid_out(self) -> QWidget:
        for widget in (self.stage, self.table, self.nothing, self.off):
            self._left.addWidget(widget)
        for beside in (self.overview, self.card):
            self._right.addWidget(beside)
        line = QFrame()
        line.setFixedWidth(1)
        mark(line, "line")
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self._left, 2)
        row.addWidget(line)
        row.addWidget(self._right, 1)
        content = QWidget()
        mark(content, "ground")
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        told = QHBoxLayout()
        told.setContentsMargins(WIDE, SMALL, WIDE, 0)
        told.addWidget(self.done)
        column.addLayout(told)
        column.addWidget(self.toolbar)
        column.addLayout(row, 1)
        return content

    def _connect(self) -> None:
        view, changing, card = self.stage.view, self.changing, self.card
        view.chosen.connect(self._chose)
        view.entered.connect(self._enter_dot)
        view.placed.connect(self.wishes.place)
        view.ready.connect(self._drawn)
        self.stage.wanting_all.connect(self._want_all)
        self.stage.wanting_whole.connect(lambda: self._want_all(False))
        card.closed.connect(self._close_card)
        card.around.connect(self.go_to)
        card.renaming.connect(changing.ask_new_name)
        card.merging.connect(changing.ask_who_is_the_same)
        card.forgetting_all.connect(changing.forget_all)
        card.forgetting.connect(changing.forget)
        card.pinning.connect(changing.pin)
        card.corrected.connect(changing.correct)
        card.parting.connect(changing.part)
        self.table.chosen.connect(self._chose_fact)
        self.table.forgetting.connect(changing.forget)
        self.overview.telling.connect(self._tell)
        self.overview.same.connect(changing.join)
        self.overview.different.connect(changing.keep_apart)
        toolbar = self.toolbar
        toolbar.typed.connect(self._type)
        toolbar.found.connect(self.choose)
        toolbar.listing.connect(self._want_list)
        toolbar.exporting.connect(self.carrying.export)
        toolbar.importing.connect(self.carrying.bring_in)
        toolbar.saving.connect(self.carrying.back_up)
        toolbar.restoring.connect(self.carrying.restore)
        self.bridge.told.connect(self._told)

    def _bind_keys(self) -> None:
        where = self.tr("Memory")
        keys.bind(self, "/", self.tr("Find a name"), self.toolbar.field.setFocus, where=where, inside=True)
        told = {
            self.tr("Arrow keys"): self.tr("Go to the nearest one in that direction"),
            self.tr("Shift and arrow keys"): self.tr("Move the picture"),
            self.tr("Plus, minus"): self.tr("Larger, smaller"),
            "0": self.tr("Show the whole picture"),
            self.tr("Enter"): self.tr("Show the surroundings of the chosen one"),
        }
        for key, does in told.items():
            keys.tell(key, does, where=where)


def _rows(answer: Answer, name: str) -> list[Any]:
    return list(cast(Iterable[Mapping[str, Any]], answer.get(name, ())))
