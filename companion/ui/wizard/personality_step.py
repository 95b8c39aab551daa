"""Who the companion is: three cards, each with a button to hear how it talks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.ui.bridge import Bridge
from companion.ui.engine_words import in_window_language
from companion.ui.state import Fault, UiState
from companion.ui.widgets import Quiet
from companion.ui.wizard.choice_cards import ChoiceCard, ChoiceCards
from companion.ui.wizard.step import WizardStep

TASK = "voices.try"


class PersonalityStep(WizardStep):
    """Kept at once."""

    name = "personality"

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(
            bridge,
            self.tr("What kind of companion?"),
            self.tr("Choose how I talk. You can change it, and write it in your own words, in the settings."),
        )
        self._is_playing = False
        self.cards = ChoiceCards(self.tr("How I talk"))
        self.told = Quiet()
        self.told.hide()
        for key, title in (
            ("personal", self.tr("Calm and clear")),
            ("warm", self.tr("Warm and patient")),
            ("playful", self.tr("Cheerful, with dry wit")),
        ):
            words = self.sample(key)
            play = (self.tr("Play"), lambda words=words: self._play(words))
            card = self.cards.put(key, ChoiceCard(title, self.tr("“{words}”").format(words=words), play))
            assert card.button is not None
            card.button.setAccessibleName(self.tr("Play: {title}").format(title=title))
        self.cards.chosen.connect(lambda key: self.keep("personality.which", key))
        self.add(self.cards)
        self.add(self.told)

    def entered(self) -> None:
        self.fetch("settings", "list", self._fill)

    def left(self) -> None:
        if self._is_playing:
            self.bridge.tend("voices", "stop", failed=lambda fault: None, owner=self)

    def draw(self, state: UiState) -> None:
        task = state.task(TASK)
        if self._is_playing and task is not None and task.is_over:
            self._is_playing = False
            self.told.say(self._quiet(task.fault) if task.fault is not None else "")

    def sample(self, which: str) -> str:
        """What each would say on a rainy morning."""
        match which:
            case "warm":
                return self.tr("Good morning. It is raining, so take your time. Shall I tell you what the day holds?")
            case "playful":
                return self.tr("Good morning. It is raining: fine weather for ducks, and for a second cup of coffee.")
            case _:
                return self.tr("Good morning. It is raining, and you have nothing planned before ten.")

    def _fill(self, answer: Mapping[str, Any]) -> None:
        values = {row["name"]: row["value"] for row in answer.get("settings", ())}
        if not self.cards.key:
            self.cards.show_chosen(str(values.get("personality.which", "personal")))

    def _play(self, words: str) -> None:
        self._is_playing = True
        self.told.say(self.tr("A moment."))
        self.bridge.tend("voices", "try", {"text": words}, failed=self._failed, owner=self)

    def _failed(self, fault: Fault) -> None:
        self._is_playing = False
        self.told.say(self._quiet(fault))

    def _quiet(self, fault: Fault) -> str:
        """It is no problem here: voices come with the models."""
        return self.tr("I cannot say it yet: {reason}").format(reason=in_window_language(fault.message))
