"""What becomes of doubtful guesses, on a model that answers as it is told."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from companion.providers.local import whisper_model
from companion.providers.local.whisper_model import FULL_SECONDS, SHORT_SECONDS, WhisperModel, _windows


class Told(WhisperModel):
    """Decodes to the next of ``texts``: (text, mean log-probability, probability of no speech)."""

    def __init__(self, *texts: tuple[str, float, float], voiced: float = 3.0) -> None:
        self.contexts: list[int] = []
        self.forbidden: list[int] = []
        self._texts = list(texts)
        self._fixed = "en"
        frames = int(voiced / whisper_model.FRAME_SECONDS)
        self._find_voice = lambda sound: np.ones(frames, np.float32)  # type: ignore[assignment,misc]

    def _encode(self, sound: object, seconds: int) -> SimpleNamespace:
        self.contexts.append(seconds)
        return SimpleNamespace()

    def _decode(self, encoding: object, language: str, limit: int, *, beam: int, forbid: int) -> whisper_model._Guess:
        self.forbidden.append(forbid)
        text, logprob, no_speech = self._texts.pop(0)
        return whisper_model._Guess(text, logprob, no_speech, was_cut=False)

    def said(self) -> str:
        return self.hear(np.zeros(48_000, np.float32), lambda: None).text


def test_a_sound_guess_is_taken_after_one_look() -> None:
    model = Told(("What time is it?", -0.2, 0.1))
    assert model.said() == "What time is it?"
    assert model.contexts == [SHORT_SECONDS]


def test_circles_are_first_forbidden_then_looked_at_in_full() -> None:
    model = Told(("Go go go", -0.1, 0.1), ("Go go and go", -0.4, 0.1), voiced=3.0)
    assert model.said() == "Go go and go"
    assert model.contexts == [SHORT_SECONDS]
    assert model.forbidden == [0, 3]

    model = Told(("Go go go", -0.1, 0.1), ("Go go go", -0.1, 0.1), ("Go to bed", -0.5, 0.1))
    assert model.said() == "Go to bed"
    assert model.contexts == [SHORT_SECONDS, FULL_SECONDS]


def test_one_word_may_not_repeat_from_the_start() -> None:
    model = Told(("Stop.", -0.4, 0.1), voiced=0.5)
    assert model.said() == "Stop."
    assert model.forbidden == [3]


def test_somebody_who_really_said_it_twice_is_believed() -> None:
    model = Told(("Stop stop", -0.4, 0.1), ("Stop, stop!", -0.3, 0.1), voiced=1.0)
    assert model.said() == "Stop, stop!"


def test_low_confidence_takes_the_better_of_two_looks() -> None:
    assert Told(("mumble", -1.4, 0.1), ("humble", -0.8, 0.1)).said() == "humble"
    assert Told(("mumble", -1.1, 0.1), ("humble", -1.9, 0.1)).said() == "mumble"


def test_nothing_where_somebody_spoke_is_looked_at_again() -> None:
    assert Told(("", -0.5, 0.2), ("Yes.", -0.6, 0.2)).said() == "Yes."


def test_invented_phrases_are_dropped_and_said_ones_kept() -> None:
    assert Told(("Thanks for watching!", -0.3, 0.8)).said() == ""
    assert Told(("Thank you.", -0.9, 0.1)).said() == ""
    assert Told(("you", -0.1, 0.1), voiced=0.2).said() == ""
    assert Told(("Thank you.", -0.2, 0.1)).said() == "Thank you."


def test_hardly_any_voice_is_nobody() -> None:
    assert Told(voiced=0.06).said() == ""


def test_long_speech_is_cut_where_it_is_quietest() -> None:
    voice = np.ones(2000, np.float32)
    voice[700] = 0.0
    assert list(_windows(voice, 0, 2000)) == [(0, 700), (700, 1325), (1325, 2000)]
