"""Microphone and loudspeaker, and the name to call: the same cards as on the sound page."""

from __future__ import annotations

from companion.ui.bridge import Bridge
from companion.ui.state import UiState
from companion.ui.trials.sound_cards import SoundCards
from companion.ui.wizard.step import WizardStep


class SoundStep(WizardStep):
    """Can we hear each other?"""

    name = "sound"

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(
            bridge,
            self.tr("Can we hear each other?"),
            self.tr("Speak, and watch the bar. Then listen to the chime, and let me find out whether I hear myself."),
        )
        self.cards = SoundCards(bridge, ("microphone", "speaker", "echo"))
        self.add(self.cards)

    def draw(self, state: UiState) -> None:
        self.cards.draw(state)

    def entered(self) -> None:
        self.cards.entered()

    def left(self) -> None:
        self.cards.left()


class WakeStep(WizardStep):
    """What do you call me?"""

    name = "wake"

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(
            bridge,
            self.tr("What will you call me?"),
            self.tr("I sleep until I hear my name. Choose one, and say it three times to see that I hear it."),
        )
        self.cards = SoundCards(bridge, ("wake",))
        self.add(self.cards)

    def draw(self, state: UiState) -> None:
        self.cards.draw(state)

    def entered(self) -> None:
        self.cards.entered()

    def left(self) -> None:
        self.cards.left()
