"""What the loop's bench makes of what it heard."""

from __future__ import annotations

import pytest

from companion.app.bench.figures import Share, Spread
from companion.app.bench.loop import Heard, Utterance, _steps, figures

SOUND = Utterance("commands", None, 1.5)  # type: ignore[arg-type]


def test_replies_before_the_end_are_counted_and_kept_out_of_the_delays() -> None:
    heard = [
        Heard(SOUND, True, 0.4),
        Heard(SOUND, True, 0.6),
        Heard(SOUND, True, -0.2),
        Heard(SOUND, True, None),
        Heard(SOUND, False, None),
    ]
    told = figures(heard)

    assert told["commands: end of speech to first sound"] == Spread.of([0.4, 0.6], "s")
    assert told["commands: woken"] == Share(4, 5)
    assert told["commands: answered"] == Share(3, 5)
    assert told["commands: answered before the end"] == Share(1, 5)
    assert told["all: answered"] == told["commands: answered"]


def test_what_the_companion_does_not_know_of_is_the_sound_card() -> None:
    last = {"number": 1, "wait": 0.3, "recogniser": 0.2, "first_token": 0.05, "first_sound": 0.15, "total": 0.5}

    assert _steps(last, 0.57)["sound_card"] == pytest.approx(0.07)
    told = figures([Heard(SOUND, True, 0.57, _steps(last, 0.57))])
    assert told["commands: of it sound card"] == Spread.of([0.57 - 0.5], "s")
    assert told["commands: of it first token"] == Spread.of([0.05], "s")
