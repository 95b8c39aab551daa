"""One model: what it is, how large, whether it fits, and what may be done with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from companion.ui.engine_words import in_window_language
from companion.ui.pages.settings.choices import language_name
from companion.ui.state import Task, UiState
from companion.ui.theme import SNUG, TINY
from companion.ui.widgets import Button, DangerButton, Fine, Line, LinkButton, ProgressRow, Subheading
from companion.ui.widgets.notice import told_fault

PULL, VERIFY = "models.pull", "models.verify"
MOST_LANGUAGES = 3


def size_in_words(count: int) -> str:
    """Bytes, as the desktop writes them."""
    return QLocale().formattedDataSize(count, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


class ModelRow(QWidget):
    """wanted: an action ("pull", "cancel", "verify", "remove", "use") and the name."""

    wanted = Signal(str, str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self._title, self._note, self._about, self._outcome = Subheading(), Fine(), Fine(), Fine()
        self.get = Button("", lambda: self._want("pull"), icon_name="download")
        self.use = Button(self.tr("Use this one"), lambda: self._want("use"))
        self.check = LinkButton(self.tr("Check"), lambda: self._want("verify"))
        self.remove = LinkButton(self.tr("Remove"), lambda: self._ask(is_asking=True))
        self.really = DangerButton(self.tr("Remove it"), lambda: self._want("remove"))
        self.keep = LinkButton(self.tr("Keep it"), lambda: self._ask(is_asking=False))
        self.progress = ProgressRow(self.tr("On its way"), lambda: self._want("cancel"))
        self.progress.hide()
        self._outcome.hide()
        self._row: Mapping[str, Any] = {}
        self._can_choose = False
        self._lay_out()

    def show_model(self, row: Mapping[str, Any], *, can_choose: bool) -> None:
        """Show how it stands. can_choose: whether one of its kind can be chosen."""
        self._row, self._can_choose = row, can_choose
        self._title.say(str(row["title"]))
        self._note.say(in_window_language(str(row["note"])))
        self._about.say(self._told())
        size = size_in_words(int(row["bytes"]))
        self.get.say(self.tr("Go on") if row["begun"] else self.tr("Bring it ({size})").format(size=size))
        for button in (self.get, self.use, self.check, self.remove, self.really, self.keep):
            button.setAccessibleName(f"{button.text()}: {row['title']}")
        self._ask(is_asking=False)

    def draw(self, state: UiState) -> None:
        """Show what goes on with it."""
        if not self._row:
            return
        pull, verify = state.task(f"{PULL} {self.name}"), state.task(f"{VERIFY} {self.name}")
        is_coming = pull is not None and not pull.is_over
        self.progress.show_task(replace(pull, note=self._phase(pull.note)) if is_coming and pull is not None else None)
        self.get.setVisible(not self._row["on_shelf"] and not is_coming)
        self._tell_outcome(pull, verify)

    def _tell_outcome(self, pull: Task | None, verify: Task | None) -> None:
        if verify is not None and not verify.is_over:
            self._outcome.say(self.tr("I am reading all of it."), "fine")
        elif verify is not None and verify.fault is not None:
            self._outcome.say(told_fault(verify.fault), "problem")
        elif pull is not None and pull.is_over and pull.fault is not None and not self._row["on_shelf"]:
            self._outcome.say(told_fault(pull.fault), "problem")
        elif verify is not None and self._row["on_shelf"]:
            self._outcome.say(self.tr("Every byte is as it should be."), "good")
        else:
            self._outcome.say("")

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(TINY)
        for label in (self._title, self._note, self._about):
            words.addWidget(label)
        buttons = QHBoxLayout()
        buttons.setSpacing(SNUG)
        buttons.setContentsMargins(0, TINY, 0, 0)
        for button in (self.use, self.get, self.check, self.remove, self.really, self.keep):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(TINY)
        column.addWidget(Line())
        column.addLayout(words)
        column.addWidget(self.progress)
        column.addWidget(self._outcome)
        column.addLayout(buttons)

    def _ask(self, *, is_asking: bool) -> None:
        is_here = bool(self._row.get("on_shelf"))
        self.use.setVisible(is_here and self._can_choose and not self._row.get("is_chosen") and not is_asking)
        self.check.setVisible(is_here and not is_asking)
        self.remove.setVisible(is_here and not is_asking)
        self.really.setVisible(is_here and is_asking)
        self.keep.setVisible(is_here and is_asking)
        self.get.setVisible(not is_here and not self._row.get("is_coming"))
        if is_asking:
            self.keep.setFocus()

    def _want(self, action: str) -> None:
        self.wanted.emit(action, self.name)

    def _told(self) -> str:
        row = self._row
        size, fit = size_in_words(int(row["bytes"])), self._fit()
        parts = (size, self._languages(), fit)
        told = self.tr("{size} · {languages} · {fit}").format(size=parts[0], languages=parts[1], fit=parts[2])
        if row["is_chosen"]:
            return self.tr("In use · {about}").format(about=told)
        if row["on_shelf"]:
            return self.tr("Here · {about}").format(about=told)
        return told

    def _languages(self) -> str:
        known = [language_name(one) for one in self._row["languages"]]
        if len(known) > MOST_LANGUAGES:
            return self.tr("%n language(s)", "", len(known))
        return self.tr(", ").join(known)

    def _fit(self) -> str:
        if self._row["is_better"]:
            return self.tr("fits this computer best")
        match self._row["fit"]:
            case "well":
                return self.tr("fits this computer")
            case "slow":
                return self.tr("slow on this computer")
            case _:
                return self.tr("too large for this computer")

    def _phase(self, note: str) -> str:
        words = {
            "waiting": self.tr("Another one is first"),
            "fetching": self.tr("Coming"),
            "unpacking": self.tr("Unpacking"),
            "checking": self.tr("Checking"),
            "ready": self.tr("Ready"),
        }
        return words.get(note) or note or self.tr("Another one is first")
