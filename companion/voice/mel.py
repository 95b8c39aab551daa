"""The mel scale as Slaney's Auditory Toolbox has it, which Whisper and its kin were trained on."""

from __future__ import annotations

import math

# Linear up to 1 kHz (15 mel), then 27 mel for every factor of 6.4.
_LINEAR_HERTZ = 200.0 / 3
_BEND_HERTZ = 1000.0
_BEND_MEL = _BEND_HERTZ / _LINEAR_HERTZ
_LOG_STEP = math.log(6.4) / 27.0


def mel_filters(bands: int, window: int, rate: int) -> list[list[float]]:
    """Triangles of equal area, evenly spaced in mel; rows are bands, columns the FFT bins of ``window`` samples."""
    bins = [place * rate / window for place in range(window // 2 + 1)]
    step = _mel(rate / 2) / (bands + 1)
    edges = [_hertz(place * step) for place in range(bands + 2)]
    return [
        [_triangle(hertz, low, centre, high) for hertz in bins]
        for low, centre, high in zip(edges, edges[1:], edges[2:], strict=False)
    ]


def _triangle(hertz: float, low: float, centre: float, high: float) -> float:
    rising, falling = (hertz - low) / (centre - low), (high - hertz) / (high - centre)
    return max(0.0, min(rising, falling)) * 2.0 / (high - low)


def _mel(hertz: float) -> float:
    """Of a frequency above the bend."""
    return _BEND_MEL + math.log(hertz / _BEND_HERTZ) / _LOG_STEP


def _hertz(mel: float) -> float:
    return _LINEAR_HERTZ * mel if mel < _BEND_MEL else _BEND_HERTZ * math.exp(_LOG_STEP * (mel - _BEND_MEL))
