"""Whether anything but the loudspeaker is to be heard in the room (a double-talk detector).

What an ``EchoFilter`` leaves behind is compared, band by band, with what it may have missed and with
what it usually leaves (a loudspeaker that distorts, clocks that drift). A voice stands out by 20 dB and
more within two hops; the echo of a reply, however badly learned, does not.
"""

from __future__ import annotations

import numpy as np

from companion.audio.echo_filter import Cancelled
from companion.audio.resample import Floats

OPENS_AT = 8.0
"""How many times more power than expected (9 dB) opens the gate; two hops in a row, for a click is no voice."""
OPENING_HOPS = 2
HELD_HOPS = 15
"""How long (0.3 s) the gate stays open: to the next syllable."""
_AJAR = 0.3
"""What a shut gate lets through at most: the soft first sound of a word that then opens it."""
_BANDS = (4, 20, 40, 80, 160, 320)
"""Edges at 100, 500, 1000, 2000, 4000 and 8000 Hz, in steps of 25 Hz."""
_ROOM_POWER = 3e4
"""Of a room that counts as silent, in a band."""
_PLAYS_ABOVE = 1e6
_LEFT_AT_FIRST = 1e-3
_LEFT_QUANTILE = 0.9
_LEFT_STEP = 10**0.05
"""Half a decibel a hop: a voice over a reply, which soon ends it, changes little of what is usually left."""
_LEAST_LEFT = 1e-4


class NearEnd:
    """Follows one echo filter, hop by hop."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """The filter starts afresh."""
        self._left = np.full(len(_BANDS) - 1, _LEFT_AT_FIRST)
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
        excess = residual / (missed + self._left * echo + _ROOM_POWER)
        self._learn_what_is_left(residual, echo)
        return float(excess.max())

    def _learn_what_is_left(self, residual: Floats, echo: Floats) -> None:
        """Follow a high quantile of residual over echo: up nine steps for each step down."""
        plays = echo > _PLAYS_ABOVE
        up = residual > self._left * echo
        moved = self._left * np.where(up, _LEFT_STEP**_LEFT_QUANTILE, _LEFT_STEP ** (_LEFT_QUANTILE - 1))
        self._left = np.where(plays, np.clip(moved, _LEAST_LEFT, 1.0), self._left)


def _by_band(power: Floats) -> Floats:
    sums: Floats = np.add.reduceat(power, _BANDS)[:-1]
    return sums
