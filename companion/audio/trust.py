"""Whether an echo canceller has proven itself on the way from this loudspeaker to this microphone.

A way longer than its filter (a loudspeaker on a slow wireless link) leaves the whole echo standing, and
nothing tells that from a voice. So until an echo was seen to go, or none to come, the microphone is
silent while the loudspeaker speaks. That takes the first two seconds of the first reply. Trust is lost
where the echo stands again although it is all that is to be heard: the way has changed.
"""

from __future__ import annotations

from math import inf

from companion.audio.echo_filter import HOP, Cancelled
from companion.audio.resample import Floats
from companion.voice.contract import RATE

REMOVED = 4.0
"""How many times weaker (6 dB) the echo must come out than it went in."""
REMOVED_SECONDS = 0.25
UNHEARD_SECONDS = 0.9
"""How long the loudspeaker must speak unheard (headphones) to prove that it is not heard."""
STANDING_SECONDS = 1.5
"""How long a canceller may do no good before it has lost its way. A voice over a reply ends it sooner."""
_STANDING = 0.7
"""Share of the power that is left where nothing is removed."""
_SECONDS = HOP / RATE
_SMOOTHING = 0.4
_PLAYS = 3e2
"""Mean power (-65 dBFS) from which the loudspeaker speaks."""
_SILENT_ROOM = 1e2
"""Mean power (-70 dBFS) that is no echo, however quiet the room is."""
_OVER_ROOM = 3.0
"""How many times louder (5 dB) than the room an echo is."""
_FLOOR_RISES = 1.02


class Trust:
    """Follows one canceller hop by hop; once earned, trust stays until the echo stands again."""

    def __init__(self) -> None:
        self._floor = inf
        self.forget()

    def forget(self) -> None:
        """The devices, or the way between them, have changed."""
        self.is_earned = False
        self._near = self._left = 0.0
        self._removed = self._unheard = self._standing = 0.0

    def follow(self, near: Floats, far: Floats, cancelled: Cancelled) -> bool:
        """Take one hop as heard, played and cancelled; whether what is left may be believed."""
        self._near += _SMOOTHING * (_mean_power(near) - self._near)
        self._left += _SMOOTHING * (_mean_power(cancelled.residual) - self._left)
        self._floor = min(self._floor * _FLOOR_RISES, max(self._near, 1.0))
        if _mean_power(far) > _PLAYS:
            self._watch() if self.is_earned else self._earn()
        return self.is_earned

    @property
    def _is_quiet(self) -> bool:
        """Whether no more is heard than the room itself."""
        return self._near < max(_SILENT_ROOM, _OVER_ROOM * self._floor)

    def _earn(self) -> None:
        removed = self._near - self._floor > REMOVED * max(self._left - self._floor, 0.0)
        if self._is_quiet:
            self._unheard += _SECONDS
        else:
            self._unheard = max(self._unheard - 2 * _SECONDS, 0.0)
            self._removed += _SECONDS if removed else 0.0
        self.is_earned = self._removed >= REMOVED_SECONDS or self._unheard >= UNHEARD_SECONDS

    def _watch(self) -> None:
        stands = not self._is_quiet and self._left > _STANDING * self._near
        self._standing = self._standing + _SECONDS if stands else 0.0
        if self._standing >= STANDING_SECONDS:
            self.forget()


def _mean_power(samples: Floats) -> float:
    return float(samples @ samples) / len(samples)
