"""What the voice loop needs of the world: ears, senses, a judge, a mouth, an agent.

``app.build`` hands them in; tests hand in doubles. Sound here is always 16 kHz mono signed 16-bit
little-endian bytes; ``at`` is seconds on the microphone's sample clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from companion.stream import Stream

RATE = 16_000
"""Hertz."""
BYTES_PER_SECOND = 2 * RATE


@dataclass(frozen=True, slots=True)
class Sensed:
    """What the senses make of one piece of sound."""

    voice: float
    """Probability that somebody speaks, 0 to 1."""
    level: float
    """Loudness in dBFS; -120 for digital silence."""
    wake: str = ""
    """Name of the wake word that may have ended here, to be verified; empty for none."""


class Senses(Protocol):
    """Cheap detectors that hear every sample. Never blocks longer than 10 ms."""

    def hear(self, sound: bytes) -> Sensed:
        """Take the next samples (a multiple of 10 ms)."""

    async def verify(self, wake: str, sound: bytes) -> bool:
        """Whether the last two seconds in ``sound`` really hold the wake word. Works off the event loop."""

    def forget(self) -> None:
        """Start afresh, as after a gap in the sound."""


class TurnJudge(Protocol):
    """Says whether a spoken sentence sounds complete."""

    async def judge(self, sound: bytes) -> float:
        """Probability, 0 to 1, that the speaker has finished. ``sound``: speech without the silence behind it."""


@dataclass(frozen=True, slots=True)
class PlayedPiece:
    """How much of one captioned piece of speech left the loudspeaker."""

    text: str
    """The caption: the words as the history knows them."""
    seconds: float
    """Length of the sound made for it."""
    played: float
    """Seconds of it that were really heard."""
    whole: bool
    """Whether all of its sound had been made (a later piece, or the end, followed)."""


@dataclass(frozen=True, slots=True)
class Played:
    """What became of one reply."""

    pieces: tuple[PlayedPiece, ...]
    hushed: bool


class Mouth(Protocol):
    """The loudspeaker, one reply at a time."""

    async def play(self, sound: Stream, *, on_first_sound: Callable[[], None]) -> Played:
        """Play captioned sound until it ends or ``hush`` is called.

        ``sound`` carries, piece by piece, a Text chunk (the caption), then Blob chunks of PCM at any
        rate. Returns when the last sample has left the device.

        Raises:
            DeviceError: the loudspeaker is gone; what was heard until then is lost to the report.
        """

    def duck(self) -> None:
        """Lower the reply to almost nothing within 60 ms."""

    def unduck(self) -> None:
        """Bring the reply back to its volume."""

    def hush(self) -> None:
        """Fade out in about 30 ms and let ``play`` return."""

    def chime(self, name: str) -> None:
        """Play a short sound by name, mixed over whatever plays. Unknown names are silent."""

    @property
    def volume(self) -> float:
        """0 to 1, as people turn a knob."""

    @volume.setter
    def volume(self, volume: float) -> None: ...
