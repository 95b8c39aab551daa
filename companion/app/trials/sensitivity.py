"""How easily the wake word is heard, as a person sets it: in percent, where 50 is the default."""

from __future__ import annotations

_SUREST, _LEAST_SURE = 0.95, 0.45


def threshold_of(percent: int) -> float:
    """How sure the detector must be."""
    return round(_SUREST - (_SUREST - _LEAST_SURE) * min(max(percent, 0), 100) / 100, 3)


def percent_of(threshold: float) -> int:
    """The sensitivity of a threshold."""
    return min(max(round(100 * (_SUREST - threshold) / (_SUREST - _LEAST_SURE)), 0), 100)
