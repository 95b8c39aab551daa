"""One step of a conversation: who does it, in plain words, what would leave for that, and a try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from companion.app.control import Answer
from companion.ui.bridge import Bridge
from companion.ui.pages.settings.book import Book
from companion.ui.pages.settings.controls import QuietBox
from companion.ui.pages.settings.setting_row import SettingRow
from companion.ui.state import Fault
from companion.ui.theme import look
from companion.ui.widgets import Button, Card, Fine, Quiet, Row

SETTINGS = {
    "recogniser": ("cloud.recogniser", "cloud.recogniser_model"),
    "language model": ("cloud.language_model", "cloud.chat_model"),
    "voice": ("cloud.voice", "cloud.voice_model"),
}
LOCAL = "local"


class CloudStep(Card):
    """tested: how all providers stand after a try. complained: something did not work."""

    tested = Signal(object)
    complained = Signal(object)

    def __init__(self, bridge: Bridge, book: Book, step: str, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._bridge, self._book, self.step = bridge, book, step
        self.policy, self.setting = SETTINGS[step]
        self._known: dict[str, str] = {}
        title, self.what_leaves, self._leaves = self._words()
        self.setAccessibleName(title)
        self.add(SettingRow(book, self.policy))
        self._about = Quiet()
        self.add(self._about)
        self.providers = QuietBox()
        self.providers.activated.connect(self._chosen)
        self.model = QLineEdit()
        self.model.setMinimumWidth(look().size(200))
        self.model.editingFinished.connect(self._chosen)
        self._provider_row = Row(self.tr("Provider"), self.providers)
        self._model_row = Row(self.tr("Its model"), self.model, self.tr("As the provider calls it."))
        self.add(self._provider_row)
        self.add(self._model_row)
        self.test = Button(self.tr("Try it now"), self._test, icon_name="send")
        self.outcome = Fine()
        self.add_beside(self.test)
        self.add(self.outcome)
        book.listed.connect(self._draw)
        self._draw()

    @property
    def may_leave(self) -> bool:
        """Whether something may leave for this step."""
        return self._book.value(self.policy) not in ("", LOCAL)

    @property
    def provider(self) -> str:
        """The one that is named."""
        return self._book.value(self.setting).partition("/")[0]

    def know(self, providers: Sequence[Mapping[str, Any]]) -> None:
        """These providers there are."""
        self._known = {str(one["name"]): str(one["title"]) for one in providers}
        self.providers.clear()
        self.providers.addItem(self.tr("None"), "")
        for name, title in self._known.items():
            self.providers.addItem(title, name)
        self._draw()

    def _words(self) -> tuple[str, str, str]:
        match self.step:
            case "recogniser":
                return (
                    self.tr("Who writes down what you say"),
                    self.tr("the sound of what you say to me"),
                    self.tr(
                        "If it is asked, the sound of your question goes to the provider, from the name you call on."
                    ),
                )
            case "language model":
                return (
                    self.tr("Who answers"),
                    self.tr("your questions, and what goes along with them"),
                    self.tr(
                        "If it is asked, your question goes to the provider, with our conversation and what I remember."
                    ),
                )
            case _:
                return (
                    self.tr("Who speaks"),
                    self.tr("the text of my answers"),
                    self.tr("If it is asked, the text of my answers goes to the provider."),
                )

    def _draw(self) -> None:
        leaves = self.may_leave
        self._about.say(self._leaves if leaves else self.tr("Nothing leaves for this."))
        for widget in (self._provider_row, self._model_row, self.test):
            widget.setVisible(leaves)
        self.outcome.setVisible(leaves and bool(self.outcome.text()))
        name, _, model = self._book.value(self.setting).partition("/")
        self.providers.setCurrentIndex(max(self.providers.findData(name), 0))
        if not self.model.hasFocus():
            self.model.setText(model)
        self.test.setEnabled(bool(name and model))

    def _chosen(self) -> None:
        name, model = str(self.providers.currentData() or ""), self.model.text().strip()
        self.test.setEnabled(bool(name and model))
        if name and model:
            self._book.set(self.setting, f"{name}/{model}", self._refused)
        elif not name and self._book.value(self.setting):
            self._book.set(self.setting, "", self._refused)

    def _test(self) -> None:
        self.test.setEnabled(False)
        self.outcome.say(self._told_before(), "fine")
        given = {"step": self.step}
        self._bridge.tend("cloud", "test", given, then=self._answered, failed=self._failed, owner=self)

    def _told_before(self) -> str:
        title = self._known.get(self.provider, self.provider)
        if self.step == "recogniser":
            return self.tr("A second of silence goes to {provider}.").format(provider=title)
        return self.tr("A few words go to {provider}.").format(provider=title)

    def _answered(self, answer: Answer) -> None:
        self.test.setEnabled(True)
        seconds = f"{float(str(answer['seconds'])):.1f}"
        if answer["said"]:
            told = self.tr("It works, in {seconds} s: “{said}”").format(seconds=seconds, said=str(answer["said"])[:80])
        else:
            told = self.tr("It works, in {seconds} s.").format(seconds=seconds)
        self.outcome.say(told, "good")
        self.tested.emit(answer)

    def _failed(self, fault: Fault) -> None:
        self.test.setEnabled(True)
        self.outcome.say(self.tr("It does not work yet."), "problem")
        self.complained.emit(fault)

    def _refused(self, fault: Fault) -> None:
        self.complained.emit(fault)
        self._draw()
