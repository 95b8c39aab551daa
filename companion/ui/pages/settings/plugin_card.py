"""One plugin of somebody else: what it does, how it stands, and what it may; nothing unless it is allowed here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from companion.ui.theme import TINY
from companion.ui.widgets import Button, Card, Column, Fine, LinkButton, PrimaryButton, Quiet, Row, Switch, plain
from companion.ui.widgets.notice import sentence


class PluginCard(Card):
    """wanted: its name, whether it is to be on, and what it may."""

    wanted = Signal(str, bool, list)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.name = name
        self.setAccessibleName(name)
        self._row: Mapping[str, Any] = {}
        self.switch = Switch()
        self.switch.toggled.connect(self._turned)
        self._head = Row(name, self.switch)
        self.add(self._head)
        self._state, self._may = Fine(), Fine()
        self.add(self._state)
        self.add(self._may)
        self._asking = Quiet(self.tr("It is a program that runs with your rights. It asks for:"))
        self.add(self._asking)
        self.boxes: dict[str, QCheckBox] = {}
        self._box_place = Column(spacing=TINY)
        self._box_place.setAccessibleName(self.tr("What it may"))
        self.add(self._box_place)
        self.go = PrimaryButton(self.tr("Turn it on"), self._allow)
        self.leave = LinkButton(self.tr("Leave it off"), lambda: self._ask(is_asking=False))
        self.change = Button(self.tr("Change what it may"), lambda: self._ask(is_asking=True))
        self.add_beside(self.go, self.leave, self.change)
        self._ask(is_asking=False)

    def show_plugin(self, row: Mapping[str, Any]) -> None:
        """Show how it stands."""
        self._row = row
        described = str(row["description"]) or self.tr("It does not say what it does.")
        version = str(row["version"])
        self._head.explain(
            self.tr("{what} Version {version}.").format(what=described, version=version) if version else described
        )
        is_off = row["status"] == "off"
        self.switch.set_quietly(on=not is_off)
        self._state.say(self._told(), "fine" if row["status"] in ("enabled", "off") else "problem")
        may = [self._permission(one) for one in row["may"]]
        self._may.say(self.tr("It may: {what}.").format(what=self.tr(", ").join(may)) if may else "")
        self._fill_boxes()
        self._ask(is_asking=False)

    def _fill_boxes(self) -> None:
        for permission in (str(one) for one in self._row["asks_for"]):
            if permission not in self.boxes:
                box = self.boxes[permission] = QCheckBox(plain.label(self._permission(permission)))
                box.setAccessibleName(self._permission(permission))
                self._box_place.add(box)
            self.boxes[permission].setChecked(permission in self._row["may"])

    def _told(self) -> str:
        status, reason = str(self._row["status"]), sentence(str(self._row["reason"]))
        if self._row["left_alone"]:
            return self.tr("It kept failing, so I leave it alone for a while.")
        match status:
            case "enabled":
                return self.tr("It works.")
            case "off":
                return self.tr("It is off.")
            case "failed to load":
                told = self.tr("It could not be loaded. {reason}")
            case "bad settings":
                told = self.tr("Its settings are wrong. {reason}")
            case _:
                told = self.tr("It cannot work now. {reason}")
        return told.format(reason=reason).strip()

    def _permission(self, permission: str) -> str:
        words = {
            "network": self.tr("reach other computers"),
            "files": self.tr("keep files in a folder of its own"),
            "memory-read": self.tr("see what I remember and know"),
            "memory-write": self.tr("have me remember things"),
            "speak": self.tr("speak by itself"),
        }
        return words.get(permission, permission)

    def _turned(self, on: bool) -> None:
        if not on:
            self.wanted.emit(self.name, False, [])
        elif self._row["asks_for"]:
            self._ask(is_asking=True)
        else:
            self.wanted.emit(self.name, True, [])

    def _ask(self, *, is_asking: bool) -> None:
        is_on = bool(self._row) and self._row["status"] != "off"
        for widget in (self._asking, self._box_place, self.go, self.leave):
            widget.setVisible(is_asking)
        self.go.say(self.tr("Let it do this") if is_on else self.tr("Turn it on"))
        self.leave.say(self.tr("Leave it as it is") if is_on else self.tr("Leave it off"))
        self.change.setVisible(is_on and bool(self._row["asks_for"]) and not is_asking)
        if not is_asking and self._row:
            self.switch.set_quietly(on=is_on)

    def _allow(self) -> None:
        allowed = [permission for permission, box in self.boxes.items() if box.isChecked()]
        self.wanted.emit(self.name, True, allowed)
