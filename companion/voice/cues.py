"""What the turn machine is told. ``at`` is seconds on the sample clock and never runs backwards."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Problem(StrEnum):
    """What went wrong with a turn, as the user is told."""

    HEARING_FAILED = "hearing_failed"
    HEARING_SLOW = "hearing_slow"
    THINKING_FAILED = "thinking_failed"
    THINKING_SLOW = "thinking_slow"
    MODEL_DIED = "model_died"
    VOICE_FAILED = "voice_failed"
    VOICE_SLOW = "voice_slow"
    REPLY_STUCK = "reply_stuck"
    NO_SPEAKER = "no_speaker"
    MICROPHONE_LOST = "microphone_lost"

    @property
    def can_be_spoken(self) -> bool:
        """Whether there is still a voice to say it with."""
        return self not in (Problem.VOICE_FAILED, Problem.VOICE_SLOW, Problem.REPLY_STUCK, Problem.NO_SPEAKER)


@dataclass(frozen=True, slots=True)
class Voice:
    """Somebody speaks, confirmed."""

    at: float
    since: float
    """Where this run of voice began."""


@dataclass(frozen=True, slots=True)
class Silence:
    """Nobody speaks."""

    at: float
    since: float
    """Where the silence began."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time goes by and the ears say nothing."""

    at: float


@dataclass(frozen=True, slots=True)
class Woken:
    """The wake word was heard and verified."""

    at: float
    ended: float
    """Where the wake word ended in the sound."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """The talk key: ``hold`` keeps the turn open until Released, else it toggles."""

    at: float
    hold: bool = False


@dataclass(frozen=True, slots=True)
class Released:
    """The talk key was let go."""

    at: float


@dataclass(frozen=True, slots=True)
class Recognised:
    """The recogniser's words for one attempt; empty text means nobody said any."""

    at: float
    attempt: int
    text: str
    language: str = ""
    command: bool = False
    """Whether a rule understands all of it."""
    open_ended: bool = False
    """Whether it is a command that more words may belong to."""
    own: bool = False
    """Whether these are the words the companion itself is saying."""


@dataclass(frozen=True, slots=True)
class NotRecognised:
    """The recogniser failed on that attempt."""

    at: float
    attempt: int


@dataclass(frozen=True, slots=True)
class Judged:
    """The turn judge's vote on one attempt."""

    at: float
    attempt: int
    complete: float
    """Probability that the speaker has finished."""


@dataclass(frozen=True, slots=True)
class FirstToken:
    """The answer has its first words."""

    at: float
    reply: int


@dataclass(frozen=True, slots=True)
class ReplyBegan:
    """The first sound of the reply left the loudspeaker."""

    at: float
    reply: int


@dataclass(frozen=True, slots=True)
class ReplyMoved:
    """The reply goes on: more of its sound was taken."""

    at: float
    reply: int


@dataclass(frozen=True, slots=True)
class ReplyEnded:
    """All of the reply was said, or it had nothing to say."""

    at: float
    reply: int
    follow_up: bool = True


@dataclass(frozen=True, slots=True)
class ReplyFailed:
    """The reply broke; what was said of it until then was heard."""

    at: float
    reply: int
    problem: Problem


@dataclass(frozen=True, slots=True)
class Announced:
    """Something to be said when nobody speaks."""

    at: float
    text: str
    chime: str = ""
    language: str = ""
    """BCP 47 tag; empty for that of the conversation."""
    number: int = 0
    """By which it is known, and taken back; 0 for none."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """An announcement is to be made no more, unless it has begun."""

    at: float
    number: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """The user wants peace: end the reply and the conversation."""

    at: float


@dataclass(frozen=True, slots=True)
class MuteTurned:
    """The microphone was switched off or on by the user."""

    at: float
    on: bool


@dataclass(frozen=True, slots=True)
class EarsLost:
    """The microphone went away."""

    at: float


@dataclass(frozen=True, slots=True)
class EarsBack:
    """The microphone is there again."""

    at: float


Cue = (
    Voice
    | Silence
    | Tick
    | Woken
    | Pressed
    | Released
    | Recognised
    | NotRecognised
    | Judged
    | FirstToken
    | ReplyBegan
    | ReplyMoved
    | ReplyEnded
    | ReplyFailed
    | Announced
    | Recalled
    | Stopped
    | MuteTurned
    | EarsLost
    | EarsBack
)
