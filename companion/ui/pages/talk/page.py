"""The talk page: the conversation, a field to search it, the details of a turn, and the foot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QStackedLayout, QVBoxLayout, QWidget

from companion.app.orders import Ask
from companion.app.turn_notes import TurnNoted
from companion.ui.bridge import Bridge
from companion.ui.pages.page import Page
from companion.ui.pages.talk.ailment import Ailment
from companion.ui.pages.talk.beginning import Beginning
from companion.ui.pages.talk.foot import Foot
from companion.ui.pages.talk.model import TurnModel, row_of
from companion.ui.pages.talk.view import TurnView
from companion.ui.shortcuts import keys
from companion.ui.state import Engine, Fault, UiState
from companion.ui.theme import SMALL, WIDE, mark
from companion.ui.transcript import Row
from companion.ui.turn_details import TurnDetails, Verdicted
from companion.ui.turn_words import remark
from companion.ui.widgets import Drawer, LinkButton, Quiet, SearchField

PAGE = 60
"""Older turns that are loaded at a time."""
MOST_FOUND = 100
AGAIN_MS = 1000


class TalkPage(Page):
    """See the head of the file."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(bridge, parent)
        self._before = -1
        """Where the next older page of the past ends; 0 where there is none."""
        self._is_loading = False
        self.model = TurnModel(self)
        self.found = TurnModel(self)
        self.view = TurnView(self.model, remark)
        self.results = TurnView(self.found, remark)
        self.ailment = Ailment()
        self.beginning = Beginning()
        self.foot = Foot(bridge)
        self.search = SearchField(self.tr("Search the conversation"))
        self._count = Quiet()
        self._back = LinkButton(self.tr("Back to the conversation"), self.end_search)
        self._newest = LinkButton(self.tr("Go to the newest"), self.view.go_to_end, icon_name="down")
        self.drawer = Drawer(self)
        self.hold(self._laid_out())
        self._connect()
        self._bind_keys()

    # -- the page

    def draw(self, state: UiState) -> None:
        self.model.follow(state.transcript)
        self.foot.draw(state)
        self.beginning.draw(state)
        self.ailment.draw(state)
        self._show_what_there_is()

    def entered(self) -> None:
        if self._before < 0:
            self._load_older()
        self.foot.box.setFocus(Qt.FocusReason.OtherFocusReason)

    def left(self) -> None:
        self.foot.orb.release()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space talks, wherever nobody types."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.foot.orb.press()
        elif event.key() == Qt.Key.Key_Escape:
            self._escape()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.foot.orb.release()
        else:
            super().keyReleaseEvent(event)

    def ask(self, question: str) -> None:
        """Put a typed question."""
        self.end_search()
        self.view.go_to_end()
        self.bridge.ask(Ask(question), failed=self._refused, owner=self)

    # -- search

    def look_for(self, words: str) -> None:
        """Show the turns in which the words stand; without words, the conversation."""
        if not words:
            self._leave_results()
            return
        given = {"query": words, "limit": MOST_FOUND}
        self.bridge.tend("talk", "search", given, then=self._show_found, failed=self.complain, owner=self)

    def end_search(self) -> None:
        """Back to the conversation."""
        self.search.clear()
        self._leave_results()

    # -- details

    def show_details(self, row: Row) -> None:
        """Open the details of a turn in the drawer."""
        details = TurnDetails(row)
        details.verdicted.connect(lambda said: self._note(row, said))
        title = self.tr("Announcement") if row.is_news else self.tr("This turn")
        self.drawer.open_with(title, details)

    # -- parts

    def _laid_out(self) -> QWidget:
        whole = QWidget()
        mark(whole, "ground")
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        top = QHBoxLayout()
        top.setContentsMargins(WIDE, SMALL, WIDE, SMALL)
        top.addWidget(self._back)
        top.addWidget(self._count, 1)
        top.addStretch(1)
        top.addWidget(self.search)
        self.search.setMinimumWidth(240)
        column.addLayout(top)
        column.addWidget(self.ailment)
        self._shown = QStackedLayout()
        column.addLayout(self._shown, 1)
        for one in (self.beginning, self.view, self.results):
            self._shown.addWidget(one)
        column.addWidget(self._newest, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.foot)
        self._back.hide()
        self._count.hide()
        self._newest.hide()
        return whole

    def _connect(self) -> None:
        self.foot.asked.connect(self.ask)
        self.ailment.wants.connect(self.wants)
        self.beginning.tried.connect(self.ask)
        self.search.searched.connect(self.look_for)
        self.view.near_begin.connect(self._load_older)
        self.view.verticalScrollBar().valueChanged.connect(lambda _: self._show_newest_button())
        for view in (self.view, self.results):
            view.opened.connect(lambda place, shown=view: self.show_details(shown.turn(shown.model().index(place, 0))))
            view.customContextMenuRequested.connect(lambda point, shown=view: self._menu(shown, point))
        self.bridge.told.connect(self._told)

    def _bind_keys(self) -> None:
        where = self.tr("Talk")
        keys.bind(self, "Ctrl+F", self.tr("Search the conversation"), self.search.setFocus, where=where, inside=True)
        keys.bind(self, "Ctrl+C", self.tr("Copy the chosen turn"), self._copy_current, where=where, inside=True)
        keys.bind(self, "Ctrl+.", self.tr("Stop speaking and writing"), self.foot.be_quiet, where=where, inside=True)
        keys.tell("Space", self.tr("Talk; held down, until you let go"), where=where)
        keys.tell("Return", self.tr("Send what you typed, or open the details of the chosen turn"), where=where)

    # -- what goes on

    def _told(self, event: object) -> None:
        if isinstance(event, TurnNoted):
            for model in (self.model, self.found):
                model.noted(event.note)

    def _show_what_there_is(self) -> None:
        if self._back.isHidden():
            shown = self.view if self.model.rowCount() else self.beginning
            if self._shown.currentWidget() is not shown:
                self._shown.setCurrentWidget(shown)
            self._show_newest_button()

    def _show_newest_button(self) -> None:
        away = self._shown.currentWidget() is self.view and not self.view.is_at_end
        self._newest.setVisible(away)

    def _refused(self, fault: Fault) -> None:
        """A typed question without an answer says so in its own row, unless the engine could not even take it."""
        rows = self.bridge.state.transcript.rows
        if not rows or not rows[-1].problem or self.bridge.state.engine is not Engine.RUNNING:
            self.complain(fault)

    # -- the past

    def _load_older(self) -> None:
        if self._is_loading or not self._before or not self.model.has_room:
            return
        self._is_loading = True
        first = self.model.first_at
        until = first.isoformat() if first is not None and self._before < 0 else ""
        given = {"before": self._before, "limit": PAGE, "until": until}
        self.bridge.tend("talk", "older", given, then=self._loaded, failed=self._not_loaded, owner=self)

    def _loaded(self, answer: Mapping[str, object]) -> None:
        self._is_loading = False
        before = answer.get("before", 0)
        self._before = before if isinstance(before, int) else 0
        rows = _rows(answer)
        self.model.put_before(rows)
        self._show_what_there_is()
        if not rows:
            self._load_older()

    def _not_loaded(self, fault: Fault) -> None:
        """While the engine starts it is asked again."""
        self._is_loading = False
        if self.bridge.state.is_ready:
            self._before = 0
            self.complain(fault)
        else:
            QTimer.singleShot(AGAIN_MS, self, self._load_older)

    def _show_found(self, answer: Mapping[str, object]) -> None:
        if not self.search.text().strip():
            return
        rows = list(reversed(_rows(answer)))
        self.found.show_only(rows)
        self.results.go_to_end()
        self._count.say(self._counted(len(rows), is_more=bool(answer.get("more"))))
        self._back.show()
        self._shown.setCurrentWidget(self.results)
        self._newest.hide()

    def _counted(self, count: int, *, is_more: bool) -> str:
        if not count:
            return self.tr("Nothing was found.")
        if is_more:
            return self.tr("The newest %n turns that were found", "", count)
        return self.tr("%n turns found", "", count)

    def _leave_results(self) -> None:
        if not self._back.isHidden():
            self._back.hide()
            self._count.hide()
            self.found.show_only(())
            self._show_what_there_is()

    def _escape(self) -> None:
        if self.drawer.is_open:
            self.drawer.close_drawer()
        elif not self._back.isHidden():
            self.end_search()
        elif self.foot.stop.isVisible():
            self.foot.be_quiet()

    # -- one turn

    def _note(self, row: Row, said: Verdicted) -> None:
        assert row.at is not None
        given = {"at": row.at.isoformat(), "asked": row.asked, "said": row.answer[: row.said_to]}
        given |= {"verdict": said.verdict.value, "note": said.note, "source": row.record.source if row.record else ""}
        self.bridge.tend("talk", "note", given, failed=self.complain, owner=self)

    def _menu(self, view: TurnView, point: QPoint) -> None:
        index = view.indexAt(point)
        if not index.isValid():
            return
        row = view.turn(index)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if row.asked:
            menu.addAction(self.tr("Copy the question"), lambda: copy(row.asked))
        if row.answer:
            menu.addAction(self.tr("Copy the answer"), lambda: copy(row.answer))
        menu.addAction(self.tr("Details"), lambda: self.show_details(row))
        menu.popup(view.viewport().mapToGlobal(point))

    def _copy_current(self) -> None:
        view = self.results if self._shown.currentWidget() is self.results else self.view
        index = view.currentIndex()
        if index.isValid():
            row = view.turn(index)
            copy("\n".join(part for part in (row.asked, row.answer) if part))


def copy(text: str) -> None:
    """Put it on the clipboard."""
    QGuiApplication.clipboard().setText(text)


def _rows(answer: Mapping[str, object]) -> Sequence[Row]:
    turns = answer.get("turns")
    return [row_of(turn) for turn in turns if isinstance(turn, dict)] if isinstance(turns, list) else []
