"""Hello: which language is spoken here, and what the user is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit

from companion.ui.bridge import Bridge
from companion.ui.translations import CHINESE, worn
from companion.ui.widgets import Card, Row
from companion.ui.wizard.choice_cards import ChoiceCard, ChoiceCards
from companion.ui.wizard.step import WizardStep

LANGUAGES = (("en", "English"), ("zh", "中文（简体）"))
"""Each in its own words, so that everybody finds his."""
LONGEST_NAME = 60


class HelloStep(WizardStep):
    """Keeps the language and the name at once. spoken: another language is spoken from now on."""

    name = "hello"
    may_skip = False
    spoken = Signal(str)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(
            bridge,
            self.tr("Hello."),
            self.tr(
                "I am your companion. I live on this computer, listen when you call me, and keep what I hear here. "
                "A few steps, and we can talk. You can stop at any time and go on later."
            ),
        )
        self.languages = ChoiceCards(self.tr("The language you speak with me"))
        for key, shown in LANGUAGES:
            self.languages.put(key, ChoiceCard(shown))
        self.languages.show_chosen("zh" if worn() == CHINESE else "en")
        self._is_chosen = False
        self.languages.chosen.connect(self._speak)
        self.called = QLineEdit()
        self.called.setMaxLength(LONGEST_NAME)
        self.called.setPlaceholderText(self.tr("As you like"))
        self.called.editingFinished.connect(self._name)
        self.add(self.languages)
        card = Card()
        card.add(Row(self.tr("What may I call you?"), self.called, self.tr("You may leave this empty.")))
        self.add(card)

    def entered(self) -> None:
        self.fetch("settings", "list", self._fill)

    def left(self) -> None:
        self._name()

    def _fill(self, answer: Mapping[str, Any]) -> None:
        values = {row["name"]: row["value"] for row in answer.get("settings", ())}
        language = str(values.get("general.language", "en")).partition("-")[0]
        if not self._is_chosen:
            self.languages.show_chosen(language)
        if not self.called.isModified():
            self.called.setText(str(values.get("general.name", "")))

    def _speak(self, language: str) -> None:
        self._is_chosen = True
        self.keep("general.language", language)
        self.spoken.emit(language)

    def _name(self) -> None:
        if self.called.isModified():
            self.called.setModified(False)
            self.keep("general.name", self.called.text().strip())
