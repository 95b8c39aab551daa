"""How loud it is."""

from __future__ import annotations

import math

import numpy as np

from companion.audio.resample import Samples
from companion.voice.contract import RATE

SILENCE = -120.0
"""dBFS of digital silence."""
FULL_SCALE = 32768.0
"""The largest amplitude of 16-bit sound."""


def rms_dbfs(samples: Samples) -> float:
    """Mean power in dBFS; -120 for digital silence or nothing."""
    if not len(samples):
        return SILENCE
    wide = samples.astype(np.float32)
    return power_dbfs(float(wide @ wide) / len(wide))


def power_dbfs(power: float) -> float:
    """Mean power of 16-bit samples in dBFS, never below -120."""
    amplitude = math.sqrt(power) / FULL_SCALE
    return 20.0 * math.log10(amplitude) if amplitude > 1e-6 else SILENCE


class NoiseFloor:
    """The steady loudness of a room: the quietest quarter second of the last few."""

    def __init__(self, *, seconds: float = 3.0, step: float = 0.25, rate: int = RATE) -> None:
        self._step = int(step * rate)
        self._size = max(1, round(seconds / step))
        self._levels: list[float] = []
        self._power = 0.0
        self._count = 0

    def hear(self, samples: Samples) -> None:
        wide = samples.astype(np.float32)
        self._power += float(wide @ wide)
        self._count += len(samples)
        if self._count >= self._step:
            level = power_dbfs(self._power / self._count)
            self._levels = [*self._levels[1 - self._size :], level] if self._size > 1 else [level]
            self._power, self._count = 0.0, 0

    @property
    def dbfs(self) -> float:
        """-120 until a whole window has been heard: a room counts as quiet until it has been listened to."""
        return min(self._levels) if len(self._levels) == self._size else SILENCE
