"""Carries the memory elsewhere and back: export, import, backups; says when it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QMessageBox

from companion.ui.pages.memory.fact import backup_in_words
from companion.ui.pages.memory.wishes import Wishes
from companion.ui.pages.page import Page
from companion.ui.state import Fault
from companion.ui.widgets import Notice


class Carrying(QObject):
    """told: shows what was done. changed: called when the memory is another one now."""

    def __init__(self, page: Page, wishes: Wishes, told: Notice, changed: Callable[[], object]) -> None:
        super().__init__(page)
        self._page = page
        self._wishes = wishes
        self._told = told
        self._changed = changed

    def export(self) -> None:
        """Ask where to, and write everything there."""
        kinds = self.tr("Memory (*.json);;For graph programs (*.graphml);;Picture (*.svg)")
        file, _ = QFileDialog.getSaveFileName(self._page, self.tr("Export what I remember"), self._proposed(), kinds)
        if file:
            self.export_to(file)

    def export_to(self, file: str) -> None:
        if file.lower().endswith(".svg"):
            drawn = self.tr("The picture is in {file}.")
            self._wishes.carry("graph", {"file": file}, lambda answer: self._say(drawn, answer))
        else:
            done = self.tr("{facts} facts are in {file}.")
            self._wishes.carry("export", {"file": file}, lambda answer: self._say(done, answer))

    def bring_in(self) -> None:
        """Ask which file, and add what it holds."""
        file, _ = QFileDialog.getOpenFileName(
            self._page, self.tr("Import what was exported"), self._home(), self.tr("Memory (*.json)")
        )
        if file:
            self.bring_in_from(file)

    def bring_in_from(self, file: str) -> None:
        def brought(answer: Mapping[str, object]) -> None:
            self._say(self.tr("{facts} facts were added, {known} were known already, {refused} were refused."), answer)
            self._changed()

        self._wishes.carry("import", {"file": file}, brought)

    def back_up(self) -> None:
        """Copy the memory as it is now."""
        self._wishes.carry("backup", {}, lambda answer: self._say(self.tr("A backup was made: {file}"), answer))

    def restore(self) -> None:
        """Ask whether to go back to the newest backup."""
        self._wishes.carry("backups", {}, self._ask_to_restore)

    def go_back(self) -> None:
        """Go back to the newest backup."""

        def restored(answer: Mapping[str, object]) -> None:
            words = self.tr("I remember again what I knew on {moment}.")
            self._told.say(Fault(words.format(moment=backup_in_words(str(answer.get("restored", ""))))))
            self._changed()

        self._wishes.carry("restore", {}, restored)

    def _ask_to_restore(self, answer: Mapping[str, object]) -> None:
        files = answer.get("files")
        if not isinstance(files, list | tuple) or not files:
            self._page.complain(Fault(self.tr("There is no backup yet"), self.tr("Make one from the same menu")))
            return
        asking = QMessageBox(self._page)
        asking.setIcon(QMessageBox.Icon.Question)
        asking.setText(self.tr("Go back to the newest backup?"))
        told = self.tr("It was made on {moment}. What I learned since then is set aside.")
        asking.setInformativeText(told.format(moment=backup_in_words(str(files[-1]))))
        asking.setStandardButtons(QMessageBox.StandardButton.Cancel)
        yes = asking.addButton(self.tr("Go back"), QMessageBox.ButtonRole.AcceptRole)
        yes.clicked.connect(self.go_back)
        asking.finished.connect(asking.deleteLater)
        asking.open()

    def _say(self, words: str, answer: Mapping[str, object]) -> None:
        self._told.say(Fault(words.format(**answer)))

    def _proposed(self) -> str:
        return f"{self._home()}/companion-memory.json"

    def _home(self) -> str:
        return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
