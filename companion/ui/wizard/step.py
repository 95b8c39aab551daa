"""One page of the wizard."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from companion.ui.bridge import Bridge
from companion.ui.state import UiState
from companion.ui.theme import TEXT_WIDTH
from companion.ui.widgets import Display, Notice, Quiet, Scroll


class WizardStep(Scroll):
    """A title, a sentence below it, and what there is to do.

    name: as ``app.setup_file.Step``. may_skip: whether one can go on without it.
    """

    name = ""
    may_skip = True

    def __init__(self, bridge: Bridge, title: str, explanation: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=TEXT_WIDTH)
        self.bridge = bridge
        self.title = title
        self.setAccessibleName(title)
        self.notice = Notice(closable=True)
        self.notice.hide()
        self.explanation = Quiet(explanation)
        self.add(Display(title))
        self.add(self.explanation)
        self.add(self.notice)

    @property
    def has_more(self) -> bool:
        """Whether there is something to do here that is meant before one goes on."""
        return False

    @property
    def next_words(self) -> str:
        """What the button says that goes on; "" for the usual word."""
        return ""

    def draw(self, state: UiState) -> None:
        """Show a state. Called while the step is seen; overridden."""

    def entered(self) -> None:
        """It is seen from now on. Overridden."""

    def left(self) -> None:
        """It is seen no more. Overridden."""
