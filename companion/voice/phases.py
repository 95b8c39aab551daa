"""Where a conversation stands: the phases of the turn machine, what each remembers, and when each is over."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from math import inf

from companion.settings.schema import Turn as TurnSettings
from companion.settings.schema import Wake
from companion.voice.cues import Announced, Recognised

WAKE_PATIENCE = 6.0
"""Seconds to wait for a first word after the wake word."""
TALK_PATIENCE = 8.0
"""The same after the talk key."""
EARS_PATIENCE = 2.0
"""Seconds without any sound after which the ears are not waited for."""
RECOGNISER_PATIENCE = 10.0
FIRST_TOKEN_PATIENCE = 20.0
FIRST_SOUND_PATIENCE = 10.0
REPLY_PATIENCE = 30.0
"""Seconds in which a reply that is being said must move on."""
TALKER_PATIENCE = 10.0
"""Seconds to wait for a pause after the longest turn."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings the machine goes by. Silences in seconds."""

    command_silence: float = 0.2
    complete_silence: float = 0.3
    default_silence: float = 0.6
    incomplete_silence: float = 1.5
    complete_above: float = 0.7
    incomplete_below: float = 0.3
    longest: float = 30.0
    barge_in: bool = True
    follow_up: float = 6.0
    open_microphone: bool = False

    @property
    def longest_silence(self) -> float:
        return max(self.command_silence, self.complete_silence, self.default_silence, self.incomplete_silence)

    @classmethod
    def of(cls, wake: Wake, turn: TurnSettings) -> Rules:
        """The rules as the user set them."""
        return cls(
            command_silence=turn.command_silence,
            complete_silence=turn.complete_silence,
            default_silence=turn.default_silence,
            incomplete_silence=turn.incomplete_silence,
            complete_above=turn.complete_above,
            incomplete_below=turn.incomplete_below,
            longest=turn.longest,
            barge_in=turn.barge_in,
            follow_up=wake.follow_up,
            open_microphone=wake.open_microphone,
        )


class Opening(StrEnum):
    """What opened the ears for a turn."""

    WAKE = "wake"
    TALK = "talk"
    FOLLOW_UP = "follow_up"
    OPEN = "open"
    BARGE_IN = "barge_in"


class Matter(StrEnum):
    """What a reply is."""

    ANSWER = "answer"
    APOLOGY = "apology"
    ANNOUNCEMENT = "announcement"


@dataclass(frozen=True, slots=True)
class Asleep:
    """Waiting for the wake word."""


@dataclass(frozen=True, slots=True)
class Muted:
    """The user switched the microphone off."""


@dataclass(frozen=True, slots=True)
class Deaf:
    """There is no microphone."""


@dataclass(frozen=True, slots=True)
class Listening:
    """Waiting for the user to speak."""

    opening: Opening
    since: float
    until: float
    floor: float = 0.0
    """No sound before this time belongs to the turn: the wake word ended here, the key was pressed here."""
    held: bool = False
    tries: int = 0
    chimed: bool = False


@dataclass(frozen=True, slots=True)
class Thinking:
    """The turn has ended; nothing of the answer was heard yet."""

    reply: int
    talk: Talk
    ended: float
    until: float
    command: bool
    has_words: bool = False


@dataclass(frozen=True, slots=True)
class Speaking:
    """A reply is being said, or about to be."""

    reply: int
    matter: Matter
    began: float | None
    until: float
    follow_up: bool = True
    announced: Announced | None = None
    """The announcement it is, until its first sound: then it counts as told."""
    burst: int = 0
    """Attempt that recognises a short sound over the reply: a cough, or a quick "stop"."""


@dataclass(frozen=True, slots=True)
class Ducked:
    """There is a voice over the reply; whether it means the reply is not decided."""

    speaking: Speaking
    since: float


@dataclass(frozen=True, slots=True)
class Talk:
    """What the user is saying in this turn."""

    began: float
    """Where its sound begins."""
    voiced: float
    """Where its voice began."""
    opening: Opening
    held: bool = False
    tries: int = 0
    after_wake: bool = False
    """Its voice began inside the wake word, without a pause."""
    over: Thinking | Speaking | None = None
    """The reply that was paused for it."""
    closed: bool = False
    """Ended by the key, by its length or by a lost microphone: no silence is waited for."""
    lost: bool = False
    """The microphone went away in the midst of it."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """The user speaks."""

    talk: Talk
    voice_at: float
    """The last time the ears said so."""


@dataclass(frozen=True, slots=True)
class Deciding:
    """Silence is running, or the turn was closed: the votes decide whether it is over."""

    talk: Talk
    since: float
    attempt: int = 0
    asked: float = 0.0
    heard: Recognised | None = None
    complete: float | None = None
    prepared: bool = False
    talking: bool = False
    """The turn was closed but the voice goes on; nothing is said over it."""


Phase = Asleep | Muted | Deaf | Listening | Hearing | Deciding | Thinking | Speaking | Ducked


@dataclass(frozen=True, slots=True)
class Turn:
    """All that the machine knows."""

    rules: Rules = field(default_factory=Rules)
    phase: Phase = field(default_factory=Asleep)
    muted: bool = False
    deaf: bool = False
    count: int = 0
    """Attempts and replies share one numbering."""
    waiting: tuple[Announced, ...] = ()
    voice_at: float = -inf
    """When somebody was last heard to speak."""


def deadline(phase: Phase, rules: Rules) -> float:
    """When the phase is over if nothing else happens. Resting phases have none."""
    match phase:
        case Asleep() | Muted() | Deaf():
            return inf
        case Listening(until=until) | Thinking(until=until) | Speaking(until=until):
            return until
        case Hearing(talk, voice_at):
            return min(talk.began + rules.longest, voice_at + EARS_PATIENCE)
        case Ducked(speaking, since):
            return min(speaking.until, since + EARS_PATIENCE)
        case Deciding():
            return _deciding_deadline(rules, phase)


def _deciding_deadline(rules: Rules, phase: Deciding) -> float:
    if phase.attempt == 0:
        return phase.since + EARS_PATIENCE
    if phase.heard is None:
        return phase.asked + RECOGNISER_PATIENCE
    if phase.talk.closed:
        return max(phase.since, phase.heard.at) + TALKER_PATIENCE
    if phase.talk.held:
        return max(phase.talk.began + rules.longest, phase.heard.at)
    return max(phase.since + rules.longest_silence, phase.heard.at) + EARS_PATIENCE
