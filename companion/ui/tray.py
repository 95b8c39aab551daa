"""The icon in the tray: what the companion is doing, by shape and colour, and why; and a menu of what is wanted now."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QCoreApplication, QObject, QRect, Qt
from PySide6.QtGui import QAction, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from companion.app.events import Shown
from companion.app.orders import Hush, Mute, Talk, Toggle
from companion.ui.bridge import Bridge
from companion.ui.state import Engine, Mark, UiState
from companion.ui.state_words import reason, told
from companion.ui.theme import Look, look, looks
from companion.ui.transcript import ANNOUNCEMENT
from companion.ui.widgets import plain
from companion.ui.widgets.state_mark import mark_icon
from companion.ui.window import Window
from companion.voice.events import Exchanged, Spoken, State, StateChanged

MUTE_SECONDS = 600.0
SIZES = (16, 22, 32, 48)
LONGEST_MESSAGE = 240
"""Characters of a message beside the tray."""


class Tray(QObject):
    """Does nothing where there is no tray."""

    def __init__(self, bridge: Bridge, window: Window) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._window = window
        self._shown: tuple[Mark, Look] | None = None
        self._words = ""
        self._saying = ""
        """What the voice says now; a state is told only behind its events."""
        self.menu = QMenu()
        self._fill()
        self.icon = QSystemTrayIcon(self)
        self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._activated)
        self.icon.messageClicked.connect(window.come_up)
        bridge.changed.connect(self.draw)
        bridge.told.connect(self._told)
        looks.changed.connect(self._dress)
        self.draw(bridge.state)
        self.icon.show()

    def draw(self, state: UiState) -> None:
        """Show a state."""
        if (state.mark, look()) != self._shown:
            self._shown = state.mark, look()
            self.icon.setIcon(tray_icon(state.mark, look()))
        words = in_words(state)
        if words != self._words:
            self._words = words
            self._standing.setText(plain.label(words))
            self.icon.setToolTip(plain.message(self.tr("Companion: {state}").format(state=words)))
        runs = state.engine is Engine.RUNNING
        for action in (self.talk, self.mute_a_while, self.mute, self.hush):
            action.setEnabled(runs)
        self.mute_a_while.setVisible(not state.is_muted)
        self.mute.setText(self.tr("Unmute") if state.is_muted else self.tr("Mute until I unmute"))
        self.hush.setText(self.tr("Speak answers again") if state.hushed else self.tr("Pause speaking"))

    def _dress(self) -> None:
        self.draw(self._bridge.state)

    def hide(self) -> None:
        """Take it out of the tray."""
        self.icon.hide()

    # -- the menu

    def _fill(self) -> None:
        self._standing = self._action("")
        self._standing.setEnabled(False)
        self.menu.addSeparator()
        self.talk = self._action(self.tr("Talk now"))
        self.talk.triggered.connect(lambda: self._bridge.ask(Talk()))
        self.mute_a_while = self._action(self.tr("Mute for 10 minutes"))
        self.mute_a_while.triggered.connect(lambda: self._bridge.ask(Mute(on=True, seconds=MUTE_SECONDS)))
        self.mute = self._action(self.tr("Mute until I unmute"))
        self.mute.triggered.connect(lambda: self._bridge.ask(Mute(not self._bridge.state.is_muted)))
        self.hush = self._action(self.tr("Pause speaking"))
        self.hush.triggered.connect(lambda: self._bridge.ask(Hush(not self._bridge.state.hushed)))
        self.menu.addSeparator()
        self.open = self._action(self.tr("Open"))
        self.open.triggered.connect(self._window.come_up)
        self.settings = self._action(self.tr("Settings"))
        self.settings.triggered.connect(self._open_settings)
        self.menu.addSeparator()
        self.quit = self._action(self.tr("Quit"))
        self.quit.triggered.connect(self._window.quitting)

    def _action(self, words: str) -> QAction:
        action = QAction(words, self)
        self.menu.addAction(action)
        return action

    def _open_settings(self) -> None:
        self._window.go("settings")
        self._window.come_up()

    def _activated(self, how: QSystemTrayIcon.ActivationReason) -> None:
        match how:
            case QSystemTrayIcon.ActivationReason.Trigger:
                if self._window.isVisible() and self._window.isActiveWindow():
                    self._window.hide()
                else:
                    self._window.come_up()
            case QSystemTrayIcon.ActivationReason.MiddleClick:
                self._bridge.ask(Toggle())
            case _:
                pass

    # -- what is shown where there is no window to be seen

    def _told(self, event: object) -> None:
        """What is only shown comes here while the window is closed."""
        if isinstance(event, StateChanged):
            self._saying = event.why if event.state is State.SPEAKING else ""
        if self._window.isVisible():
            return
        match event:
            case Shown(text):
                self._show(text)
            case Exchanged(heard=heard, spoken=True) if self._bridge.state.hushed:
                self._show(heard)
            case Spoken(text) if self._bridge.state.hushed and self._saying == ANNOUNCEMENT:
                self._show(text)
            case _:
                pass

    def _show(self, text: str) -> None:
        if text.strip():
            short = text if len(text) <= LONGEST_MESSAGE else f"{text[:LONGEST_MESSAGE]}…"
            self.icon.showMessage(
                self.tr("Companion"), plain.message(short), tray_icon(self._bridge.state.mark, look())
            )


def in_words(state: UiState) -> str:
    """How it stands and why, on one line."""
    why = reason(state)
    if not why:
        return told(state)
    return QCoreApplication.translate("Tray", "{state} – {reason}").format(state=told(state), reason=why)


@lru_cache(maxsize=32)
def tray_icon(mark: Mark, wearing: Look) -> QIcon:
    """The mark with a rim of the ground's colour, so that it stands out on a panel of any colour."""
    made = QIcon()
    for size in SIZES:
        made.addPixmap(_rimmed(mark, wearing, size))
    return made


def _rimmed(mark: Mark, wearing: Look, size: int) -> QPixmap:
    shape = mark_icon(mark, wearing, size, 1.0).pixmap(size, size)
    rim = QPixmap(shape)
    inked = QPainter(rim)
    inked.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    inked.fillRect(QRect(0, 0, size, size), wearing.colour("ground"))
    inked.end()
    whole = QPixmap(size, size)
    whole.fill(Qt.GlobalColor.transparent)
    painter = QPainter(whole)
    for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        painter.drawPixmap(x, y, rim)
    painter.drawPixmap(0, 0, shape)
    painter.end()
    return whole
