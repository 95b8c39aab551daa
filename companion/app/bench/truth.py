"""Where the voice in a clean recording really begins and ends: the reference that turn taking is measured against.

Silero says roughly where somebody speaks (windows of 32 ms above 0.5; runs shorter than 0.1 s do not count). Around
that, loudness says where the sound of it begins and ends: frames of 10 ms more than 8 dB above the recording's noise
floor (the quietest tenth of its frames) and within 35 dB of its loudest frame. The loud stretch may go on for at most
0.25 s beyond what Silero hears, with gaps of up to 0.05 s: a soft last consonant counts, a click of the mouse does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.audio.level import FULL_SCALE
from companion.audio.resample import Samples
from companion.audio.vad import WINDOW, Silero
from companion.voice.contract import RATE

_VOICE_ABOVE = 0.5
_SHORTEST_RUN = 3
"""Windows."""
_HOP = 160
_OVER_FLOOR_DB = 8.0
_UNDER_PEAK_DB = 35.0
_REACH = 25
"""Frames that loudness may add on each side."""
_GAP = 5
"""Frames of quiet that do not end a loud stretch."""


@dataclass(frozen=True, slots=True)
class Span:
    """From the first to the last sound of a voice, in seconds."""

    began: float
    ended: float


def voice_span(samples: Samples) -> Span | None:
    """The span of the voice in 16 kHz sound; None where nobody speaks."""
    runs = _voiced_runs(_probabilities(samples) >= _VOICE_ABOVE)
    if not runs:
        return None
    loud = _loud_frames(samples)
    first = runs[0][0] * WINDOW // _HOP
    last = min(runs[-1][1] * WINDOW // _HOP, len(loud))
    began = _reach(loud[:first][::-1])
    ended = _reach(loud[last:])
    # The edge windows of Silero may themselves be half silent.
    last -= _quiet_tail(loud[first:last]) if ended == 0 else 0
    first += _quiet_tail(loud[first:last][::-1]) if began == 0 else 0
    return Span((first - began) * _HOP / RATE, (last + ended) * _HOP / RATE)


def _probabilities(samples: Samples) -> npt.NDArray[np.float64]:
    silero = Silero()
    whole = np.pad(samples, (0, -len(samples) % WINDOW))
    return np.array([silero.judge(window) for window in whole.reshape(-1, WINDOW)], np.float64)


def _voiced_runs(voiced: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last-but-one window of each run that is long enough."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], voiced.astype(np.int8), [0]])))
    runs = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    return [(first, last) for first, last in runs if last - first >= _SHORTEST_RUN]


def _loud_frames(samples: Samples) -> npt.NDArray[np.bool_]:
    levels = frame_levels(samples)
    if not len(levels):
        return np.zeros(0, np.bool_)
    threshold = max(float(np.quantile(levels, 0.1)) + _OVER_FLOOR_DB, float(levels.max()) - _UNDER_PEAK_DB)
    # A clip without a silence has no floor to be heard; then its peak alone decides.
    threshold = min(threshold, float(levels.max()) - 15.0)
    loud: npt.NDArray[np.bool_] = levels >= threshold
    return loud


def frame_levels(samples: Samples) -> npt.NDArray[np.float64]:
    """Level of each 10 ms, dBFS, at least -120."""
    count = len(samples) // _HOP
    frames = samples[: count * _HOP].astype(np.float64).reshape(count, _HOP) / FULL_SCALE
    levels: npt.NDArray[np.float64] = 10 * np.log10(np.maximum(np.mean(frames**2, axis=1), 1e-12))
    return levels


def _reach(loud: npt.NDArray[np.bool_]) -> int:
    """How many frames a loud stretch goes on from the start, over small gaps."""
    reached = 0
    for place in np.flatnonzero(loud[:_REACH]).tolist():
        if place - reached > _GAP:
            break
        reached = place + 1
    return reached


def _quiet_tail(loud: npt.NDArray[np.bool_]) -> int:
    """Quiet frames at the end."""
    places = np.flatnonzero(loud)
    return len(loud) - 1 - int(places[-1]) if len(places) else 0
