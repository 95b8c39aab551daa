"""Whether anything but the loudspeaker is to be heard in the room (a double-talk detector).

What an ``EchoFilter`` leaves behind is compared, band by band, with what it may have missed, with what
it usually leaves (a loudspeaker that distorts, clocks that drift) and with the room's own noise. A voice
stands out by 20 dB and more within two hops; the echo of a reply, however badly learned, does not.

Where the echo suddenly comes another way (sound was lost, somebody moved), all of it stands out. But then
what was heard has nothing in common with what was taken out of it, whereas a voice comes on top of that.
"""

from __future__ import annotations

import numpy as np

from companion.audio.echo_filter import HOP, Cancelled
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
_FADES = 0.7
"""A hop, of what the heard and the expected echo have in common: some 60 ms count."""
_AGREES = 0.5
"""How much of the expected echo must be in what is heard."""
_AS_LOUD = (0.5, 6.0)
"""How many times the power of the expected echo is heard where it comes another way. Less: it has not come yet; more:
a voice drowns it."""
_ECHO_ABOVE = 300.0 * HOP
"""Energy of an echo (some -65 dBFS) that is worth looking for."""
_FOUND_AT, _FOUND_HOPS = 0.8, 10
"""How much of it, for how many hops that say anything, shows that the filter knows the way."""
ASTRAY_HOPS = 5
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
        self.begin_afresh()

    def begin_afresh(self) -> None:
        """The filter has forgotten the way; the room and the loudspeaker are the same."""
        self._common = self._expected = self._heard = 0.0
        self._astray = self._found = 0

    @property
    def has_lost_its_way(self) -> bool:
        """Whether the filter has been looking for the echo in the wrong place for a tenth of a second."""
        return self._astray >= ASTRAY_HOPS

    def gain(self, hop: Cancelled) -> float:
        """How much of the residual is to be let through, 0 to 1."""
        excess = self._excess(hop)
        self._astray = self._astray + 1 if self._is_astray(hop) else 0
        if self._astray:
            self._open_for = self._above = 0
            return 0.0
        self._above = self._above + 1 if excess > OPENS_AT else 0
        if self._above >= OPENING_HOPS:
            self._open_for = HELD_HOPS
        elif self._open_for > 0:
            self._open_for -= 1
        return 1.0 if self._open_for else _AJAR * float(min(excess / OPENS_AT, 1.0)) ** 0.5

    def _is_astray(self, hop: Cancelled) -> bool:
        near = hop.residual + hop.echo
        self._common = _FADES * self._common + float(near @ hop.echo)
        self._expected = _FADES * self._expected + float(hop.echo @ hop.echo)
        self._heard = _FADES * self._heard + float(near @ near)
        least, most = (share * self._expected for share in _AS_LOUD)
        if self._expected < _ECHO_ABOVE or not least < self._heard < most:
            return False
        self._found += self._common > _FOUND_AT * self._expected
        return self._found >= _FOUND_HOPS and self._common < _AGREES * self._expected

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
