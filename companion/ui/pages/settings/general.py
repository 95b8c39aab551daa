"""You and the companion: language, name, starting with the session, the key to talk."""

from __future__ import annotations

from typing import Any

from companion.app.control import Answer
from companion.ui.bridge import Bridge
from companion.ui.pages.settings.book import Book
from companion.ui.pages.settings.section import Section
from companion.ui.pages.settings.setting_row import SettingRow
from companion.ui.widgets import Card, Fine, Row, Switch
from companion.ui.widgets.notice import sentence


class GeneralSection(Section):
    def __init__(self, bridge: Bridge, book: Book) -> None:
        super().__init__(bridge, book)
        self.card_of(self.tr("You"), "general.language", "general.name")
        desktop = Card(self.tr("On this computer"))
        self.autostart = Switch()
        self.autostart.toggled.connect(self._turn)
        self._row = Row(self.tr("Start when I log in"), self.autostart, self.tr("I wait quietly in the tray."))
        desktop.add(self._row)
        desktop.add(SettingRow(book, "desktop.talk_key"))
        self._key = Fine()
        self._key.hide()
        desktop.add(self._key)
        self.add(desktop)
        self.card_of(self.tr("Our conversation"), "history.keep", "memory.keep", "wake.follow_up", "turn.barge_in")

    def entered(self) -> None:
        self.bridge.tend("desktop", "show", then=self._take, failed=self._off, owner=self)

    def _turn(self, on: bool) -> None:
        self.bridge.tend("desktop", "autostart", {"on": on}, then=self._take, failed=self._refused, owner=self)

    def _take(self, answer: Answer) -> None:
        desktop: Any = answer
        self.autostart.setEnabled(True)
        self.autostart.set_quietly(on=bool(desktop["autostart"]["on"]))
        key = desktop["talk_key"]
        self._key.say(sentence(str(key["problem"])), "problem" if key["problem"] else "fine")

    def _refused(self, fault: object) -> None:
        self.complained.emit(fault)
        self.entered()

    def _off(self, fault: object) -> None:
        self.autostart.setEnabled(False)
