"""Loudness in dBFS, and the steady loudness of a room."""

from __future__ import annotations

import numpy as np
import pytest
from doubles.sounds import tone, white

from companion.audio.level import SILENCE, NoiseFloor, rms_dbfs


def test_loudness_is_told_in_decibels_below_full_scale() -> None:
    assert rms_dbfs(np.zeros(160, np.int16)) == SILENCE
    assert rms_dbfs(np.empty(0, np.int16)) == SILENCE
    assert rms_dbfs(tone(1000, 1.0, level=1.0)) == pytest.approx(-3.01, abs=0.02)
    assert rms_dbfs(np.full(160, -32768, np.int16)) == pytest.approx(0.0)


def test_the_noise_floor_is_the_quietest_of_the_last_seconds() -> None:
    floor = NoiseFloor(seconds=2.0)
    floor.hear(white(1.0, -40))
    assert floor.dbfs == SILENCE
    for loud in (-40, -20, -40):
        for _ in range(8):
            floor.hear(white(0.125, loud))
    assert floor.dbfs == pytest.approx(-40, abs=1)
