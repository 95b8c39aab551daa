"""What is wrong, in one sentence with one button to mend it; and the bar that takes something back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from companion.ui.engine_words import in_window_language
from companion.ui.icons import pixmap
from companion.ui.state import Fault
from companion.ui.theme import ICON, ROOMY, SMALL, SNUG, TINY, looks, mark
from companion.ui.widgets.buttons import Button, IconButton
from companion.ui.widgets.placed import has_place
from companion.ui.widgets.words import Body, Fine

UNDO_MS = 10_000


class Notice(QFrame):
    """A problem. mend_text, on_mend: the one button for it; closable: whether it can be put away.

    kind: "notice" for a problem, "calm" for something that is only to be known.
    """

    def __init__(
        self,
        message: str = "",
        mend: str = "",
        *,
        mend_text: str = "",
        on_mend: Callable[[], object] | None = None,
        closable: bool = False,
        kind: str = "notice",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._kind = kind
        self._picture = QLabel()
        self._message, self._mend = Body(message), Fine(mend)
        self._mend.setVisible(bool(mend))
        self.button = Button(mend_text, on_mend)
        self.button.setVisible(bool(mend_text))
        self._close = IconButton("close", self.tr("Put away"), self.hide)
        self._close.setVisible(closable)
        words = QVBoxLayout()
        words.setSpacing(TINY)
        words.addWidget(self._message)
        words.addWidget(self._mend)
        line = QHBoxLayout(self)
        line.setContentsMargins(ROOMY, SNUG, ROOMY, SNUG)
        line.setSpacing(SNUG)
        line.addWidget(self._picture)
        line.addLayout(words, 1)
        line.addWidget(self.button)
        line.addWidget(self._close)
        mark(self, kind)
        self._draw()
        looks.changed.connect(self._draw)
        self.setAccessibleName(message)

    @property
    def message(self) -> str:
        return self._message.text()

    def setVisible(self, visible: bool) -> None:
        """Be seen or not; see ``placed``."""
        if has_place(self, visible=visible):
            super().setVisible(visible)

    def say(self, fault: Fault | None) -> None:
        """Show another problem, or none."""
        self.setVisible(fault is not None)
        if fault is not None:
            self._message.say(sentence(fault.message))
            self._mend.say(sentence(fault.mend))
            self.setAccessibleName(told_fault(fault))

    def _draw(self) -> None:
        is_problem = self._kind == "notice"
        name, colour = ("problem", "problem") if is_problem else ("info", "quiet")
        self._picture.setPixmap(pixmap(name, colour, ICON))


class UndoBar(QFrame):
    """Says what was done, and takes it back if asked within ten seconds. Hidden until ``offer``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._undo: Callable[[], object] | None = None
        self._done: Callable[[], object] | None = None
        self._words = Body()
        self._button = Button(self.tr("Undo"), self._take_back)
        line = QHBoxLayout(self)
        line.setContentsMargins(ROOMY, SMALL, SMALL, SMALL)
        line.addWidget(self._words, 1)
        line.addWidget(self._button)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._let_be)
        mark(self, "undo")
        self.hide()

    def offer(
        self,
        words: str,
        undo: Callable[[], object],
        *,
        done: Callable[[], object] | None = None,
        milliseconds: int = UNDO_MS,
    ) -> None:
        """Say ``words``; ``undo`` is called if the user wants it back, ``done`` if not. A former offer is done with."""
        self._let_be()
        self._undo, self._done = undo, done
        self._words.say(words)
        self.setAccessibleName(words)
        self.show()
        self._timer.start(milliseconds)

    def _take_back(self) -> None:
        undo, self._undo, self._done = self._undo, None, None
        self._timer.stop()
        self.hide()
        if undo is not None:
            undo()

    def _let_be(self) -> None:
        done, self._undo, self._done = self._done, None, None
        self._timer.stop()
        self.hide()
        if done is not None:
            done()


def told_fault(fault: Fault) -> str:
    """What is wrong and what to do about it, in sentences."""
    return f"{sentence(fault.message)} {sentence(fault.mend)}".strip()


def sentence(text: str) -> str:
    """What an error says, in the window's language, written as a sentence: a capital letter and a full stop."""
    text = in_window_language(text.strip())
    if not text:
        return ""
    end = "。" if text[-1] > "\u2e80" else "."
    is_name = "." in text.split()[0].rstrip(".")  # of a file, as memory.db
    return (text[0] if is_name else text[0].upper()) + text[1:] + ("" if text[-1] in ".?!。？！…" else end)
