"""The mel scale as Slaney's Auditory Toolbox has it, which Whisper and its kin were trained on."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

# Linear up to 1 kHz (15 mel), then 27 mel for every factor of 6.4.
_LINEAR_HERTZ = 200.0 / 3
_BEND_HERTZ = 1000.0
_BEND_MEL = _BEND_HERTZ / _LINEAR_HERTZ
_LOG_STEP = np.log(6.4) / 27.0


def mel_filters(bands: int, window: int, rate: int) -> Floats:
    """Triangles of equal area, evenly spaced in mel; rows are bands, columns the FFT bins of ``window`` samples."""
    bins = np.fft.rfftfreq(window, 1 / rate)
    edges = _hertz(np.linspace(0.0, _mel(rate / 2), bands + 2))
    low, centre, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    rising = (bins - low) / (centre - low)
    falling = (high - bins) / (high - centre)
    triangles: Floats = np.maximum(0.0, np.minimum(rising, falling)) * 2.0 / (high - low)
    return triangles


def _mel(hertz: float) -> float:
    """Of a frequency above the bend."""
    return float(_BEND_MEL + np.log(hertz / _BEND_HERTZ) / _LOG_STEP)


def _hertz(mel: Floats) -> Floats:
    above = _BEND_HERTZ * np.exp(_LOG_STEP * (mel - _BEND_MEL))
    return np.where(mel < _BEND_MEL, _LINEAR_HERTZ * mel, above)
