"""What a recording shows: where a known sound lies in it, where sound begins, where a reply dies away. Arithmetic only.

All recordings are 16 kHz mono.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.app.bench.truth import frame_levels
from companion.audio.resample import Samples
from companion.voice.contract import RATE

FRAME = 160
"""Samples of one level, 10 ms."""
ALMOST_SILENT_DB = 30.0
"""How far a reply must have fallen to count as almost silent."""
STILL = 20
"""Sample values up to this are silence: dither, and the last ring of a resampler."""


def place_of(sound: Samples, recording: Samples, *, likeness: float = 0.9) -> int | None:
    """The sample at which ``sound`` begins in the recording; None where it is not in it whole.

    Found by the normalised cross-correlation, so the volume does not matter. likeness: the correlation that is enough;
    less than 0.9 lets a stutter pass, or other sound at the same time.
    """
    if not len(sound) or len(recording) < len(sound):
        return None
    wanted, there = sound.astype(np.float64), recording.astype(np.float64)
    size = 1 << (len(there) + len(wanted)).bit_length()
    spectrum = np.fft.rfft(there, size) * np.conj(np.fft.rfft(wanted, size))
    products = np.fft.irfft(spectrum, size)[: len(there) - len(wanted) + 1]
    energy = np.concatenate([[0.0], np.cumsum(there**2)])
    windows = energy[len(wanted) :] - energy[: -len(wanted)]
    scale = np.sqrt(np.maximum(windows, 1.0) * max(float(wanted @ wanted), 1.0))
    correlation: npt.NDArray[np.float64] = products / scale
    best = int(correlation.argmax())
    return best if correlation[best] >= likeness else None


def first_sound(recording: Samples, *, above: int) -> int | None:
    """The first sample louder than ``above``; None for silence."""
    loud = np.flatnonzero(np.abs(recording.astype(np.int32)) > above)
    return int(loud[0]) if len(loud) else None


def almost_silent(recording: Samples, onset: int) -> int | None:
    """The sample from which the sound stays 30 dB below what it was in the second before ``onset``.

    None where there was none before it, or where it does not stay so to the end of the recording.
    """
    before = frame_levels(recording[max(onset - RATE, 0) : onset])
    if not len(before) or before.max() <= -90.0:
        return None
    limit = float(np.quantile(before, 0.95)) - ALMOST_SILENT_DB
    after = frame_levels(recording[onset:])
    loud = np.flatnonzero(after > limit)
    quiet_from = int(loud[-1]) + 1 if len(loud) else 0
    return onset + quiet_from * FRAME if quiet_from < len(after) else None


def stopped(recording: Samples, onset: int) -> int | None:
    """The sample behind the last sound after ``onset``; None where it sounds to the end."""
    heard = np.flatnonzero(np.abs(recording[onset:].astype(np.int32)) > STILL)
    if not len(heard):
        return onset
    end = onset + int(heard[-1]) + 1
    return end if end < len(recording) - FRAME else None


def until_next_reply(recording: Samples, onset: int, *, gap: float = 0.5) -> Samples:
    """The recording up to the middle of the first silence of ``gap`` seconds after ``onset``.

    Behind it another reply may begin, which is none of the one that was interrupted.
    """
    sounding = np.abs(recording[onset:].astype(np.int32)) > STILL
    edges = np.concatenate([[-1], np.flatnonzero(sounding), [len(sounding)]])
    gaps = np.flatnonzero(np.diff(edges) - 1 >= gap * RATE)
    if not len(gaps):
        return recording
    return recording[: onset + int(edges[gaps[0]]) + 1 + round(gap * RATE / 2)]
