"""Words on the ground: headings, sentences, and what is said quietly. All wrap, and can be copied where that helps."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from companion.ui.theme import mark
from companion.ui.widgets import plain
from companion.ui.widgets.placed import has_place


class Words(QLabel):
    """Text of one role; never read as markup, so that nothing that was said can become a link or a picture."""

    role = "body"

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(plain.short(text), parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        mark(self, self.role)

    def setVisible(self, visible: bool) -> None:
        """Be seen or not; see ``placed``."""
        if has_place(self, visible=visible):
            super().setVisible(visible)

    def say(self, text: str, role: str | None = None) -> None:
        """Show other words, in another role if one is named. Without words it takes no room."""
        if role is not None and role != self.property("role"):
            mark(self, role)
        if plain.short(text) != self.text():
            self.setText(plain.short(text))
        self.setVisible(bool(text))


class Body(Words):
    """A plain sentence."""


class Display(Words):
    """The one thing a page is about."""

    role = "display"


class Heading(Words):
    """The head of a page or a card."""

    role = "heading"


class Subheading(Words):
    """The head of a part of a card."""

    role = "subheading"


class Quiet(Words):
    """An explanation."""

    role = "quiet"


class Fine(Words):
    """A small remark."""

    role = "fine"
