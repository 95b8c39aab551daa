"""What the voice loop tells the world: a closed set of small facts, for a panel, a log or a script.

Those that carry what was said are private; a log must not keep them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.voice.orders import Reason


class State(StrEnum):
    """Where the conversation stands, as a person sees it."""

    ASLEEP = "asleep"
    LISTENING = "listening"
    HEARING = "hearing"
    DECIDING = "deciding"
    THINKING = "thinking"
    SPEAKING = "speaking"
    DUCKED = "ducked"
    MUTED = "muted"
    DEAF = "deaf"


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The conversation moved on."""

    state: State
    why: str = ""
    """For LISTENING what opened the ears ("wake", "talk", "follow_up", ...), for SPEAKING what is said
    ("answer", "apology", "announcement"); else empty."""


@dataclass(frozen=True, slots=True)
class Level:
    """How loud it is, some ten times a second."""

    dbfs: float


@dataclass(frozen=True, slots=True)
class Woken:
    """The wake word was heard."""

    word: str


@dataclass(frozen=True, slots=True)
class HeardText:
    """What the user said. Private."""

    text: str
    language: str
    final: bool
    """Whether the turn ended on it; else the user may still go on."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """Something was heard and is not answered."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class AnswerStarted:
    """An answer is on its way."""

    source: str
    """As ``agent.answer.Answer.source``."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question is sure to be one, and its turn has a number. Private."""

    turn: int
    """As the agent counts; 0 where nobody does."""
    text: str
    language: str
    spoken: bool = True


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The user went on speaking, so that turn never was; its words come again. ``turn``: 0 if it had no number."""

    turn: int


@dataclass(frozen=True, slots=True)
class Writing:
    """The next words of an answer, as they are written; they may never be said. Private."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Speaking:
    """The next piece on its way to the loudspeaker. Private."""

    text: str


@dataclass(frozen=True, slots=True)
class Spoken:
    """A reply is over. Private."""

    text: str
    """What was really heard of it."""
    whole: bool
    announcement: int = 0
    """The number of the announcement it was; 0 for anything else."""
    begun: bool = False
    """Whether it was begun to be heard, and did not break; a word need not have been heard whole."""


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A question and its answer are over. Private."""

    turn: int
    """As in ``Asked``."""
    text: str
    """What was asked."""
    language: str
    source: str
    """As ``agent.answer.Answer.source``."""
    written: str
    """All there was of the answer."""
    heard: str
    """What was really heard of it; of a typed one, what was shown."""
    whole: bool
    spoken: bool = True


@dataclass(frozen=True, slots=True)
class TurnTimed:
    """How long the steps of a turn took, in seconds, when its first sound is heard."""

    wait: float
    """From the end of the voice to the end of the turn."""
    recogniser: float
    """Its work, most of it inside the wait."""
    first_token: float
    """From the end of the turn to the first words of the answer; 0 where they were there before."""
    first_sound: float
    """From then to the first sound."""
    total: float
    """From the end of the voice to the first sound."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something went wrong, in the user's language."""

    message: str
    mend: str = ""
    detail: str = ""
    """The error itself, in English."""


Event = (
    StateChanged
    | Level
    | Woken
    | HeardText
    | Ignored
    | AnswerStarted
    | Asked
    | TakenBack
    | Writing
    | Speaking
    | Spoken
    | Exchanged
    | TurnTimed
    | Trouble
)
