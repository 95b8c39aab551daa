"""Whether anything but the loudspeaker is to be heard in the room (a double-talk detector).

What an ``EchoFilter`` leaves behind is compared, band by band, with what it may have missed, with what
it usually leaves (a loudspeaker that distorts, clocks that drift) and with the room's own noise. A voice
stands out by 20 dB and more within two hops; the echo of a reply, however badly learned, does not.
"""

from __future__ import annotations

import numpy as np

from companion.audio.echo_filter import Cancelled
from companion.audio.resample import Floats

OPENS_AT = 16.0
"""How many times more power than expected (12 dB) opens the gate; two hops in a row, for a click is no voice."""
OPENING_HOPS = 2
HELD_HOPS = 15
"""How long (0.3 s) the gate stays open: to the next syllable."""
_AJAR = 0.3
"""What a shut gate lets through at most: the soft first sound of a word that then opens it."""
_BANDS = (4, 20, 40, 80, 160, 320)
"""Edges at 100, 500, 1000, 2000, 4000 and 8000 Hz, in steps of 25 Hz."""
_SILENT_ROOM = 1e3 * np.diff(_BANDS)
"""Power in each band of a room at -85 dBFS."""
_FLOOR_RISES = 1.02
"""A hop (4 dB a second): the quietest moments tell how loud the room is."""
_FLOOR_FALLS = 0.5
"""Share of the way down to a quieter hop."""
_PLAYS_ABOVE = 1e6
"""Power in a band (some -60 dBFS) from which the echo in it teaches what is usually left."""
_LEFT_AT_FIRST, _LEAST_LEFT = 1e-3, 1e-4
"""Shares of the echo's power."""
_LEFT_QUANTILE = 0.9
_LEFT_STEP = 10**0.05
"""Half a decibel a hop: a voice over a reply, which soon ends it, changes little of what is usually left."""


class NearEnd:
    """Follows one echo filter, hop by hop."""

    def __init__(self) -> None:
        self._usual_share = np.full(len(_SILENT_ROOM), _LEFT_AT_FIRST)
        self._floor: Floats | None = None
        self._open_for = 0
        self._above = 0

    def gain(self, hop: Cancelled) -> float:
        """How much of the residual is to be let through, 0 to 1."""
        excess = self._excess(hop)
        self._above = self._above + 1 if excess > OPENS_AT else 0
        if self._above >= OPENING_HOPS:
            self._open_for = HELD_HOPS
        elif self._open_for > 0:
            self._open_for -= 1
        return 1.0 if self._open_for else _AJAR * float(min(excess / OPENS_AT, 1.0)) ** 0.5

    def _excess(self, hop: Cancelled) -> float:
        """The residual's power over the expected, in the band where it stands out most."""
        residual, echo, missed = map(_by_band, (hop.residual_power, hop.echo_power, hop.expected_power))
        room = np.maximum(self._room(residual), _SILENT_ROOM)
        excess = residual / (missed + self._usual_share * echo + room)
        self._learn_what_is_left(residual, echo)
        return float(excess.max())

    def _room(self, residual: Floats) -> Floats:
        risen = residual if self._floor is None else self._floor * _FLOOR_RISES
        self._floor = np.where(residual < risen, risen + _FLOOR_FALLS * (residual - risen), risen)
        return self._floor

    def _learn_what_is_left(self, residual: Floats, echo: Floats) -> None:
        """Follow a high quantile of residual over echo: up nine steps for each step down."""
        up = residual > self._usual_share * echo
        moved = self._usual_share * np.where(up, _LEFT_STEP**_LEFT_QUANTILE, _LEFT_STEP ** (_LEFT_QUANTILE - 1))
        self._usual_share = np.where(echo > _PLAYS_ABOVE, np.clip(moved, _LEAST_LEFT, 1.0), self._usual_share)


def _by_band(power: Floats) -> Floats:
    sums: Floats = np.add.reduceat(power, _BANDS)[:-1]
    return sums
