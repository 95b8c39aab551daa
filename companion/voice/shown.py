"""The machine's phases as the world sees them."""

from __future__ import annotations

from companion.voice.cues import Announced
from companion.voice.events import State, StateChanged
from companion.voice.phases import (
    Asleep,
    Deaf,
    Deciding,
    Ducked,
    Hearing,
    Listening,
    Muted,
    Opening,
    Phase,
    Speaking,
    Thinking,
    Turn,
)


def shown(phase: Phase) -> StateChanged:
    """What to show of a phase."""
    match phase:
        case Asleep():
            return StateChanged(State.ASLEEP)
        case Muted():
            return StateChanged(State.MUTED)
        case Deaf():
            return StateChanged(State.DEAF)
        case Listening(opening=opening):
            return StateChanged(State.LISTENING, opening)
        case Hearing():
            return StateChanged(State.HEARING)
        case Deciding():
            return StateChanged(State.DECIDING)
        case Thinking():
            return StateChanged(State.THINKING)
        case Speaking(matter=matter):
            return StateChanged(State.SPEAKING, matter)
        case Ducked():
            return StateChanged(State.DUCKED)


def is_busy(turn: Turn) -> bool:
    """Whether somebody works on what was heard, or something is being said."""
    return isinstance(turn.phase, Deciding | Thinking | Speaking | Ducked)


def is_barge_in(turn: Turn) -> bool:
    """Whether what is being decided on was said over a reply."""
    return isinstance(turn.phase, Deciding) and turn.phase.talk.opening is Opening.BARGE_IN


def is_resting(turn: Turn) -> bool:
    """Whether nothing of a turn is under way."""
    match turn.phase:
        case Asleep() | Muted() | Deaf() | Listening(opening=Opening.OPEN):
            return True
        case _:
            return False


def is_over(turn: Turn) -> bool:
    """Whether nothing more will come of it, if nobody speaks any more."""
    return (is_resting(turn) or isinstance(turn.phase, Listening)) and not turn.waiting


def awaits(turn: Turn, number: int) -> bool:
    """Whether the announcement of that number is still to begin."""
    match turn.phase:
        case Speaking(announced=Announced(number=next_one)) if next_one == number:
            return True
        case _:
            return any(announced.number == number for announced in turn.waiting)
