"""The tune is long enough, loud enough, never too loud, and has a little of every frequency."""

from __future__ import annotations

import numpy as np

from companion.audio.resample import samples_of
from companion.audio.tune import RATE, tune


def test_it_lasts_about_as_long_as_asked() -> None:
    for seconds in (2.0, 7.0):
        assert abs(len(tune(seconds)) / 2 / RATE - seconds) < 0.5


def test_it_is_always_the_same_and_never_clips() -> None:
    sound = tune(3.0)
    assert sound == tune(3.0)
    assert 8000 < np.abs(samples_of(sound).astype(int)).max() < 16000


def test_it_has_a_little_of_every_frequency_that_speech_has() -> None:
    power = np.abs(np.fft.rfft(samples_of(tune(4.0)).astype(float))) ** 2
    bands = [power[4 * low : 4 * high].mean() for low, high in ((200, 500), (500, 1000), (1000, 2000), (2000, 4000))]
    assert min(bands) > 1e-4 * max(bands)
