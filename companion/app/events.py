"""What the running companion tells its faces: how the voice loop stands, and what the house does behind it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from companion.model import ModelReport

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ready:
    """The ears are open."""

    wake_word: str
    """Empty where none is needed."""
    seconds: float
    """Since the process began."""


@dataclass(frozen=True, slots=True)
class ModelLoaded:
    """A model can be used from now on."""

    report: ModelReport


@dataclass(frozen=True, slots=True)
class Problem:
    """Something does not work. ``topic`` is the same for the same thing, so that it can be told again and cleared."""

    topic: str
    message: str
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Solved:
    """A problem of that topic is over."""

    topic: str


@dataclass(frozen=True, slots=True)
class Served:
    """Who has served a step for which providers may be asked. ``name``: the provider's; empty for this machine."""

    step: str
    name: str


@dataclass(frozen=True, slots=True)
class WentOut:
    """Something left the house. ``kinds``: what it holds ("text", "audio")."""

    provider: str
    host: str
    bytes: int
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """Something was put out on the screen besides what is said."""

    text: str


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """Settings were changed, here or by hand. names: those that hold now. waiting: those that wait for a start."""

    names: tuple[str, ...]
    waiting: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Metered:
    """How loud the microphone is that is being tried, some sixteen times a second, or why it hears nothing."""

    dbfs: float
    device: str = ""
    problem: str = ""
    mend: str = ""


@dataclass(frozen=True, slots=True)
class WakeTried:
    """What became of the wake word, while it is tried.

    outcome: "ready" (it listens now), "heard", "almost" (the detector was not quite sure) or "alike" (it sounded like
    it, and was not). count: how often it was heard by now. sure: 0 to 1.
    """

    word: str
    outcome: str
    count: int
    sure: float


@dataclass(frozen=True, slots=True)
class TimersChanged:
    """Timers, alarms or reminders were set, cancelled or announced."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a long piece of work is, as a download or an index.

    task: the same from its beginning to its end, as "models.pull piper-en". done, total: in whatever the work counts
    (bytes, files); total is 0 where nobody knows. seconds_left: None where nobody knows. note: what it is at,
    for people.
    """

    task: str
    done: float
    total: float
    seconds_left: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Finished:
    """A long piece of work is over. ``problem`` is empty where it went well."""

    task: str
    problem: str = ""
    mend: str = ""


@dataclass(frozen=True, slots=True)
class MuteChanged:
    """The ears were closed or opened by the user.

    until: the local time at which they open by themselves; None where they do not.
    """

    on: bool
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class HushChanged:
    """Replies are only shown from now on, or said again."""

    on: bool


@dataclass(frozen=True, slots=True)
class Typed:
    """A question was typed; ``voice.events.Asked`` or ``Unanswered`` follows. Private."""

    text: str


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A typed question has no answer. Private."""

    text: str
    problem: str
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Pulse:
    """The engine is alive; told twice a second to a face that watches over it."""


@dataclass(frozen=True, slots=True)
class Raised:
    """Somebody wants to see the window."""


@dataclass(frozen=True, slots=True)
class EngineStarted:
    """The engine begins, or begins anew."""


@dataclass(frozen=True, slots=True)
class EngineEnded:
    """The engine is over. ``problem`` is empty where somebody had ordered it."""

    problem: str = ""
    mend: str = ""


Listener = Callable[[object], None]


class Telling:
    """Hands every event to every listener, on the loop's thread. A listener that fails hurts nobody else."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Hear every event from now on, until the returned function is called."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, event: object) -> None:
        for listener in list(self._listeners):
            try:
                listener(event)
            except Exception:
                logger.exception("a listener failed at %s", type(event).__name__)
