"""The head of the memory page: find a name, picture or list, and a menu to carry the memory elsewhere and back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QCompleter, QHBoxLayout, QMenu, QToolButton, QWidget

from companion.ui.icons import icon
from companion.ui.theme import SMALL, SNUG
from companion.ui.widgets import IconButton, SearchField


class Toolbar(QWidget):
    """typed: what is in the field, for suggestions and the list. found: a name that was chosen. listing: whether the
    list is wanted. exporting, importing, saving, restoring: chosen in the menu.
    """

    typed = Signal(str)
    found = Signal(str)
    listing = Signal(bool)
    exporting = Signal()
    importing = Signal()
    saving = Signal()
    restoring = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = SearchField(self.tr("Find a name"))
        self._names = QStringListModel(self)
        self._completer = QCompleter(self._names, self)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.field.setCompleter(self._completer)
        self.field.searched.connect(self.typed)
        self.field.returnPressed.connect(self._enter)
        self._completer.activated.connect(self.found)
        self._group = QButtonGroup(self)
        self.picture = self._choice("graph", self.tr("As a picture"), is_on=True)
        self.list = self._choice("list", self.tr("As a list"), is_on=False)
        self.list.toggled.connect(self.listing)
        self._more = IconButton("more", self.tr("Export, import and backups"), self._open_menu)
        line = QHBoxLayout(self)
        line.setContentsMargins(SNUG, SMALL, SNUG, SMALL)
        line.setSpacing(SMALL)
        line.addWidget(self.field, 1)
        for button in (self.picture, self.list, self._more):
            line.addWidget(button)

    def suggest(self, names: Sequence[str]) -> None:
        """Offer names that begin as what was typed."""
        self._names.setStringList(list(names))
        if names and self.field.hasFocus() and self.field.text().strip():
            self._completer.complete()
        else:
            self._close_names()

    def menu(self) -> QMenu:
        """To carry the memory elsewhere, and back."""
        menu = QMenu(self)
        menu.addAction(icon("export"), self.tr("Export…"), self.exporting.emit)
        menu.addAction(icon("import"), self.tr("Import…"), self.importing.emit)
        menu.addSeparator()
        menu.addAction(icon("backup"), self.tr("Back up now"), self.saving.emit)
        menu.addAction(icon("undo"), self.tr("Go back to a backup…"), self.restoring.emit)
        return menu

    def _choice(self, icon_name: str, name: str, *, is_on: bool) -> QToolButton:
        button = IconButton(icon_name, name)
        button.setCheckable(True)
        button.setChecked(is_on)
        self._group.addButton(button)
        return button

    def _open_menu(self) -> None:
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft()))

    def _close_names(self) -> None:
        popup = self._completer.popup()
        if popup is not None:
            popup.hide()

    def _enter(self) -> None:
        names, typed = self._names.stringList(), self.field.text().strip()
        exact = next((name for name in names if name.casefold() == typed.casefold()), None)
        if typed and (exact or names):
            self._close_names()
            self.found.emit(exact or names[0])
