"""A short tune to play where nothing can be said yet: plucked strings, which have a little of every frequency.

Each note is a burst of noise that runs round a loop as long as its period and is smoothed on the way (Karplus
and Strong, "Digital synthesis of plucked-string and drum timbres", Computer Music Journal 7, 1983).
"""

from __future__ import annotations

import numpy as np

from companion.audio.resample import Floats
from companion.voice.contract import RATE

STEP = 0.24
"""Seconds from one note to the next."""
RINGS = 1.2
"""Seconds a note is heard."""
_LEVEL = 0.35
_SCALE = (196.0, 220.0, 261.6, 293.7, 329.6, 392.0, 440.0, 523.3)
"""Hertz. The notes come in no order that comes again: a tune that repeats itself looks like its own echo."""


def tune(seconds: float) -> bytes:
    """About so many seconds of it, 16 kHz mono PCM."""
    count = max(1, round((seconds - RINGS) / STEP) + 1)
    mixed = np.zeros(round(((count - 1) * STEP + RINGS) * RATE), np.float32)
    random = np.random.default_rng(5)
    for number in range(count):
        begin = round(number * STEP * RATE)
        note = _plucked(float(random.choice(_SCALE)), random)
        mixed[begin : begin + len(note)] += note
    mixed *= _LEVEL * 32767 / float(np.abs(mixed).max())
    return np.rint(mixed).astype("<i2").tobytes()


def _plucked(hertz: float, random: np.random.Generator) -> Floats:
    period = round(RATE / hertz)
    string = random.uniform(-1, 1, period).astype(np.float32)
    rounds = []
    for _ in range(round(RINGS * RATE) // period):
        rounds.append(string)
        string = np.float32(0.5) * (string + np.roll(string, 1))
    note = np.concatenate(rounds)
    fade = RATE // 20
    note[-fade:] *= np.linspace(1, 0, fade, dtype=np.float32)
    return note
