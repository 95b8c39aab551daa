"""The voice: which one, how fast, and how it sounds."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QLineEdit

from companion.app.control import Answer
from companion.ui.bridge import Bridge
from companion.ui.engine_words import in_window_language
from companion.ui.pages.settings.book import Book
from companion.ui.pages.settings.choices import language_name
from companion.ui.pages.settings.one_of import OneOf
from companion.ui.pages.settings.section import Section
from companion.ui.pages.settings.setting_row import SettingRow
from companion.ui.state import Fault, UiState
from companion.ui.theme import look
from companion.ui.widgets import Button, Card, Fine, LinkButton, Notice, Row

VOICE, SPEED, AUTO = "models.voice", "models.speed", "auto"
TASK = "voices.try"


class VoicesSection(Section):
    def __init__(self, bridge: Bridge, book: Book) -> None:
        super().__init__(bridge, book)
        self._is_playing = False
        self.cards = OneOf()
        self.cards.chosen.connect(lambda name: self.book.set(VOICE, name))
        self.notice = Notice(mend_text=self.tr("Open models"), on_mend=lambda: self.wants.emit("settings/models"))
        self.notice.hide()
        self.add(self._try_card())
        self.add(self.notice)
        self.add(self.cards)
        self.more = LinkButton(self.tr("More voices"), lambda: self.wants.emit("settings/models"))
        self.add(self.more)
        self.card_of(self.tr("Manner"), "general.language", "sound.volume")
        book.listed.connect(self._show_chosen)

    def entered(self) -> None:
        self.bridge.tend("voices", "list", then=self._take, failed=self.complain, owner=self)

    def left(self) -> None:
        self.bridge.tend("voices", "stop", failed=lambda fault: None, owner=self)

    def draw(self, state: UiState) -> None:
        task = state.task(TASK)
        is_playing = task is not None and not task.is_over
        if self._is_playing and not is_playing and task is not None:
            self._told.say("")
            if task.fault is not None and not self._was_stopped:
                self.complain(task.fault)
        self._is_playing = is_playing
        self.stop.setVisible(is_playing)

    def _try_card(self) -> Card:
        card = Card(self.tr("Listen to it"))
        self.text = QLineEdit(self.tr("Good morning. How are you?"))
        self.text.setCursorPosition(0)
        self.text.setMinimumWidth(look().size(240))
        self.text.returnPressed.connect(self._try_chosen)
        card.add(Row(self.tr("What I say"), self.text))
        card.add(SettingRow(self.book, SPEED))
        self.play = Button(self.tr("Play"), self._try_chosen, icon_name="play")
        self.stop = Button(self.tr("Stop"), self._stop, icon_name="stop")
        self.stop.hide()
        self._told = Fine()
        card.add_beside(self.play, self.stop, self._told)
        self._was_stopped = False
        return card

    def _take(self, answer: Answer) -> None:
        rows: Any = answer["voices"]
        here = [row for row in rows if row["on_shelf"]]
        entries = [(AUTO, self.tr("As it fits"), self.tr("The voice for the language of each answer."))]
        entries += [(str(row["name"]), str(row["title"]), self._about(row)) for row in here]
        self.cards.fill(entries, (self.tr("Play"), self._try))
        self._show_chosen()
        self.play.setEnabled(bool(here))
        fits = any(row["speaks"] for row in here)
        language = language_name(str(answer["language"]))
        missing = Fault(
            self.tr("There is no voice for {language} here.").format(language=language),
            self.tr("Answers in it can only be read, unless espeak-ng is installed."),
        )
        self.notice.say(None if fits else missing)

    def _about(self, row: Any) -> str:
        languages = self.tr(", ").join(language_name(one) for one in row["languages"])
        return self.tr("{note} Speaks {languages}.").format(
            note=in_window_language(str(row["note"])), languages=languages
        )

    def _show_chosen(self) -> None:
        self.cards.choose(self.book.value(VOICE) or AUTO)

    def _try_chosen(self) -> None:
        self._try(self.cards.value)

    def _try(self, name: str) -> None:
        self._was_stopped = False
        given = {"name": name, "text": self.text.text(), "speed": float(self.book.value(SPEED) or 1)}
        self._told.say(self.tr("One moment."), "fine")
        self.bridge.tend("voices", "try", given, failed=self._refused, owner=self)

    def _stop(self) -> None:
        self._was_stopped = True
        self.bridge.tend("voices", "stop", failed=self.complain, owner=self)

    def _refused(self, fault: Fault) -> None:
        self._told.say("")
        self.complain(fault)
