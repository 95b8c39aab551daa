"""What the turn machine orders.

They pair up. ``Recognise`` ends in ``Forget``, ``Answer``, or another ``Recognise``, which replaces it. ``Duck``
is followed by ``Unduck``, ``Pause`` or ``Hush``; ``Pause`` by ``Resume`` or ``Hush``. A reply is hushed at most once.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.voice.cues import Problem


class Sound(StrEnum):
    """The chimes, by the names the loudspeaker knows."""

    LISTENING = "listening"
    NOT_UNDERSTOOD = "not_understood"
    TROUBLE = "trouble"
    READY = "ready"
    TIMER = "timer"


class Reason(StrEnum):
    """Why something that was heard is not answered."""

    NOTHING_HEARD = "nothing_heard"
    NO_WORDS = "no_words"
    ONLY_WAKE_WORD = "only_wake_word"
    BACKCHANNEL = "backchannel"
    OWN_VOICE = "own_voice"
    ENDLESS_TALK = "endless_talk"
    MUTED = "muted"
    NO_MICROPHONE = "no_microphone"
    TOO_MANY_ANNOUNCEMENTS = "too_many_announcements"


@dataclass(frozen=True, slots=True)
class Recognise:
    """Recognise, and judge, the sound between two times. Replaces the attempt before it."""

    attempt: int
    began: float
    spoken_until: float
    """Where the silence began: the judge hears until here."""
    ended: float


@dataclass(frozen=True, slots=True)
class Forget:
    """Throw the attempt away, and the answer prepared for it."""

    attempt: int


@dataclass(frozen=True, slots=True)
class Prepare:
    """Ask the model for an answer to that attempt; say nothing yet."""

    attempt: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The turn has ended: answer that attempt. The reply has the same number."""

    attempt: int


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Drop a reply nobody has heard, as if it had never been asked for."""

    reply: int


@dataclass(frozen=True, slots=True)
class Tell:
    """Say, and show, what went wrong."""

    reply: int
    problem: Problem
    aloud: bool


@dataclass(frozen=True, slots=True)
class Announce:
    """Say an announcement, after its chime."""

    reply: int
    text: str
    chime: str
    language: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Duck:
    """Lower the reply to almost nothing."""

    reply: int


@dataclass(frozen=True, slots=True)
class Unduck:
    """Bring the reply back to its volume."""

    reply: int


@dataclass(frozen=True, slots=True)
class Pause:
    """Silence the reply, or keep it from starting, but keep what was not heard of it."""

    reply: int


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with a paused reply, at the first piece that was not heard."""

    reply: int


@dataclass(frozen=True, slots=True)
class Hush:
    """End the reply; what was heard of it goes into the history."""

    reply: int


@dataclass(frozen=True, slots=True)
class Chime:
    """Play a short sound."""

    sound: Sound


@dataclass(frozen=True, slots=True)
class Ignore:
    """Show why what was heard is not answered."""

    reason: Reason


Order = (
    Recognise
    | Forget
    | Prepare
    | Answer
    | Withdraw
    | Tell
    | Announce
    | Duck
    | Unduck
    | Pause
    | Resume
    | Hush
    | Chime
    | Ignore
)
