"""Whether the echo canceller has learned the way from the loudspeaker to the microphone.

Until it has, what it lets through is the companion's own voice, and nobody must take it for the
user's. It takes one to three seconds of the first reply.

Where no echo comes back at all (headphones), it damages the user's words for some ten seconds more, for
nothing: there the microphone is believed as it is, until an echo is heard.
"""

from __future__ import annotations

from companion.audio.level import rms_dbfs
from companion.audio.resample import Samples

FAR_ABOVE = -50.0
"""dBFS from which the loudspeaker counts as speaking."""
QUIET_BELOW = -58.0
"""dBFS below which the microphone hears no echo: headphones, or a loudspeaker far away."""
LOUD_ABOVE = -50.0
"""dBFS from which an echo is loud enough to tell how much of it was removed."""
REMOVED_DB = 15.0
"""How much weaker the echo must come out than it went in."""
LATEST_ECHO = 0.7
"""How long played sound may still arrive: the longest path and a room's echo."""
_PLAYED_SECONDS = 1.5
"""How long the canceller's own first caution lasts: it lets nothing through, whatever it has learned."""
_REMOVED_SECONDS = 0.8
_QUIET_SECONDS = 1.5
_ECHO_SECONDS = 1.5
_SMOOTHING = 0.25


class Settling:
    """Follows the canceller on one stream; once settled it stays so until ``forget``."""

    def __init__(self, rate: int = 16_000) -> None:
        self._rate = rate
        self.forget()

    def forget(self) -> None:
        """The devices have changed."""
        self.is_settled = False
        self.hears_echo = True
        """False once it is known that nothing of what is played comes back."""
        self._near = self._out = -120.0
        self._far_left = 0.0
        self._played = 0.0
        self._removed = 0.0
        self._unechoed = 0.0
        self._echoed = 0.0

    def follow(self, far: Samples, near: Samples, out: Samples) -> bool:
        """Take one stretch as played, heard and cleaned; whether there is something to be listened to."""
        if self.is_settled and self.hears_echo:
            return True
        seconds = len(near) / self._rate
        plays = rms_dbfs(far) >= FAR_ABOVE
        self._played += seconds if plays else 0.0
        self._far_left = LATEST_ECHO if plays else max(self._far_left - seconds, 0.0)
        if self._far_left <= 0:
            return True
        heard = rms_dbfs(near)
        self._near += _SMOOTHING * (heard - self._near)
        self._out += _SMOOTHING * (rms_dbfs(out) - self._out)
        if self.is_settled:
            self._note_echo(heard, seconds if plays else 0.0)
            return True
        self._note_removal(heard, seconds)
        self._note_quiet(seconds if plays else 0.0)
        self.hears_echo = self._unechoed < _QUIET_SECONDS
        self.is_settled = self._removed >= _REMOVED_SECONDS or not self.hears_echo
        return self.is_settled

    def _note_removal(self, heard: float, seconds: float) -> None:
        if self._near - self._out < REMOVED_DB or self._played < _PLAYED_SECONDS:
            self._removed = 0.0
        elif heard >= LOUD_ABOVE:
            self._removed += seconds

    def _note_quiet(self, seconds: float) -> None:
        self._unechoed = self._unechoed + seconds if self._near <= QUIET_BELOW else 0.0

    def _note_echo(self, heard: float, seconds: float) -> None:
        """Nobody speaks over a reply for long, since that ends it: what goes on as long as it plays is its echo."""
        if heard >= LOUD_ABOVE:
            self._echoed += seconds
        elif self._near <= QUIET_BELOW:
            self._echoed = max(self._echoed - seconds, 0.0)
        self.hears_echo = self._echoed >= _ECHO_SECONDS
