"""Noise to measure in: made, not recorded, so that it is the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from companion.audio.level import FULL_SCALE
from companion.audio.resample import Samples, to_int16
from companion.voice.contract import RATE

Wave = npt.NDArray[np.float64]

KINDS = ("white", "pink", "babble", "hum")
BELOW_DB = (20.0, 10.0, 5.0)
"""How much weaker than the voice a noise is."""
_FRAME = RATE // 50
_VOICED_BELOW_PEAK = 100.0
"""Frames whose power is more than this many times below the loudest are no voice (20 dB)."""


class Noise:
    """Endless noise of every kind, from one seed.

    voices: clips that make the babble, 16 kHz; without them there is none.
    """

    def __init__(self, voices: Sequence[Samples] = (), *, seed: int = 7) -> None:
        self._voices = [voice.astype(np.float64) / max(rms(voice), 1.0) for voice in voices if len(voice)]
        self._random = np.random.default_rng(seed)

    @property
    def kinds(self) -> tuple[str, ...]:
        return KINDS if self._voices else tuple(kind for kind in KINDS if kind != "babble")

    def make(self, kind: str, count: int) -> Wave:
        """``count`` samples of unit power."""
        wave = {"white": self._white, "pink": self._pink, "hum": self._hum, "babble": self._babble}[kind](count)
        return wave / max(float(np.sqrt(np.mean(wave**2))), 1e-9)

    def _white(self, count: int) -> Wave:
        return self._random.standard_normal(count)

    def _pink(self, count: int) -> Wave:
        spectrum = np.fft.rfft(self._white(count))
        spectrum[1:] /= np.sqrt(np.arange(1, len(spectrum)))
        return np.fft.irfft(spectrum, count)

    def _hum(self, count: int) -> Wave:
        at = np.arange(count) / RATE
        parts = ((50, 1.0), (100, 0.3), (150, 0.4), (250, 0.15))
        wave: Wave = np.sum([part * np.sin(2 * np.pi * hertz * at) for hertz, part in parts], axis=0)
        return wave

    def _babble(self, count: int, talkers: int = 6) -> Wave:
        wave = np.zeros(count)
        for _ in range(talkers):
            wave += self._talker(count)
        return wave

    def _talker(self, count: int) -> Wave:
        order = self._random.permutation(len(self._voices))
        said: list[Wave] = []
        while sum(map(len, said)) < 2 * count + 1:
            said += [self._voices[number] for number in order]
        start = int(self._random.integers(count + 1))
        return np.concatenate(said)[start : start + count]


def rms(samples: Samples) -> float:
    """Root of the mean power, in 16-bit steps."""
    return float(np.sqrt(np.mean(samples.astype(np.float64) ** 2))) if len(samples) else 0.0


def voice_rms(samples: Samples) -> float:
    """The same over the frames within 20 dB of the loudest: the silence around a voice makes it no weaker."""
    count = len(samples) // _FRAME
    if not count:
        return rms(samples)
    power = np.mean(samples[: count * _FRAME].astype(np.float64).reshape(count, _FRAME) ** 2, axis=1)
    return float(np.sqrt(np.mean(power[power >= power.max() / _VOICED_BELOW_PEAK])))


def in_noise(voice: Samples, noise: Wave, below_db: float) -> Samples:
    """The voice with ``noise`` (unit power, as long) that many decibels below it; all softer where it would clip."""
    mixed = voice + noise * voice_rms(voice) * 10 ** (-below_db / 20)
    peak = float(np.abs(mixed).max()) if len(mixed) else 0.0
    return to_int16((mixed * min(1.0, 32000.0 / max(peak, 1.0))).astype(np.float32))


def at_level(noise: Wave, dbfs: float) -> Samples:
    """Noise of unit power at a level; what sticks out is clipped."""
    return to_int16((noise * FULL_SCALE * 10 ** (dbfs / 20)).astype(np.float32))


def quiet_sounds(seconds: float = 4.0) -> list[bytes]:
    """Nothing voiced: silence, and white, pink and humming noise at three levels."""
    count, noise = round(seconds * RATE), Noise()
    levels = (-50.0, -34.0, -20.0)
    made = [at_level(noise.make(kind, count), level) for level in levels for kind in noise.kinds]
    return [bytes(2 * count), *(sound.tobytes() for sound in made)]
