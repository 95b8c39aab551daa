"""Where voice begins and silence begins, from a voice probability and a level per piece of sound.

Hysteresis keeps a weak consonant from ending a word; two voiced pieces in a row are needed to believe in a
voice; and a floor that follows the quietest recent sound keeps steady noise from passing for one.
"""

from __future__ import annotations

from companion.voice.cues import Silence, Voice

VOICE_ABOVE = 0.5
"""Probability that opens a run of voice."""
SILENCE_BELOW = 0.35
"""Probability that closes it."""
CONFIRM_SECONDS = 0.04
CONFIRM_PIECES = 2
"""Voice is believed after this many voiced pieces in a row that last this long together."""
OVER_FLOOR_DB = 3.0
"""A voice that begins is at least this much louder than the noise."""
QUIETEST_ROOM_DBFS = -75.0
"""The floor's lowest. What is quieter is no room, but a switch, or the echo canceller."""
QUIET_FLOOR_DBFS = -60.0
LOUD_FLOOR_DBFS = -30.0
"""The floor starts at the first and never rises above the second: a close talker is no noise."""
FLOOR_RISE_DB_PER_SECOND = 1.0


class Endpointer:
    """Follows one microphone. Pieces come in order, without gaps; after a gap, ``restart``."""

    def __init__(self) -> None:
        self.floor = QUIET_FLOOR_DBFS
        """Level of the noise, dBFS."""
        self.restart(0.0)

    def restart(self, at: float) -> None:
        """Begin afresh, in silence."""
        self._voice_since: float | None = None
        self._silence_since = at
        self._doubt_since: float | None = None
        self._doubt_pieces = 0

    def hear(self, voice: float, level: float, began: float, ended: float) -> Voice | Silence:
        """Take the next piece. voice: probability; level: dBFS; began, ended: seconds on the sample clock."""
        voiced = self._is_voiced(voice, level)
        risen = min(self.floor + FLOOR_RISE_DB_PER_SECOND * (ended - began), LOUD_FLOOR_DBFS)
        self.floor = max(min(level, risen), QUIETEST_ROOM_DBFS)
        if self._voice_since is not None:
            return self._while_speaking(voiced, began, ended)
        return self._while_silent(voiced, began, ended)

    def _is_voiced(self, voice: float, level: float) -> bool:
        if self._voice_since is not None:
            return voice >= SILENCE_BELOW
        return voice >= VOICE_ABOVE and level >= self.floor + OVER_FLOOR_DB

    def _while_speaking(self, voiced: bool, began: float, ended: float) -> Voice | Silence:
        assert self._voice_since is not None
        if voiced:
            return Voice(ended, self._voice_since)
        self._voice_since = None
        self._silence_since = began
        return Silence(ended, began)

    def _while_silent(self, voiced: bool, began: float, ended: float) -> Voice | Silence:
        if not voiced:
            self._doubt_since, self._doubt_pieces = None, 0
            return Silence(ended, self._silence_since)
        if self._doubt_since is None:
            self._doubt_since = began
        self._doubt_pieces += 1
        if self._doubt_pieces >= CONFIRM_PIECES and ended - self._doubt_since >= CONFIRM_SECONDS - 1e-9:
            self._voice_since, self._doubt_since, self._doubt_pieces = self._doubt_since, None, 0
            return Voice(ended, self._voice_since)
        # What may be a voice stops the silence from growing until it is confirmed or gone.
        return Silence(self._doubt_since, self._silence_since)
