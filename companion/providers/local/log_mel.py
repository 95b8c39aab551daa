"""Log-mel features as Whisper was trained on (Radford et al. 2022, 2.2; mel scale of Slaney's Auditory Toolbox)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.voice.mel import mel_filters

Floats = NDArray[np.float32]

RATE = 16_000
"""Hertz."""
HOP = 160
"""Samples from one frame to the next."""
FRAMES_PER_SECOND = RATE // HOP

_WINDOW = 400
_SMALLEST_POWER = 1e-10
_RANGE = 8.0
"""Decades below the loudest value at which features are cut off."""


class LogMel:
    """Turns sound into features. bands: rows of the result, as the model has it (80, or 128 for large-v3)."""

    def __init__(self, bands: int = 80) -> None:
        self._filters = np.array(mel_filters(bands, _WINDOW, RATE), np.float32)
        self._taper = np.hanning(_WINDOW + 1)[:-1].astype(np.float32)

    def __call__(self, sound: Floats, frames: int) -> Floats:
        """Features of ``sound`` (16 kHz, -1 to 1), followed by silence or cut to ``frames`` columns.

        The silence is not transformed, only filled in: it is most of a short order.
        """
        sound = sound[: frames * HOP]
        edge = _WINDOW // 2
        heard = min(-(-(len(sound) + edge) // HOP), frames)
        padded = np.zeros(edge + max(len(sound), heard * HOP + _WINDOW), np.float32)
        padded[edge : edge + len(sound)] = sound
        mirrored = sound[1 : edge + 1][::-1]
        padded[edge - len(mirrored) : edge] = mirrored
        windows = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[: heard * HOP : HOP]
        spectrum = np.fft.rfft(windows * self._taper)
        power = spectrum.real**2 + spectrum.imag**2
        decades = np.full((len(self._filters), frames), np.log10(_SMALLEST_POWER), np.float32)
        decades[:, :heard] = np.log10(np.maximum(self._filters @ power.T, _SMALLEST_POWER))
        features: Floats = (np.maximum(decades, decades.max() - _RANGE) + 4.0) / 4.0
        return features
