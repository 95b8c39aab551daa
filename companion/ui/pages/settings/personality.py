"""Who the companion is: one of those that came with it, or the user's own text, each to be tried before it counts."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit

from companion.app.control import Answer
from companion.ui.bridge import Bridge
from companion.ui.pages.settings.book import Book
from companion.ui.pages.settings.choices import personality_about, personality_name
from companion.ui.pages.settings.one_of import OneOf
from companion.ui.pages.settings.section import Section
from companion.ui.state import Fault
from companion.ui.theme import look
from companion.ui.widgets import Body, Button, Card, Fine, LinkButton, PrimaryButton, Quiet, Row
from companion.ui.widgets.long_field import LongField

WHICH, OWN = "personality.which", "personal"
TEXT_HEIGHT = 150
MOST_PASTED = 20_000
"""Characters; more than the desk keeps, so that it says so."""


class PersonalitySection(Section):
    """listed: all personalities are fresh."""

    listed = Signal()

    def __init__(self, bridge: Bridge, book: Book) -> None:
        super().__init__(bridge, book)
        self._texts: dict[str, str] = {}
        self._kept = ""
        self.cards = OneOf()
        self.cards.chosen.connect(self._choose)
        self.add(Quiet(self.tr("How I speak and what matters to me. A change counts from your next question.")))
        self.add(self.cards)
        self.add(self._own_card())
        self.add(self._try_card())
        book.listed.connect(self._show_chosen)

    def entered(self) -> None:
        self.bridge.tend("personality", "list", then=self._take, failed=self.complain, owner=self)

    def left(self) -> None:
        self.bridge.tend("personality", "stop", failed=lambda fault: None, owner=self)

    # -- parts

    def _own_card(self) -> Card:
        card = Card(self.tr("Your own text"), self.tr("Write it as you would to a person: who I am, how I talk."))
        self.text = LongField(MOST_PASTED)
        self.text.setAccessibleName(self.tr("Your own text"))
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(look().size(TEXT_HEIGHT))
        self.text.textChanged.connect(self._typed)
        card.add(self.text)
        self.save = PrimaryButton(self.tr("Keep this text"), self._save)
        self.drop = LinkButton(self.tr("Back to what is kept"), self._show_kept)
        self.begin = LinkButton(self.tr("Begin with the chosen one"), self._begin)
        card.add_beside(self.save, self.drop)
        card.add_beside(self.begin)
        self._told = Fine()
        self._told.hide()
        card.add(self._told)
        return card

    def _try_card(self) -> Card:
        card = Card(self.tr("Try it"), self.tr("Nothing of this is kept in our conversation."))
        self.question = QLineEdit(self.tr("What shall I cook tonight?"))
        self.question.setCursorPosition(0)
        self.question.setMinimumWidth(look().size(240))
        self.question.returnPressed.connect(self._try)
        card.add(Row(self.tr("Ask me"), self.question))
        self.ask = Button(self.tr("Answer as the chosen one"), self._try, icon_name="talk")
        self.say = Button(self.tr("Say it"), self._say, icon_name="play")
        self.say.setEnabled(False)
        card.add_beside(self.ask, self.say)
        self.answer = Body()
        self.answer.hide()
        card.add(self.answer)
        return card

    # -- what is there

    def _take(self, answer: Answer) -> None:
        rows: Any = answer["personalities"]
        self._texts = {str(row["name"]): str(row["text"]) for row in rows}
        self.cards.fill(
            [
                (name, personality_name(name), personality_about(name) or _gist(text))
                for name, text in self._texts.items()
            ]
        )
        is_typing = self.text.toPlainText().strip() != self._kept
        self._kept = self._texts.get(OWN, "")
        if not is_typing:
            self._show_kept()
        self._show_chosen()
        self.ask.setEnabled(bool(answer["can_preview"]))
        if answer["problem"]:
            self.complain(Fault(str(answer["problem"]), str(answer["mend"])))
        if not answer["can_preview"]:
            self.answer.say(self.tr("To try it, bring a language model first: see Models."), "quiet")
        self.listed.emit()

    def _show_chosen(self) -> None:
        self.cards.choose(self.book.value(WHICH) or OWN)

    def _show_kept(self) -> None:
        self.text.setPlainText(self._kept)

    def _typed(self) -> None:
        is_new = self.text.toPlainText().strip() != self._kept
        self.save.setEnabled(is_new and bool(self.text.toPlainText().strip()))
        self.drop.setVisible(is_new)

    # -- what is done

    def _choose(self, which: str) -> None:
        self.book.set(WHICH, which)

    def _begin(self) -> None:
        self.text.setPlainText(self._texts.get(self.cards.value, ""))
        self.text.setFocus()

    def _save(self) -> None:
        given = {"text": self.text.toPlainText()}
        self.bridge.tend("personality", "write", given, then=self._saved, failed=self._refused, owner=self)

    def _saved(self, answer: Answer) -> None:
        self._kept = self.text.toPlainText().strip()
        self._take(answer)
        self._typed()
        if self.book.value(WHICH) == OWN:
            self._told.say(self.tr("Kept. It counts from your next question."), "good")
        else:
            self._told.say(
                self.tr("Kept. Choose “{name}” above to have it count.").format(name=personality_name(OWN)), "good"
            )

    def _refused(self, fault: Fault) -> None:
        self._told.say("")
        self.complain(fault)

    def _try(self) -> None:
        is_own = self.cards.value == OWN
        given = {"question": self.question.text(), "which": self.cards.value}
        if is_own:
            given["text"] = self.text.toPlainText()
        self.ask.setEnabled(False)
        self.say.setEnabled(False)
        self.answer.say(self.tr("I am thinking."), "quiet")
        self.bridge.tend("personality", "preview", given, then=self._tried, failed=self._not_tried, owner=self)

    def _tried(self, answer: Answer) -> None:
        self.ask.setEnabled(True)
        text = str(answer["text"])
        self.answer.say(text or self.tr("I had nothing to say to that."), "body")
        self.say.setEnabled(bool(text))

    def _not_tried(self, fault: Fault) -> None:
        self.ask.setEnabled(True)
        self.answer.say("")
        self.complain(fault)

    def _say(self) -> None:
        self.bridge.tend("voices", "try", {"text": self.answer.text()[:500]}, failed=self.complain, owner=self)


def _gist(text: str) -> str:
    """The first words of a text, without what all of them begin with."""
    line = " ".join(text.split())
    return line if len(line) <= 160 else line[:157].rsplit(" ", 1)[0] + "…"
