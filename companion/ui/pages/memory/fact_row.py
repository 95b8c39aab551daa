"""One fact of a card: its sentence, where it is from, what can be done with it; and the fields to correct it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from companion.ui.pages.memory.fact import Fact
from companion.ui.theme import SMALL, TINY, look, mark
from companion.ui.widgets import Body, Button, Fine, IconButton, PrimaryButton

LONGEST = 200
"""Characters of a name."""
LARGE_TYPE = 1.3
"""The scale of type from which on the buttons stand below the source."""


class FactRow(QWidget):
    """editing, forgetting: the fact. pinning: the fact, and whether it shall be pinned."""

    editing = Signal(object)
    forgetting = Signal(object)
    pinning = Signal(object, bool)

    def __init__(self, fact: Fact, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, "ground")
        self.fact = fact
        sentence = Body(fact.sentence)
        sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        if not fact.is_held:
            mark(sentence, "quiet")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, TINY, 0, TINY)
        column.setSpacing(0)
        column.addWidget(sentence)
        line = QHBoxLayout()
        line.setSpacing(0)
        source = Fine(fact.source)
        if look().scale > LARGE_TYPE:
            column.addWidget(source)
            line.addStretch(1)
        else:
            line.addWidget(source, 1)
        for button in self._buttons(fact):
            line.addWidget(button)
        column.addLayout(line)

    def _buttons(self, fact: Fact) -> list[IconButton]:
        if not fact.is_held:
            return [self._button("trash", self.tr("Forget"), lambda: self.forgetting.emit(fact))]
        pin = self._button(
            "pin",
            self.tr("Unpin") if fact.is_pinned else self.tr("Pin"),
            lambda: self.pinning.emit(fact, not fact.is_pinned),
        )
        if fact.is_pinned:
            pin.show_icon("pin", "accent")
            pin.setToolTip(self.tr("Pinned: always within reach. Click to unpin."))
        return [
            self._button("edit", self.tr("Correct"), lambda: self.editing.emit(fact)),
            pin,
            self._button("trash", self.tr("Forget"), lambda: self.forgetting.emit(fact)),
        ]

    def _button(self, icon: str, does: str, on_click: object) -> IconButton:
        button = IconButton(icon, does, on_click)  # type: ignore[arg-type]
        button.setAccessibleName(self.tr("{action}: {sentence}").format(action=does, sentence=self.fact.sentence))
        return button


class FactEditor(QWidget):
    """Who, what and whom or what of a fact. saved: subject, relation and object. given_up."""

    saved = Signal(str, str, str)
    given_up = Signal()

    def __init__(self, fact: Fact, relations: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, "ground")
        self._relations = list(relations)
        self._subject, self._object = self._field(fact.subject), self._field(fact.object)
        self._relation = self._choice(fact.relation)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, TINY, 0, TINY)
        column.setSpacing(TINY)
        for label, field in (
            (self.tr("Who"), self._subject),
            (self.tr("What"), self._relation),
            (self.tr("Whom or what"), self._object),
        ):
            field.setAccessibleName(label)
            words = Fine(label)
            words.setBuddy(field)
            column.addWidget(words)
            column.addWidget(field)
        self._save = PrimaryButton(self.tr("Save"), self._tell)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(Button(self.tr("Cancel"), self.given_up.emit))
        buttons.addWidget(self._save)
        column.addSpacing(SMALL)
        column.addLayout(buttons)
        for line in (self._subject, self._object):
            line.textChanged.connect(self._check)
            line.returnPressed.connect(self._tell)
        self._object.setFocus()
        self._object.selectAll()

    def fill(self, subject: str, relation: str, thing: str) -> None:
        """As if a person had typed it."""
        self._subject.setText(subject)
        self._relation.setEditText(relation)
        self._object.setText(thing)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
        else:
            super().keyPressEvent(event)

    def _field(self, text: str) -> QLineEdit:
        field = QLineEdit(text)
        field.setMaxLength(LONGEST)
        return field

    def _choice(self, relation: str) -> QComboBox:
        """The relations in words; others can be typed."""
        choice = QComboBox()
        choice.setEditable(True)
        choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        choice.setMinimumContentsLength(12)
        for name, words in sorted(self._relations, key=lambda one: one[1]):
            choice.addItem(words, name)
        at = choice.findData(relation)
        if at >= 0:
            choice.setCurrentIndex(at)
        else:
            choice.setEditText(relation.replace("_", " "))
        return choice

    def _check(self) -> None:
        self._save.setEnabled(bool(self._subject.text().strip() and self._object.text().strip()))

    def _tell(self) -> None:
        if not self._save.isEnabled():
            return
        typed = self._relation.currentText().strip()
        by_words = {words: name for name, words in self._relations}
        self.saved.emit(self._subject.text().strip(), by_words.get(typed, typed), self._object.text().strip())
