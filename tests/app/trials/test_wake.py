"""The wake word on trial: real recordings are heard, other speech is not, and the slider means what it says."""

from __future__ import annotations

import numpy as np
import pytest
from doubles.sounds import spoken, voice

from companion.app.events import Telling, WakeTried
from companion.app.trials.sensitivity import percent_of, threshold_of
from companion.app.trials.wake import HEARD, READY, Listener
from companion.audio.wake import WakeDetector, WakeVerifier
from companion.settings.schema import Wake

BLOCK = 2 * 1280


async def outcomes(kind: str, count: int, threshold: float) -> list[WakeTried]:
    telling, told = Telling(), []
    telling.subscribe(told.append)
    listener = Listener(telling, WakeDetector("alexa", threshold=threshold), WakeVerifier("alexa", threshold=0.1))
    await listener.prepare()
    pause = np.zeros(8_000, np.int16)
    for number in range(count):
        sound = np.concatenate([pause, voice(kind, number), pause, pause]).tobytes()
        for at in range(0, len(sound) - BLOCK, BLOCK):
            await listener.hear(sound[at : at + BLOCK])
    return [event for event in told if isinstance(event, WakeTried)]


async def test_the_word_is_counted_as_often_as_it_is_said() -> None:
    count = min(4, len(spoken("alexa")))
    told = await outcomes("alexa", count, threshold_of(50))
    assert told[0].outcome == READY
    heard = [event for event in told if event.outcome == HEARD]
    assert len(heard) >= count - 1
    assert [event.count for event in heard] == list(range(1, len(heard) + 1))
    assert all(event.word == "alexa" for event in told)


async def test_other_speech_is_not_taken_for_it() -> None:
    told = await outcomes("not_alexa", min(4, len(spoken("not_alexa"))), threshold_of(50))
    assert [event for event in told if event.outcome == HEARD] == []


@pytest.mark.parametrize("percent", [0, 25, 50, 80, 100])
def test_the_slider_comes_back_to_where_it_was_put(percent: int) -> None:
    assert percent_of(threshold_of(percent)) == percent


def test_the_middle_of_the_slider_is_the_default_and_more_wakes_more_easily() -> None:
    assert threshold_of(50) == Wake().threshold
    assert threshold_of(100) < threshold_of(50) < threshold_of(0)
    assert threshold_of(1000) == threshold_of(100)
    assert percent_of(0.99) == 0
