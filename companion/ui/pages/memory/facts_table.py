"""The same as a list: every fact a line, fetched a page at a time; for the keyboard, screen readers and searching."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QVBoxLayout, QWidget

from companion.ui.pages.memory.fact import Fact, facts_of
from companion.ui.theme import SNUG, look
from companion.ui.widgets import EmptyState, plain

PAGE = 100
"""Facts that are fetched at a time."""
SENTENCE, SOURCE = 0, 1

Index = QModelIndex | QPersistentModelIndex
Fetch = Callable[[int], object]
"""Asks for the facts from a place on."""


class FactsModel(QAbstractTableModel):
    """fetch: asks for a page; the answer comes by ``take``."""

    def __init__(self, fetch: Fetch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fetch = fetch
        self._facts: list[Fact] = []
        self._total = 0
        self._is_fetching = False

    @property
    def total(self) -> int:
        """How many there are, fetched or not."""
        return self._total

    def begin(self) -> None:
        """Fetch everything anew."""
        self._is_fetching = True
        self._fetch(0)

    def take(self, answer: Mapping[str, object]) -> None:
        """A page is there."""
        self._is_fetching = False
        offset, total = answer.get("offset", 0), answer.get("total", 0)
        found = facts_of(answer)
        self._total = total if isinstance(total, int) else len(found)
        if offset == 0:
            self.beginResetModel()
            self._facts = found
            self.endResetModel()
        elif offset == len(self._facts) and found:
            self.beginInsertRows(QModelIndex(), len(self._facts), len(self._facts) + len(found) - 1)
            self._facts += found
            self.endInsertRows()

    def fact(self, row: int) -> Fact | None:
        return self._facts[row] if 0 <= row < len(self._facts) else None

    # -- Qt

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        return 0 if parent.isValid() else len(self._facts)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 2

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and not self._is_fetching and len(self._facts) < self._total

    def fetchMore(self, parent: Index) -> None:
        self._is_fetching = True
        self._fetch(len(self._facts))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        fact = self.fact(index.row())
        if fact is None:
            return None
        text = fact.sentence if index.column() == SENTENCE else fact.source
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return text
            case Qt.ItemDataRole.ToolTipRole:
                return plain.tip(text)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{fact.sentence} {fact.source}" if index.column() == SENTENCE else text
            case Qt.ItemDataRole.ForegroundRole if index.column() == SOURCE or not fact.is_held:
                return look().colour("quiet")
            case Qt.ItemDataRole.FontRole if fact.is_pinned and index.column() == SENTENCE:
                font = QFont()
                font.setBold(True)
                return font
            case _:
                return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("What I know"), self.tr("From whom, and when"))[section]
        return None


class FactsTable(QWidget):
    """chosen: the fact the cursor is at. forgetting: the fact that Delete was pressed on."""

    chosen = Signal(object)
    forgetting = Signal(object)

    def __init__(self, fetch: Fetch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = FactsModel(fetch, self)
        self.table = _Table()
        self.table.setAccessibleName(self.tr("What is remembered, as a list"))
        self.table.setModel(self.model)
        self.table.horizontalHeader().setSectionResizeMode(SENTENCE, QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setSectionResizeMode(SOURCE, QHeaderView.ResizeMode.Interactive)
        self.table.setColumnWidth(SOURCE, look().size(230))
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._tell(now))
        self.table.deleted.connect(self._forget)
        self.table.entered_row.connect(lambda: self._tell(self.table.currentIndex()))
        self.nothing = EmptyState("search", self.tr("Nothing fits"), self.tr("Try another word, or empty the field."))
        self.nothing.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(SNUG, 0, SNUG, SNUG)
        column.addWidget(self.table, 1)
        column.addWidget(self.nothing, 1)

    def take(self, answer: Mapping[str, object]) -> None:
        """A page is there; the line that was chosen stays so, or the one that took its place."""
        row = self.table.currentIndex().row()
        self.model.take(answer)
        self.table.setVisible(self.model.total > 0)
        self.nothing.setVisible(self.model.total == 0)
        if answer.get("offset", 0) == 0 and row >= 0 and self.model.rowCount():
            place = min(row, self.model.rowCount() - 1)
            self.table.selectionModel().blockSignals(True)
            self.table.selectRow(place)
            self.table.selectionModel().blockSignals(False)

    def _tell(self, index: QModelIndex) -> None:
        fact = self.model.fact(index.row())
        if fact is not None:
            self.chosen.emit(fact)

    def _forget(self) -> None:
        fact = self.model.fact(self.table.currentIndex().row())
        if fact is not None:
            self.forgetting.emit(fact)


class _Table(QTableView):
    """Whole lines; Delete and Enter are told. Nobody is chosen by the focus alone."""

    deleted = Signal()
    entered_row = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(look().size(36))
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.deleted.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered_row.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        chosen = self.selectionModel()
        was = chosen.blockSignals(True)
        super().focusInEvent(event)
        chosen.blockSignals(was)
