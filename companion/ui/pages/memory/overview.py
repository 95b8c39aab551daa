"""What stands beside the picture while nobody is chosen: how much it is, who may be the same, and a way to add."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from companion.ui.theme import SMALL, look
from companion.ui.widgets import Body, Button, Card, Fine, Heading, Quiet, Scroll

LONGEST = 2000
"""Characters of what is added."""
LARGE_TYPE = 1.3
"""The scale of type from which on buttons stand below each other."""


class Overview(Scroll):
    """telling: a sentence to be remembered. same, different: two names."""

    telling = Signal(str)
    same = Signal(str, str)
    different = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = Body()
        self._trouble = Fine()
        self._pairs: list[QWidget] = []
        self._field = QLineEdit()
        self._field.setMaxLength(LONGEST)
        self._field.setPlaceholderText(self.tr("My sister is called Emma"))
        self._field.setAccessibleName(self.tr("Something to remember"))
        self._field.returnPressed.connect(self._tell)
        self.add(Heading(self.tr("What I remember")))
        self.add(self._counts)
        self.add(self._trouble)
        self.add(Quiet(self.tr("Choose a shape in the picture to see what I know, and who told me.")))
        self.add(self._teller())

    def show_counts(self, facts: int, names: int, problems: Sequence[str] = ()) -> None:
        """How much it is, and what is wrong with the file."""
        known = self.tr("%n fact(s)", "", facts)
        about = self.tr("%n name(s)", "", names)
        self._counts.say(self.tr("{facts} about {names}.").format(facts=known, names=about))
        self._trouble.say(" ".join(problems), "problem")

    def show_pairs(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Who may be the same."""
        for card in self._pairs:
            self.inside.column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._pairs = [self.add(self._pair(*pair)) for pair in pairs]

    def clear(self) -> None:
        """What was typed is taken."""
        self._field.clear()

    def _teller(self) -> QWidget:
        line = QWidget()
        column = QVBoxLayout(line)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SMALL)
        column.addWidget(self._field)
        column.addWidget(Button(self.tr("Remember"), self._tell), 0, Qt.AlignmentFlag.AlignLeft)
        return line

    def _pair(self, one: str, other: str) -> Card:
        card = Card()
        card.setAccessibleName(self.tr("Two that may be the same"))
        card.add(Body(self.tr("Are “{one}” and “{other}” the same?").format(one=one, other=other)))
        yes = Button(self.tr("Yes, join them"), lambda: self.same.emit(one, other))
        no = Button(self.tr("No"), lambda: self.different.emit(one, other))
        if look().scale > LARGE_TYPE:
            card.add(yes)
            card.add(no)
        else:
            card.add_beside(yes, no)
        return card

    def _tell(self) -> None:
        text = self._field.text().strip()
        if text:
            self.telling.emit(text)
