"""The foot of the talk page: the button to talk, the text box, and what makes the companion quiet."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from companion.app.orders import LONGEST_TEXT, Hush, Release, Stop, Talk
from companion.ui.bridge import Bridge
from companion.ui.pages.talk.orb import Orb
from companion.ui.state import UiState
from companion.ui.theme import BODY, ROOMY, SMALL, SNUG, TINY, TOUCH, look
from companion.ui.transcript import Stage
from companion.ui.widgets import Button, IconButton
from companion.ui.widgets.long_field import LongField
from companion.voice.events import State

MOST_LINES = 5
"""Lines the text box grows to."""
BUSY = (State.THINKING, State.SPEAKING, State.DUCKED, State.LISTENING, State.HEARING, State.DECIDING)


class TypingBox(LongField):
    """As high as what is in it. Enter sends, Shift+Enter begins a new line; Space in an empty one is not for it."""

    sent = Signal(str)

    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__(LONGEST_TEXT, parent=parent)
        self.setPlaceholderText(words)
        self.setAccessibleName(words)
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.textChanged.connect(self._grow)
        self._grow()

    def send(self) -> None:
        """Hand over what is typed, and be empty."""
        text = self.toPlainText().strip()[:LONGEST_TEXT]
        if text:
            self.clear()
            self.sent.emit(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.send()
        elif event.key() == Qt.Key.Key_Escape or self._is_to_talk(event):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            event.ignore()
        else:
            super().keyReleaseEvent(event)

    def _is_to_talk(self, event: QKeyEvent) -> bool:
        """No question begins with a space."""
        return event.key() == Qt.Key.Key_Space and not self.toPlainText()

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._grow()

    def sizeHint(self) -> QSize:
        return QSize(240, self._height())

    def _height(self) -> int:
        line = QFontMetrics(look().font(BODY)).lineSpacing()
        lines = min(max(round(self.document().size().height()), 1), MOST_LINES)
        frame = 2 * (round(self.document().documentMargin()) + TINY + 1)
        return max(lines * line + frame, look().size(TOUCH))

    def _grow(self) -> None:
        wanted = self._height()
        if self.height() != wanted:
            self.setFixedHeight(wanted)


class Foot(QWidget):
    """asked: a question was typed."""

    asked = Signal(str)

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.orb = Orb()
        self.orb.pressed_down.connect(lambda: bridge.ask(Talk(hold=True)))
        self.orb.let_go.connect(self._let_go)
        self.box = TypingBox(self.tr("Type a question"))
        self.box.sent.connect(self.asked)
        self.send = IconButton("send", self.tr("Send"), self.box.send)
        self.stop = Button(self.tr("Stop"), self.be_quiet, icon_name="stop")
        self.hush = IconButton("speaker", "", self._turn_hush)
        self.hush.setCheckable(True)
        line = QHBoxLayout(self)
        line.setContentsMargins(ROOMY, SMALL, ROOMY, 0)
        line.setSpacing(SNUG)
        line.addWidget(self.orb)
        line.addWidget(self.box, 1)
        line.addWidget(self.send)
        line.addWidget(self.stop)
        line.addWidget(self.hush)
        self.stop.hide()

    def draw(self, state: UiState) -> None:
        """Show a state."""
        self.orb.draw(state)
        writes = any(row.stage is Stage.ANSWERING and not row.spoken for row in state.transcript.rows[-8:])
        self.stop.setVisible(state.phase in BUSY or writes)
        self.hush.setChecked(state.hushed)
        self.hush.show_icon("speaker-off" if state.hushed else "speaker", "problem" if state.hushed else "text")
        self.hush.rename(self.tr("Speak answers again") if state.hushed else self.tr("Pause speaking"))

    def be_quiet(self) -> None:
        """End what is said and what is written."""
        self._bridge.ask(Stop())

    def _turn_hush(self) -> None:
        self._bridge.ask(Hush(not self._bridge.state.hushed))

    def _let_go(self, was_tap: bool) -> None:
        self._bridge.ask(Release())
        if was_tap:
            self._bridge.ask(Talk())
