"""The diagnostics bundle, shown before anything is saved: every text of it, and which of them go along."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from companion.app.control import Answer
from companion.ui.bridge import Bridge
from companion.ui.state import Fault
from companion.ui.theme import ROOMY, SNUG, WIDE
from companion.ui.widgets import Button, Fine, Heading, Notice, PrimaryButton, Quiet

FIRST_SIZE = (760, 560)
LIST_WIDTH = 190
FILE = "companion-diagnostics.zip"

AskWhere = Callable[[QWidget], str]


class BundleWindow(QDialog):
    """ask_where: asks the user for a file; empty where none was chosen."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None, *, ask_where: AskWhere | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._ask_where = ask_where or where_to_save
        self._id = ""
        self._texts: dict[str, str] = {}
        self.setWindowTitle(self.tr("Diagnostics bundle"))
        self.resize(*FIRST_SIZE)
        self.notice = Notice()
        self.notice.hide()
        self.list = QListWidget()
        self.list.setFixedWidth(LIST_WIDTH)
        self.list.setAccessibleName(self.tr("Parts of the bundle"))
        self.list.currentItemChanged.connect(lambda *_: self._show_text())
        self.list.itemChanged.connect(lambda _: self._check())
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(self.tr("What is in it"))
        self.save = PrimaryButton(self.tr("Save"), self._save)
        self.save.setEnabled(False)
        self.saved = Fine()
        self.saved.hide()
        self._lay_out()
        bridge.tend("health", "bundle", then=self._show, failed=self.notice.say, owner=self)

    @property
    def chosen(self) -> list[str]:
        """The names of the parts that go along."""
        items = [self.list.item(row) for row in range(self.list.count())]
        return [str(item.text()) for item in items if item.checkState() is Qt.CheckState.Checked]

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(WIDE, WIDE, WIDE, WIDE)
        column.setSpacing(SNUG)
        column.addWidget(Heading(self.tr("What would go to whoever helps you")))
        explained = self.tr(
            "Nothing has left this computer, and nothing does unless you send the file. What was said, names and "
            "places are taken out; look it over all the same, and leave out what you like."
        )
        column.addWidget(Quiet(explained))
        column.addWidget(self.notice)
        both = QHBoxLayout()
        both.setSpacing(ROOMY)
        both.addWidget(self.list)
        both.addWidget(self.text, 1)
        column.addLayout(both, 1)
        foot = QHBoxLayout()
        foot.setSpacing(SNUG)
        foot.addWidget(self.saved, 10)
        foot.addStretch(1)
        foot.addWidget(Button(self.tr("Close"), self.reject))
        foot.addWidget(self.save)
        column.addLayout(foot)

    def _show(self, answer: Answer) -> None:
        self._id = str(answer["id"])
        sheets: Sequence[Mapping[str, Any]] = answer["sheets"]  # type: ignore[assignment]
        self._texts = {str(sheet["name"]): str(sheet["text"]) for sheet in sheets}
        self.list.clear()
        for name in self._texts:
            item = QListWidgetItem(name, self.list)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
        self.list.setCurrentRow(0)
        self.list.setFocus()

    def _show_text(self) -> None:
        item = self.list.currentItem()
        self.text.setPlainText(self._texts.get(item.text(), "") if item is not None else "")

    def _check(self) -> None:
        self.save.setEnabled(bool(self._id and self.chosen))

    def _save(self) -> None:
        file = self._ask_where(self)
        if not file:
            return
        given = {"id": self._id, "file": file, "sheets": self.chosen}
        self._bridge.tend("health", "save", given, then=self._tell_saved, failed=self._tell_fault, owner=self)

    def _tell_saved(self, answer: Answer) -> None:
        self.notice.say(None)
        self.saved.say(self.tr("Saved as {file}.").format(file=answer["file"]), "good")

    def _tell_fault(self, fault: Fault) -> None:
        self.saved.say("")
        self.notice.say(fault)


def where_to_save(parent: QWidget) -> str:
    """Ask the user for a file. Empty where none was chosen."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    start = f"{folder}/{FILE}" if folder else FILE
    file, _ = QFileDialog.getSaveFileName(parent, "", start, "ZIP (*.zip)")
    return file if not file or file.lower().endswith(".zip") else f"{file}.zip"
