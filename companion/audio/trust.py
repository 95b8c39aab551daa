"""Whether an echo canceller has proven itself on the way from this loudspeaker to this microphone.

A way longer than its filter (a loudspeaker on a slow wireless link) leaves the whole echo standing, and
nothing tells that from a voice. So until an echo was seen to go, or none to come, the microphone is
silent while the loudspeaker speaks. That takes the first two seconds of the first reply. Trust is lost
where the echo stands again although it is all that is to be heard: the way has changed.
"""

from __future__ import annotations

from companion.audio.echo_filter import HOP, Cancelled
from companion.audio.resample import Floats

REMOVED = 4.0
"""How many times weaker (6 dB) the echo must come out than it went in."""
REMOVED_SECONDS = 0.25
QUIET_SECONDS = 0.9
"""How long the loudspeaker must speak unheard (headphones) to prove that it is not heard."""
STANDING_SECONDS = 0.6
"""How long a canceller may do no good before it has lost its way. A voice over a reply ends it sooner."""
_STANDING = 0.7
"""Share of the power that is left where nothing is removed."""
_SECONDS = HOP / 16_000
_SMOOTHING = 0.2
_LOUD = 1e4
"""Mean power (-50 dBFS) from which something plays, or is heard."""
_QUIET = 2e3
"""Mean power (-57 dBFS) below which no echo is heard."""


class Trust:
    """Follows one canceller hop by hop; once earned, trust stays until ``forget``."""

    def __init__(self) -> None:
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
        plays = _mean_power(far) > _LOUD
        if self.is_earned:
            self._watch(plays=plays)
        else:
            self._earn(plays=plays)
        return self.is_earned

    def _earn(self, *, plays: bool) -> None:
        if self._near > _LOUD and self._near > REMOVED * self._left:
            self._removed += _SECONDS
        if plays:
            self._unheard = self._unheard + _SECONDS if self._near < _QUIET else 0.0
        self.is_earned = self._removed >= REMOVED_SECONDS or self._unheard >= QUIET_SECONDS

    def _watch(self, *, plays: bool) -> None:
        if not plays or self._near < _LOUD:
            return
        self._standing = self._standing + _SECONDS if self._left > _STANDING * self._near else 0.0
        if self._standing >= STANDING_SECONDS:
            self.forget()


def _mean_power(samples: Floats) -> float:
    return float(samples @ samples) / len(samples)
