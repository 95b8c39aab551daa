"""One provider: whether it has a key, and a field to enter one, which is never shown again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from companion.ui.bridge import Bridge
from companion.ui.state import Fault
from companion.ui.theme import SNUG, TINY, look
from companion.ui.widgets import Button, Fine, Line, LinkButton, Subheading


class ProviderRow(QWidget):
    """kept: how all providers stand after a change. complained: something did not work."""

    kept = Signal(object)
    complained = Signal(object)

    def __init__(self, bridge: Bridge, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.name = name
        self.has_key = False
        self._title, self._state = Subheading(), Fine()
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setMinimumWidth(look().size(200))
        self.field.returnPressed.connect(self._keep)
        self.enter = LinkButton(self.tr("Enter a key"), lambda: self._open(is_open=True))
        self.save = Button(self.tr("Keep it"), self._keep)
        self.save.setEnabled(False)
        self.field.textChanged.connect(lambda text: self.save.setEnabled(bool(text.strip())))
        self.cancel = LinkButton(self.tr("Cancel"), lambda: self._open(is_open=False))
        self.forget = LinkButton(self.tr("Forget the key"), self._forget)
        self._lay_out()
        self._open(is_open=False)

    def show_provider(self, row: Mapping[str, Any]) -> None:
        """Show how it stands."""
        title = str(row["title"])
        self.has_key = bool(row["has_key"])
        self._title.say(title)
        self._state.say(self._told(row), "good" if self.has_key or row["variable"] else "fine")
        self.field.setPlaceholderText(self.tr("Key of {provider}").format(provider=title))
        self.field.setAccessibleName(self.tr("Key of {provider}").format(provider=title))
        self.enter.say(self.tr("Enter another key") if self.has_key else self.tr("Enter a key"))
        for button in (self.enter, self.save, self.cancel, self.forget):
            button.setAccessibleName(f"{title}: {button.text()}")
        self._open(is_open=False)

    def _told(self, row: Mapping[str, Any]) -> str:
        if row["is_local"]:
            return self.tr("Runs on this computer ({host}); nothing leaves.").format(host=row["host"])
        if row["has_key"]:
            return self.tr("The key is kept. What I send goes to {host}.").format(host=row["host"])
        if row["variable"]:
            return self.tr("The key comes from {variable}. What I send goes to {host}.").format(
                variable=row["variable"], host=row["host"]
            )
        return self.tr("No key. What I send would go to {host}.").format(host=row["host"])

    def _lay_out(self) -> None:
        entry = QHBoxLayout()
        entry.setSpacing(SNUG)
        entry.addWidget(self.field, 1)
        for button in (self.save, self.cancel, self.enter, self.forget):
            entry.addWidget(button)
        entry.addStretch(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(TINY)
        column.addWidget(Line())
        column.addWidget(self._title)
        column.addWidget(self._state)
        column.addLayout(entry)

    def _open(self, *, is_open: bool) -> None:
        self.field.clear()
        for widget in (self.field, self.save, self.cancel):
            widget.setVisible(is_open)
        self.enter.setVisible(not is_open)
        self.forget.setVisible(not is_open and self.has_key)
        if is_open:
            self.field.setFocus()

    def _keep(self) -> None:
        key = self.field.text()
        self.field.clear()
        if key.strip():
            given = {"provider": self.name, "key": key}
            self._bridge.tend("cloud", "set_key", given, then=self.kept.emit, failed=self._refused, owner=self)

    def _forget(self) -> None:
        given = {"provider": self.name}
        self._bridge.tend("cloud", "remove_key", given, then=self.kept.emit, failed=self._refused, owner=self)

    def _refused(self, fault: Fault) -> None:
        self.complained.emit(fault)
