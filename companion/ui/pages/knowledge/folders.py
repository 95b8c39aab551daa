"""The card of the folders that are searched: what is in each, how far the index is, and a way to add or drop one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from companion.ui.icons import pixmap
from companion.ui.state import Task
from companion.ui.theme import ICON, SNUG, TINY, looks
from companion.ui.widgets import Body, Button, Card, Fine, IconButton, ProgressRow, Quiet


class FoldersCard(Card):
    """adding: a folder is to be chosen. dropping: this one shall not be searched any more. renewing: look again now."""

    adding = Signal()
    dropping = Signal(str)
    renewing = Signal()
    stopping = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        explanation = self.tr(
            "I search the texts, web pages, PDF and Word files in them. Nothing in them is ever changed."
        )
        super().__init__(self.tr("Folders"), explanation, parent)
        self._rows: list[QWidget] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(TINY)
        self.column.addLayout(self._list)
        self._nothing = Quiet(self.tr("No folder yet."))
        self.add(self._nothing)
        self.progress = ProgressRow(self.tr("Reading your documents"), self.stopping.emit)
        self.progress.hide()
        self.add(self.progress)
        self.add_beside(
            Button(self.tr("Add a folder…"), self.adding.emit, icon_name="add"),
            Button(self.tr("Look again now"), self.renewing.emit, icon_name="refresh"),
        )

    def show_folders(self, folders: Iterable[Mapping[str, Any]]) -> None:
        """Rows of the desk."""
        for row in self._rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = [self._row(folder) for folder in folders]
        for row in self._rows:
            self._list.addWidget(row)
        self._nothing.setVisible(not self._rows)

    def show_task(self, task: Task | None) -> None:
        """How far the index is; what is done is shown no more, what failed is."""
        is_over = task is not None and task.is_over and task.fault is None
        self.progress.show_task(None if is_over else task)

    def _row(self, folder: Mapping[str, Any]) -> QWidget:
        return _Folder(folder, lambda: self.dropping.emit(folder["folder"]))


class _Folder(QWidget):
    def __init__(self, folder: Mapping[str, Any], on_drop: object) -> None:
        super().__init__()
        self._picture = QLabel()
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(Body(folder["folder"]))
        words.addWidget(Fine(self._told(folder)))
        drop = IconButton("trash", self.tr("Search this folder no more"), on_drop)  # type: ignore[arg-type]
        drop.setAccessibleName(self.tr("Search {folder} no more").format(folder=folder["folder"]))
        line = QHBoxLayout(self)
        line.setContentsMargins(0, TINY, 0, TINY)
        line.setSpacing(SNUG)
        line.addWidget(self._picture)
        line.addLayout(words, 1)
        line.addWidget(drop)
        self._draw()
        looks.changed.connect(self._draw)

    def _told(self, folder: Mapping[str, Any]) -> str:
        files = self.tr("%n file(s)", "", folder["files"])
        passages = self.tr("%n passage(s)", "", folder["passages"])
        if folder["problems"]:
            unread = self.tr("%n cannot be read", "", folder["problems"])
            return self.tr("{files}, {passages}, {unread}").format(files=files, passages=passages, unread=unread)
        return self.tr("{files}, {passages}").format(files=files, passages=passages)

    def _draw(self) -> None:
        self._picture.setPixmap(pixmap("folder", "quiet", ICON))
