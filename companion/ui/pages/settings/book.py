"""All settings as the page knows them, and the way to change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal

from companion.app.control import Answer
from companion.ui.bridge import Bridge
from companion.ui.pages.settings.choices import choices_of
from companion.ui.pages.settings.words import words_of
from companion.ui.state import Fault, UiState

SettingRow = Mapping[str, Any]
"""One setting, as the desk tells it."""


class Book(QObject):
    """listed: the rows are fresh. done: something was changed, in a sentence, and can be taken back.

    complained: something did not work, and no field can say it.
    """

    listed = Signal()
    done = Signal(str)
    complained = Signal(object)

    def __init__(self, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._changes = -1
        self.rows: dict[str, SettingRow] = {}
        self.problem: Fault | None = None
        """Why the file cannot be used."""

    def draw(self, state: UiState) -> None:
        """Fetch what somebody has changed."""
        if state.settings_changes != self._changes:
            self.fetch()

    def fetch(self) -> None:
        """Ask for all settings."""
        self._changes = self._bridge.state.settings_changes
        self._bridge.tend("settings", "list", then=self._take, failed=self.complained.emit, owner=self)

    def value(self, name: str) -> str:
        """What a setting is set to, as a person would type it; empty before it is known."""
        row = self.rows.get(name)
        return str(row["value"]) if row else ""

    def set(self, name: str, value: str, failed: Callable[[Fault], None] | None = None) -> None:
        """Change one."""
        if value != self.value(name):
            given = {"name": name, "value": value}
            self._bridge.tend("settings", "set", given, then=self._changed, failed=failed or self._complain, owner=self)

    def reset(self, name: str) -> None:
        """Put one back to what is usual."""
        given = {"name": name}
        self._bridge.tend("settings", "reset", given, then=self._changed, failed=self._complain, owner=self)

    def undo(self) -> None:
        """Take the newest change back."""
        self._bridge.tend("settings", "undo", then=self._taken_back, failed=self._complain, owner=self)

    def shown(self, name: str, value: str) -> str:
        """A value, in words."""
        row = self.rows.get(name)
        if row is None:
            return value
        match row["form"]:
            case "switch":
                return self.tr("on") if value == "true" else self.tr("off")
            case "number" | "whole":
                is_share = row["form"] == "number" and (row["low"], row["high"]) == (0, 1)
                return f"{round(100 * float(value))} %" if is_share else value + words_of(name).unit
            case _:
                choices = dict(choices_of(name, row["choices"]))
                return choices.get(value, value) or self.tr("nothing")

    def _take(self, answer: Answer) -> None:
        rows: Any = answer.get("settings", ())
        self.rows = {str(row["name"]): row for row in rows}
        problem = str(answer.get("problem", ""))
        self.problem = Fault(problem, str(answer.get("mend", "")), "settings") if problem else None
        self.listed.emit()

    def _changed(self, answer: Answer) -> None:
        self._note(answer)
        name = str(answer["name"])
        told = self.tr("{name}: {value}").format(name=words_of(name).name, value=self.shown(name, str(answer["value"])))
        self.done.emit(told)

    def _taken_back(self, answer: Answer) -> None:
        self._note(answer)

    def _note(self, answer: Answer) -> None:
        self.rows[str(answer["name"])] = answer
        self.listed.emit()

    def _complain(self, fault: Fault) -> None:
        self.complained.emit(fault)
        self.listed.emit()
