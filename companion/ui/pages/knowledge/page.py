"""The knowledge page. Asks the desks when it is entered, when something was changed, and when the index is done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from PySide6.QtCore import QStandardPaths, QTimer
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from companion.app.control import Answer
from companion.app.events import EngineStarted, Finished, Ready
from companion.app.minding.index_progress import TASK
from companion.ui.bridge import Bridge
from companion.ui.pages.knowledge.folders import FoldersCard
from companion.ui.pages.knowledge.note_editor import NoteEditor
from companion.ui.pages.knowledge.notes import NotesCard
from companion.ui.pages.knowledge.trial import TrialCard
from companion.ui.pages.page import Page
from companion.ui.state import Fault, UiState
from companion.ui.theme import TINY
from companion.ui.widgets import Body, Card, Display, Drawer, Fine, Quiet, Scroll
from companion.ui.widgets.notice import sentence, told_fault

MOST_TROUBLES = 8
RENEW_MS = 5000
"""Milliseconds between two looks at the numbers while the index is made."""


class KnowledgePage(Page):
    """See the head of the file."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self.folders, self.notes, self.trial = FoldersCard(), NotesCard(), TrialCard()
        self.troubles = TroublesCard()
        self.troubles.hide()
        scroll = Scroll()
        explanation = self.tr("Your own documents and notes. I look into them when you ask about something in them.")
        for part in (Display(self.tr("Knowledge")), Quiet(explanation)):
            scroll.add(part)
        for card in (self.trial, self.folders, self.notes, self.troubles):
            scroll.add(card)
        self.hold(scroll)
        self.drawer = Drawer(self)
        self._sought = ""
        self._renew = QTimer(self)
        self._renew.setInterval(RENEW_MS)
        self._renew.timeout.connect(self._fetch_folders)
        self._connect()

    def entered(self) -> None:
        self._fetch()

    def left(self) -> None:
        self._renew.stop()

    def draw(self, state: UiState) -> None:
        task = state.task(TASK)
        self.folders.show_task(task)
        is_going = task is not None and not task.is_over
        if is_going and not self._renew.isActive():
            self._renew.start()
        elif not is_going:
            self._renew.stop()

    def add_folder(self, folder: str) -> None:
        """Search a folder from now on."""
        self._name("name", folder)

    # -- fetching

    def _fetch(self) -> None:
        self._fetch_folders()
        self._ask("knowledge", "list", self._take_list)
        if self._sought:
            self._search(self._sought)

    def _fetch_folders(self) -> None:
        self._ask("knowledge", "folders", self._take_folders, quick=True)

    def _take_folders(self, answer: Answer) -> None:
        self.folders.show_folders(_rows(answer, "folders"))

    def _take_list(self, answer: Answer) -> None:
        self.notes.show_notes(_rows(answer, "pieces"))
        self.troubles.show_troubles(_rows(answer, "problems"))

    def _told(self, event: object) -> None:
        if self.isVisible() and isinstance(event, Finished | EngineStarted | Ready):
            if isinstance(event, Finished) and event.task != TASK:
                return
            self._fetch()

    # -- what a person does

    def _choose_folder(self) -> None:
        home = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        folder = QFileDialog.getExistingDirectory(self, self.tr("Which folder shall I search?"), home)
        if folder:
            self.add_folder(folder)

    def _drop_folder(self, folder: str) -> None:
        words = self.tr("{folder} is not searched any more.").format(folder=folder)
        self._name("unname", folder, lambda: self.undo.offer(words, lambda: self.add_folder(folder)))

    def _name(self, action: str, folder: str, done: Any = None) -> None:
        def named(answer: Answer) -> None:
            self.notice.say(None)
            self._take_folders(answer)
            self._look_again()
            if done is not None:
                done()

        self._ask("knowledge", action, named, folder=folder, quick=True)

    def _look_again(self) -> None:
        self._ask("notes", "renew", lambda _: None)

    def _stop(self) -> None:
        self._ask("notes", "cancel", lambda _: self._fetch())

    def _search(self, words: str) -> None:
        self._sought = words
        if not words:
            self.trial.clear()
            return

        def found(answer: Answer) -> None:
            if words == self._sought:
                self.trial.show_found(_rows(answer, "found"))

        self._ask("knowledge", "search", found, query=words, quick=True)

    def _write_note(self) -> None:
        self._open(NoteEditor(), self.tr("A new note"), is_new=True)

    def _open_note(self, name: str) -> None:
        def read(answer: Answer) -> None:
            self._open(NoteEditor(name, str(answer.get("text", ""))), name, is_new=False)

        self._ask("notes", "read", read, name=name)

    def _open(self, editor: NoteEditor, title: str, *, is_new: bool) -> None:
        editor.saved.connect(lambda name, text: self._save(editor, name, text, is_new=is_new))
        self.drawer.open_with(title, editor)
        (editor.name if is_new else editor.text).setFocus()

    def _save(self, editor: NoteEditor, name: str, text: str, *, is_new: bool) -> None:
        def saved(answer: Answer) -> None:
            self.drawer.close_drawer()
            self._fetch()

        def failed(fault: Fault) -> None:
            editor.complain(told_fault(fault))

        given = {"name": name, "text": text, "replace": not is_new}
        self.bridge.tend("notes", "write", given, then=saved, failed=failed, owner=editor)

    def _remove_note(self, name: str) -> None:
        def removed(answer: Answer) -> None:
            self._fetch()
            self.undo.offer(self.tr("The note {name} is removed.").format(name=name), put_back)

        def put_back() -> None:
            self._ask("notes", "put_back", lambda _: self._fetch(), name=name)

        self._ask("notes", "remove", removed, name=name)

    # -- parts

    def _ask(self, desk: str, action: str, then: Any, **given: object) -> None:
        self.bridge.tend(desk, action, given, then=then, failed=self.complain, owner=self)

    def _connect(self) -> None:
        self.folders.adding.connect(self._choose_folder)
        self.folders.dropping.connect(self._drop_folder)
        self.folders.renewing.connect(self._look_again)
        self.folders.stopping.connect(self._stop)
        self.notes.writing.connect(self._write_note)
        self.notes.opening.connect(self._open_note)
        self.notes.removing.connect(self._remove_note)
        self.trial.searched.connect(self._search)
        self.bridge.told.connect(self._told)


class TroublesCard(Card):
    """Files that cannot be read, and why."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("What I cannot read"), "", parent)
        self._rows: list[QWidget] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(TINY)
        self.column.addLayout(self._list)
        self._more = Fine()
        self.add(self._more)

    def show_troubles(self, troubles: list[Mapping[str, Any]]) -> None:
        """Rows of the desk; without any the card is not there."""
        for row in self._rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = []
        for trouble in troubles[:MOST_TROUBLES]:
            for words in (Body(str(trouble["file"])), Fine(sentence(str(trouble["reason"])))):
                self._rows.append(words)
                self._list.addWidget(words)
        left = len(troubles) - MOST_TROUBLES
        self._more.say(self.tr("And %n more.", "", left) if left > 0 else "")
        self.setVisible(bool(troubles))


def _rows(answer: Answer, name: str) -> list[Mapping[str, Any]]:
    return list(cast(Iterable[Mapping[str, Any]], answer.get(name, ())))
