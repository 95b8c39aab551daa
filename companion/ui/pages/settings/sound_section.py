"""Sound: microphone, loudspeaker, echo and the name to call, tried out; and how we talk with each other."""

from __future__ import annotations

from companion.app.events import SettingsChanged
from companion.ui.bridge import Bridge
from companion.ui.pages.settings.book import Book
from companion.ui.pages.settings.section import Section
from companion.ui.state import UiState
from companion.ui.trials.sound_cards import SoundCards

TRIED = frozenset({"sound.microphone", "sound.speaker", "wake.word", "wake.threshold"})
"""Settings that the cards show."""


class SoundSection(Section):
    """What is chosen on the cards can be taken back, like every setting of the page."""

    def __init__(self, bridge: Bridge, book: Book) -> None:
        super().__init__(bridge, book)
        self.cards = SoundCards(bridge, keep=book.set)
        bridge.told.connect(self._hear)
        self.add(self.cards)
        self.card_of(self.tr("My voice"), "sound.volume", "sound.chimes")
        self.card_of(self.tr("Talking together"), "turn.barge_in", "wake.follow_up", "wake.open_microphone")
        self.card_of(self.tr("What I hear"), "sound.gain", "sound.echo_cancellation", "sound.noise_suppression")

    def draw(self, state: UiState) -> None:
        self.cards.draw(state)

    def entered(self) -> None:
        self.cards.entered()

    def left(self) -> None:
        self.cards.left()

    def _hear(self, event: object) -> None:
        if isinstance(event, SettingsChanged) and TRIED & {*event.names, *event.waiting}:
            self.cards.kept()
