"""Made speech: the bench's own voice, kept on disk so that it is made once and is the same the next time."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import numpy as np

from companion.app.bench.truth import Span, frame_levels, voice_span
from companion.app.bench.voice import speak
from companion.audio.resample import Samples, resample, samples_of
from companion.audio.wave import read_sound, write_sound
from companion.stream import Transformer
from companion.voice.contract import RATE

HOP = RATE // 100
_UNDER_PEAK_DB = 30.0
_OVER_FLOOR_DB = 3.0
"""Frames that soft are a rest of the voice."""
_CERTAINLY_LOUD_DB = 20.0
_MARGIN = 0.1
"""Seconds before a voice that may hold its breath."""
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
    """The same with a silence of ``seconds`` in it, as its room sounds, where the voice already rests longest.

    around: where in the voice, give or take a sixth of it. A pause that is there already counts.
    """
    span = voice_span(samples) or Span(0.0, len(samples) / RATE)
    place, quiet = _longest_rest(samples, span, around)
    if quiet >= seconds * RATE:
        return samples
    gap = _room(samples, span, round(seconds * RATE) - quiet)
    before, behind = samples[:place].copy(), samples[place:].copy()
    fade = np.linspace(1.0, 0.0, min(_EDGE, len(before), len(behind)))
    if len(fade):
        before[-len(fade) :] = (before[-len(fade) :] * fade).astype(np.int16)
        behind[: len(fade)] = (behind[: len(fade)] * fade[::-1]).astype(np.int16)
    return np.concatenate([before, gap, behind])


def _room(samples: Samples, span: Span, count: int) -> Samples:
    """So much of what is heard before the voice, again and again; silence where there is too little of it."""
    room = samples[: max(round((span.began - _MARGIN) * RATE), 0)]
    return np.resize(room, count) if len(room) >= RATE // 10 else np.zeros(count, np.int16)


def _longest_rest(samples: Samples, span: Span, around: float) -> tuple[int, int]:
    """The middle of the longest quiet stretch there, and its length in samples; the softest place if there is none."""
    length = span.ended - span.began
    first = round((span.began + max(around - 1 / 6, 0.0) * length) * RATE / HOP)
    last = round((span.began + min(around + 1 / 6, 1.0) * length) * RATE / HOP)
    levels = frame_levels(samples)
    if last <= first or last > len(levels):
        return (first + last) // 2 * HOP, 0
    peak, floor = float(levels.max()), float(np.quantile(levels, 0.1)) + _OVER_FLOOR_DB
    quiet = levels <= max(peak - _UNDER_PEAK_DB, min(floor, peak - _CERTAINLY_LOUD_DB))
    edges = np.flatnonzero(np.diff(np.concatenate([[0], quiet.astype(np.int8), [0]])))
    runs = [(begin, end) for begin, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)]
    there = [run for run in runs if first <= sum(run) / 2 < last]
    if not there:
        return (first + int(levels[first:last].argmin())) * HOP + HOP // 2, 0
    begin, end = max(there, key=lambda run: run[1] - run[0])
    return (begin + end) * HOP // 2, (end - begin) * HOP
