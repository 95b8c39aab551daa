"""Talents and plugins: what each does, how it stands, and what it may."""

from __future__ import annotations

from typing import Any

from companion.app.control import Answer
from companion.ui.bridge import Bridge
from companion.ui.engine_words import in_window_language
from companion.ui.pages.settings.book import Book
from companion.ui.pages.settings.plugin_card import PluginCard
from companion.ui.pages.settings.section import Section
from companion.ui.pages.settings.setting_row import SettingRow
from companion.ui.state import Fault
from companion.ui.widgets import Button, Card, Quiet


class PluginsSection(Section):
    def __init__(self, bridge: Bridge, book: Book) -> None:
        super().__init__(bridge, book)
        self._cards: dict[str, PluginCard] = {}
        head = Card()
        head.add(SettingRow(book, "plugins.others"))
        self.check = Button(self.tr("Check all of them"), self._check, icon_name="refresh")
        head.add_beside(self.check)
        self.add(head)
        self.nothing = Card(
            self.tr("No plugins of others yet"),
            self.tr(
                "A plugin is a program that runs with your rights. Put its folder among your plugins to see it here."
            ),
        )
        self.add(self.nothing)
        self.nothing.hide()
        self.ours = Card(self.tr("Talents that came with me"))
        self._ours = Quiet()
        self.ours.add(self._ours)
        self.add(self.ours)

    def entered(self) -> None:
        self._tend("list")

    def _check(self) -> None:
        self.check.setEnabled(False)
        self._tend("check")

    def _tend(self, action: str, **given: object) -> None:
        self.bridge.tend("plugins", action, given, then=self._take, failed=self._refused, owner=self)

    def _take(self, answer: Answer) -> None:
        self.check.setEnabled(True)
        rows: Any = answer.get("plugins", [answer])
        others = [row for row in rows if not row["is_ours"]]
        for row in others:
            self._show(row)
        ours = [row for row in rows if row["is_ours"]]
        if ours:
            self._tell_ours(ours)
        self.nothing.setVisible(not self._cards)

    def _show(self, row: Any) -> None:
        name = str(row["name"])
        if name not in self._cards:
            card = self._cards[name] = PluginCard(name)
            card.wanted.connect(self._turn)
            column = self.inside.column
            column.insertWidget(column.indexOf(self.nothing), card)
        self._cards[name].show_plugin(row)

    def _tell_ours(self, ours: list[Any]) -> None:
        working = [str(row["name"]) for row in ours if row["status"] == "enabled"]
        broken = [self._broken(row) for row in ours if row["status"] != "enabled"]
        lines = [self.tr(", ").join(sorted(working)), *broken]
        self._ours.say("\n".join(line for line in lines if line))

    def _broken(self, row: Any) -> str:
        return self.tr("{name}: {reason}").format(name=row["name"], reason=in_window_language(str(row["reason"])))

    def _turn(self, name: str, on: bool, allow: list[str]) -> None:
        if on:
            self._tend("enable", name=name, allow=allow)
        else:
            self._tend("disable", name=name)

    def _refused(self, fault: Fault) -> None:
        self.check.setEnabled(True)
        self.complain(fault)
        self._tend("list")
