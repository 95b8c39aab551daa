"""Made speech: the bench's own voice, kept on disk so that it is made once and is the same the next time."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import numpy as np

from companion.app.bench.truth import Span, voice_span
from companion.app.bench.voice import speak
from companion.audio.resample import Samples, resample, samples_of
from companion.audio.wave import read_sound, write_sound
from companion.stream import Transformer

RATE = 16_000
_DIP = RATE * 3 // 100
_EDGE = RATE // 200
"""Samples over which a cut fades."""


class MadeSpeech:
    """Texts as 16 kHz sound, from the folder where they are there already.

    name: of the voice; another voice's sounds are others.
    """

    def __init__(self, voice: Transformer, name: str, folder: Path) -> None:
        self._voice = voice
        self._name = name
        self._folder = folder

    async def say(self, text: str) -> Samples:
        """The sound of a text."""
        key = hashlib.sha256(f"{self._name}\n{text}".encode()).hexdigest()[:24]
        file = self._folder / f"{key}.flac"
        if not file.exists():
            spoken = await speak(self._voice, text)
            sound = resample(samples_of(spoken.sound), spoken.rate, RATE)
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            await asyncio.to_thread(write_sound, file, sound.tobytes(), RATE)
        return samples_of(await asyncio.to_thread(read_sound, file))


def with_pause(samples: Samples, seconds: float, *, around: float = 0.5) -> Samples:
    """The same with a silence of ``seconds`` where the voice is softest in its middle third.

    around: where that third lies, as a share of the voice. A pause that is there already counts.
    """
    span = voice_span(samples) or Span(0.0, len(samples) / RATE)
    place, quiet = _softest(samples, span, around)
    if quiet >= seconds * RATE:
        return samples
    gap = np.zeros(round(seconds * RATE) - quiet, np.int16)
    before, behind = samples[:place].copy(), samples[place:].copy()
    fade = np.linspace(1.0, 0.0, min(_EDGE, len(before), len(behind)))
    if len(fade):
        before[-len(fade) :] = (before[-len(fade) :] * fade).astype(np.int16)
        behind[: len(fade)] = (behind[: len(fade)] * fade[::-1]).astype(np.int16)
    return np.concatenate([before, gap, behind])


def _softest(samples: Samples, span: Span, around: float) -> tuple[int, int]:
    """The middle of the softest 30 ms there, and how many samples of pause surround it already."""
    length = span.ended - span.began
    first = round((span.began + max(around - 1 / 6, 0.0) * length) * RATE)
    last = round((span.began + min(around + 1 / 6, 1.0) * length) * RATE)
    power = np.convolve(samples[first:last].astype(np.float64) ** 2, np.ones(_DIP) / _DIP, mode="valid")
    if not len(power):
        return (first + last) // 2, 0
    place = first + int(power.argmin()) + _DIP // 2
    loud = np.abs(samples.astype(np.int32)) > max(0.02 * float(np.abs(samples).max()), 1.0)
    before, behind = np.flatnonzero(loud[:place]), np.flatnonzero(loud[place:])
    if not len(before) or not len(behind):
        return place, 0
    return place, int(place - before[-1] + behind[0])
