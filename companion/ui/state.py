"""How everything stands, as the window shows it: events in, the next state out. Pure; no Qt, no clock, no device.

Laws: a state never changes, ``reduce`` makes the next one; an event it does not know changes nothing; every list here
has a bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from companion.app.events import (
    EngineEnded,
    EngineStarted,
    Finished,
    HushChanged,
    Metered,
    ModelLoaded,
    MuteChanged,
    Problem,
    Progress,
    Pulse,
    Raised,
    Ready,
    Served,
    SettingsChanged,
    Shown,
    Solved,
    WakeTried,
    WentOut,
)
from companion.ui.transcript import Transcript, follow
from companion.voice.events import AnswerStarted, HeardText, Level, Speaking, Spoken, State, StateChanged, Trouble

MOST_PROBLEMS = 50
MOST_TASKS = 50
MOST_HOSTS = 50
MOST_STEPS = 50
MOST_MODELS = 50
MOST_WAITING = 200
QUIET = -60.0
"""dBFS of a room in which nobody talks."""


class Engine(StrEnum):
    """How the engine behind the window does."""

    STARTING = "starting"
    RUNNING = "running"
    FROZEN = "frozen"
    ENDED = "ended"


class Mark(StrEnum):
    """What the companion is doing, each with a shape of its own."""

    ASLEEP = "asleep"
    LISTENING = "listening"
    THINKING = "thinking"
    SPEAKING = "speaking"
    MUTED = "muted"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Stalled:
    """The engine has given no sign of life for seconds; made by the bridge."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that does not work, and what to do about it."""

    message: str
    mend: str = ""
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """A long piece of work. ``total`` 0 and ``seconds_left`` None: nobody knows."""

    name: str
    done: float = 0.0
    total: float = 0.0
    seconds_left: float | None = None
    note: str = ""
    is_over: bool = False
    fault: Fault | None = None
    """Why it did not come to its end."""

    @property
    def share(self) -> float | None:
        """How much of it is done, 0 to 1; None where nobody knows."""
        if not (math.isfinite(self.done) and math.isfinite(self.total) and self.total > 0):
            return None
        return min(max(self.done / self.total, 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class Live:
    """The turn that goes on. Private."""

    heard: str = ""
    is_final: bool = False
    source: str = ""
    said: str = ""
    """What was said of the answer, the piece that is being said included."""


_MARKS = {
    State.ASLEEP: Mark.ASLEEP,
    State.LISTENING: Mark.LISTENING,
    State.HEARING: Mark.LISTENING,
    State.DECIDING: Mark.THINKING,
    State.THINKING: Mark.THINKING,
    State.SPEAKING: Mark.SPEAKING,
    State.DUCKED: Mark.SPEAKING,
    State.MUTED: Mark.MUTED,
    State.DEAF: Mark.PROBLEM,
}


@dataclass(frozen=True, slots=True)
class UiState:
    """Everything that is shown in more than one place."""

    engine: Engine = Engine.STARTING
    ended: Fault | None = None
    """Why the engine is over; None where that was ordered, or it is not."""
    phase: State = State.ASLEEP
    why: str = ""
    """As ``voice.events.StateChanged.why``."""
    is_ready: bool = False
    """Whether the ears are open."""
    wake_word: str = ""
    level: float = QUIET
    """dBFS."""
    live: Live = Live()
    problems: tuple[Fault, ...] = ()
    trouble: Fault | None = None
    """What went wrong in the last turn."""
    tasks: tuple[Task, ...] = ()
    served: tuple[tuple[str, str], ...] = ()
    """Who serves which step; an empty name is this machine."""
    sent: tuple[tuple[str, int], ...] = ()
    """Bytes that went out since the start, by host."""
    models: tuple[str, ...] = ()
    """What is loaded."""
    waiting: tuple[str, ...] = ()
    """Names of settings that count from the next start of the engine only."""
    settings_changes: int = 0
    """How often settings were changed since its start."""
    shown: str = ""
    """What was last put out on the screen besides what is said."""
    ears_closed: bool = False
    """Whether the user has closed the ears, though the voice may still be at work."""
    closed_until: datetime | None = None
    """When they open by themselves; None where they do not."""
    hushed: bool = False
    """Whether replies are shown and not said."""
    transcript: Transcript = field(default_factory=Transcript)
    raised: int = 0
    """How often somebody has asked for the window."""
    extras: tuple[tuple[str, object], ...] = ()
    """What single pages keep here, by name."""

    @property
    def mark(self) -> Mark:
        if self.engine in (Engine.FROZEN, Engine.ENDED) or self.is_stopped_by("start"):
            return Mark.PROBLEM
        return _MARKS[self.phase]

    @property
    def is_muted(self) -> bool:
        return self.ears_closed or self.phase is State.MUTED

    def is_stopped_by(self, topic: str) -> bool:
        """Whether there is a problem of that topic."""
        return any(one.topic == topic for one in self.problems)

    def kept(self, name: str) -> object | None:
        """What a page keeps here under that name."""
        return dict(self.extras).get(name)

    def keeping(self, name: str, thing: object) -> UiState:
        """With something of a single page. As many names as there are pages that need one."""
        return replace(self, extras=(*(one for one in self.extras if one[0] != name), (name, thing)))

    def task(self, name: str) -> Task | None:
        """The piece of work of that name."""
        return next((one for one in self.tasks if one.name == name), None)


def reduce(state: UiState, event: object) -> UiState:
    """The state after an event."""
    transcript = follow(state.transcript, event)
    moved = _reduced(state, event)
    return moved if transcript is moved.transcript else replace(moved, transcript=transcript)


def _reduced(state: UiState, event: object) -> UiState:
    match event:
        case StateChanged() | Level() | Ready() | HeardText() | AnswerStarted() | Speaking() | Spoken() | Trouble():
            return _talked(state, event)
        case Problem() | Solved():
            return _troubled(state, event)
        case Progress() | Finished():
            return _worked(state, event)
        case EngineStarted() | EngineEnded() | Stalled() | Pulse():
            return _lived(state, event)
        case _:
            return _told(state, event)


def _talked(state: UiState, event: object) -> UiState:
    match event:
        case Level(dbfs):
            return replace(state, level=dbfs) if state.mark is Mark.LISTENING else state
        case StateChanged(phase, why):
            return _moved(state, phase, why)
        case Ready(wake_word):
            return replace(state, is_ready=True, wake_word=wake_word)
        case HeardText(text, _, final):
            return replace(state, live=Live(heard=text, is_final=final), trouble=None)
        case AnswerStarted(source):
            return replace(state, live=replace(state.live, source=source, said=""))
        case Speaking(text):
            return replace(state, live=replace(state.live, said=f"{state.live.said} {text.strip()}".strip()))
        case Spoken():
            return replace(state, live=Live())
        case Trouble(message, mend):
            return replace(state, trouble=Fault(message, mend))
        case _:
            return state


def _moved(state: UiState, phase: State, why: str) -> UiState:
    moved = replace(state, phase=phase, why=why)
    if phase in (State.ASLEEP, State.MUTED, State.DEAF):
        return replace(moved, live=Live(), level=QUIET)
    return moved


def _troubled(state: UiState, event: Problem | Solved) -> UiState:
    others = tuple(one for one in state.problems if one.topic != event.topic)
    if isinstance(event, Solved):
        return replace(state, problems=others)
    fault = Fault(event.message, event.mend, event.topic)
    return replace(state, problems=(*others, fault)[-MOST_PROBLEMS:])


def _worked(state: UiState, event: Progress | Finished) -> UiState:
    before = state.task(event.task) or Task(event.task)
    if isinstance(event, Progress):
        task = Task(event.task, event.done, event.total, event.seconds_left, event.note)
    else:
        fault = Fault(event.problem, event.mend, event.task) if event.problem else None
        task = replace(before, is_over=True, seconds_left=None, fault=fault)
    if state.task(event.task) is not None:
        return replace(state, tasks=tuple(task if one.name == event.task else one for one in state.tasks))
    return replace(state, tasks=(*state.tasks, task)[-MOST_TASKS:])


def _lived(state: UiState, event: object) -> UiState:
    match event:
        case EngineStarted():
            return UiState(raised=state.raised, transcript=state.transcript)
        case EngineEnded(problem, mend):
            fault = Fault(problem, mend, "engine") if problem else None
            return replace(state, engine=Engine.ENDED, ended=fault, is_ready=False, live=Live(), level=QUIET)
        case Stalled() if state.engine is not Engine.ENDED:
            return replace(state, engine=Engine.FROZEN)
        case Pulse() if state.engine in (Engine.STARTING, Engine.FROZEN):
            return replace(state, engine=Engine.RUNNING)
        case _:
            return state


def _told(state: UiState, event: object) -> UiState:
    match event:
        case Served(step, name):
            others = tuple(one for one in state.served if one[0] != step)
            return replace(state, served=(*others, (step, name))[-MOST_STEPS:])
        case WentOut(_, host, size):
            before = dict(state.sent)
            before[host] = before.get(host, 0) + size
            return replace(state, sent=tuple(before.items())[-MOST_HOSTS:])
        case ModelLoaded(report):
            return replace(state, models=tuple(dict.fromkeys((*state.models, report.name)))[-MOST_MODELS:])
        case SettingsChanged(_, waiting):
            return replace(state, waiting=waiting[:MOST_WAITING], settings_changes=state.settings_changes + 1)
        case Shown(text):
            return replace(state, shown=text)
        case MuteChanged(on, until):
            return replace(state, ears_closed=on, closed_until=until)
        case HushChanged(on):
            return replace(state, hushed=on)
        case Raised():
            return replace(state, raised=state.raised + 1)
        case Metered() | WakeTried():
            return state.keeping(type(event).__name__, event)
        case _:
            return state
