"""Microphone, loudspeaker, echo and wake word together: only one is tried at a time, and the level goes on between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from companion.app.orders import Mute
from companion.ui.bridge import Bridge
from companion.ui.state import Engine, Fault, UiState
from companion.ui.trials.echo_card import EchoCard
from companion.ui.trials.microphone_card import MicrophoneCard
from companion.ui.trials.speaker_card import SpeakerCard
from companion.ui.trials.wake_card import WakeCard
from companion.ui.widgets import Column, Notice

AGAIN_MS = 1500
"""Milliseconds before an engine that was not ready is asked again."""


class SoundCards(Column):
    """kinds: which of "microphone", "speaker", "echo" and "wake" are shown.

    keep: keeps a setting by its name; None: the desk of the settings does, and a fault is told by the window.
    """

    def __init__(
        self,
        bridge: Bridge,
        kinds: Sequence[str] = ("microphone", "speaker", "echo", "wake"),
        *,
        keep: Callable[[str, str], None] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._kinds = kinds
        self._is_here = False
        self._was_running = False
        """An engine that begins anew has forgotten to listen for us."""
        self._keep = keep or self._set
        self.notice = Notice(mend_text=self.tr("Unmute"), on_mend=self._unmute)
        self.notice.hide()
        self.microphone, self.speaker = MicrophoneCard(bridge), SpeakerCard(bridge)
        self.echo, self.wake = EchoCard(bridge), WakeCard(bridge)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(AGAIN_MS)
        self._again.timeout.connect(self._ask)
        self._lay_out()

    def entered(self) -> None:
        """It is seen: show what there is, and listen."""
        self._is_here = True
        self._was_running = self._bridge.state.engine is Engine.RUNNING
        self._ask()

    def left(self) -> None:
        """It is seen no more: nothing may listen on."""
        if self._is_here:
            self._is_here = False
            self._again.stop()
            self.wake.stop()
            self.microphone.rest()
            self._bridge.tend("sound", "stop", failed=_never_mind, owner=self)

    def kept(self) -> None:
        """A setting was changed: listen by it."""
        if self._is_here:
            self.wake.kept()
            self._ask()

    def draw(self, state: UiState) -> None:
        """Show what is heard."""
        if not self._is_here:
            return
        is_running = state.engine is Engine.RUNNING
        if is_running and not self._was_running:
            self._ask()
        self._was_running = is_running
        if is_running and not state.is_muted and not self.notice.isHidden():
            self.notice.hide()
            self._ask()
        for card in (self.microphone, self.echo, self.wake):
            card.draw(state)

    def _lay_out(self) -> None:
        self.add(self.notice)
        for kind in ("microphone", "speaker", "echo", "wake"):
            card: QWidget = getattr(self, kind)
            self.add(card)
            card.setVisible(kind in self._kinds)
        for card in (self.microphone, self.speaker, self.echo, self.wake):
            card.over.connect(self._ask)
        self.microphone.chosen.connect(lambda name: self._keep("sound.microphone", name))
        self.speaker.chosen.connect(lambda name: self._keep("sound.speaker", name))
        self.wake.chosen.connect(self._keep)

    def _ask(self) -> None:
        if self._is_here:
            self._bridge.tend("sound", "list", then=self._fill, failed=self._not_yet, owner=self)

    def _fill(self, listed: Mapping[str, Any]) -> None:
        self.microphone.fill(listed["microphone"])
        speaker, said = listed["speaker"], listed["microphone"]["problem"]
        # What keeps both from working is said once.
        self.speaker.fill({**speaker, "problem": ""} if speaker["problem"] == said else speaker)
        self.wake.fill(listed)
        if self._is_here and "microphone" in self._kinds and not self._is_trying():
            self._bridge.tend("sound", "level", then=self._listening, failed=_never_mind, owner=self)

    def _not_yet(self, fault: Fault) -> None:
        """The engine may be starting: ask again."""
        if self._is_here:
            self._again.start()

    def _listening(self, answer: Mapping[str, object]) -> None:
        if answer.get("muted") is True:
            self.notice.say(Fault(self.tr("The microphone is muted, so I hear nothing.")))

    def _is_trying(self) -> bool:
        waits = (self.microphone.button, self.speaker.button, self.echo.button)
        return self.wake.is_trying or not all(button.isEnabled() for button in waits)

    def _set(self, name: str, value: str) -> None:
        given = {"name": name, "value": value}
        self._bridge.tend("settings", "set", given, then=lambda answer: self.kept(), owner=self)

    def _unmute(self) -> None:
        self._bridge.ask(Mute(on=False), owner=self)


def _never_mind(fault: Fault) -> None:
    """Whoever looks sees that the bar does not move."""
