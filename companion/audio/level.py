"""How loud it is."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from companion.audio.resample import Samples, samples_of

SILENCE = -120.0
"""dBFS of digital silence."""
_FULL_SCALE = 32768.0


@dataclass(frozen=True, slots=True)
class Level:
    """Loudness of a stretch of sound."""

    rms: float
    """dBFS of the mean power."""
    peak: float
    """dBFS of the largest sample."""
    at: float
    """End of the stretch, in seconds on the sample clock."""


def rms_dbfs(samples: Samples) -> float:
    """Mean power in dBFS; -120 for digital silence or nothing."""
    if not len(samples):
        return SILENCE
    wide = samples.astype(np.float32)
    return decibels(math.sqrt(float(wide @ wide) / len(wide)) / _FULL_SCALE)


def decibels(ratio: float) -> float:
    """An amplitude ratio in decibels, never below -120."""
    return 20.0 * math.log10(ratio) if ratio > 1e-6 else SILENCE


class LevelMeter:
    """Hears every sample and tells the level at most every ``every`` seconds of sound."""

    def __init__(self, on_level: Callable[[Level], None], *, every: float = 0.1, rate: int = 16_000) -> None:
        self._on_level = on_level
        self._rate = rate
        self._window = int(every * rate)
        self._power = 0.0
        self._peak = 0
        self._count = 0
        self._heard = 0

    def hear(self, sound: bytes) -> None:
        samples = samples_of(sound)
        if not len(samples):
            return
        wide = samples.astype(np.float32)
        self._power += float(wide @ wide)
        self._peak = max(self._peak, int(wide.max()), -int(wide.min()))
        self._count += len(samples)
        self._heard += len(samples)
        if self._count >= self._window:
            self._tell()

    def _tell(self) -> None:
        rms = math.sqrt(self._power / self._count) / _FULL_SCALE
        level = Level(decibels(rms), decibels(self._peak / _FULL_SCALE), self._heard / self._rate)
        self._power, self._peak, self._count = 0.0, 0, 0
        self._on_level(level)


class NoiseFloor:
    """The steady loudness of a room: the quietest quarter second of the last few."""

    def __init__(self, *, seconds: float = 3.0, step: float = 0.25, rate: int = 16_000) -> None:
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
            level = decibels(math.sqrt(self._power / self._count) / _FULL_SCALE)
            self._levels = [*self._levels[1 - self._size :], level] if self._size > 1 else [level]
            self._power, self._count = 0.0, 0

    @property
    def dbfs(self) -> float:
        """-120 until a whole window has been heard: a room counts as quiet until it has been listened to."""
        return min(self._levels) if len(self._levels) == self._size else SILENCE
