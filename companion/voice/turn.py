"""Whose turn is it? A pure machine: a cue in, the next turn and orders out. No clock, no task, no device.

Theory of operation
-------------------
::

                 wake word, talk key, end of a reply             voice
      ASLEEP ------------------------------------> LISTENING ----------------> HEARING <-----+
      MUTED  <---- patience runs out, "stop" ---------+  ^                      |   ^        |
      DEAF                                               |              silence |   | voice  |
        ^                                    no words    |                      v   | again  |
        |                                    (once)      +------------------- DECIDING       |
        |                                                                       |            |
        |              the votes and the silence are there, or it was closed    |            |
        |                                                                       v            |
        |                                                    voice: paused <-- THINKING      |
        |                                                                       |            |
        |   end of the reply, no follow-up                    first sound       v            |
        +------------------------------------------------------------------- SPEAKING        |
                                                      voice ends: go on |  ^    | voice      |
                                                                        +--|- DUCKED --------+
                                                                           |     voice holds: paused
                                                    "mhm", a cough: resumed+---- (from DECIDING)

**Time** is in the cues: ``at``, in seconds of sound heard. The ears send Voice or Silence with every piece of
sound; when they send nothing, Tick does. Every phase but the resting ones has a ``deadline`` and a way back,
taken by the first cue that reaches it, so nothing that hangs outside can hang the conversation.

**A turn ends** when its words are known and the silence behind it is as long as the votes ask (``votes``).
The recogniser starts after 0.1 s of silence and whichever comes last, its words or the silence, ends the turn
in that very step. Speech that resumes throws the attempt away. Until the words are there nothing ends but by
deadline. A turn may also be *closed*: by the talk key, by its length, by a lost microphone.

**A reply is never lost to a noise.** Voice before or over it pauses it; only real words hush it. Every reply and
every attempt has a number, and a cue about a number that is no longer awaited changes nothing.

**Two things cut across the phases**: mute and deafness. A reply goes on without ears; a sentence being heard is
dropped by mute (the user wants it so) but closed and answered when the microphone goes, unless it hangs in the air.
"""

from __future__ import annotations

from dataclasses import replace

from companion.voice.cues import (
    Announced,
    Cue,
    EarsBack,
    EarsLost,
    MuteTurned,
    Pressed,
    Problem,
    Recalled,
    Released,
    Silence,
    Stopped,
    Tick,
    Voice,
    Woken,
)
from companion.voice.listening import close_deciding, deciding, expire_deciding, hearing, listening
from companion.voice.moves import JUST_NOW, MARGIN, Moves
from companion.voice.orders import Chime, Hush, Ignore, Order, Reason, Sound
from companion.voice.phases import (
    Asleep,
    Deaf,
    Deciding,
    Ducked,
    Hearing,
    Listening,
    Muted,
    Opening,
    Speaking,
    Thinking,
    Turn,
    deadline,
)
from companion.voice.replying import ducked, speaking, thinking


def step(turn: Turn, cue: Cue) -> tuple[Turn, tuple[Order, ...]]:
    """What becomes of the turn by this cue, and what is to be done."""
    if isinstance(turn.phase, Asleep) and isinstance(cue, Silence | Tick) and not turn.waiting:
        return turn, ()  # nearly all of a companion's life
    moves = Moves(turn)
    _take(moves, cue)
    return moves.turn(), tuple(moves.orders)


def _take(m: Moves, cue: Cue) -> None:
    match cue:
        case Voice() | Silence() | Tick():
            _pass_time(m, cue)
        case Woken(at, ended):
            _wake(m, at, ended)
        case Pressed(at, hold):
            _press(m, at, hold=hold)
        case Released(at):
            _let_go(m, at)
        case Announced() | Recalled():
            _announce_or_recall(m, cue)
        case Stopped(at):
            m.clear()
            m.rest(at)
        case MuteTurned(at, on):
            _mute(m, at, on=on)
        case EarsLost(at):
            _lose_ears(m, at)
        case EarsBack(at):
            _regain_ears(m, at)
        case _:
            _dispatch(m, cue)


def _pass_time(m: Moves, cue: Voice | Silence | Tick) -> None:
    if not m.has_ears:
        cue = Tick(cue.at)
    if isinstance(cue, Voice):
        m.voice_at = cue.at
    if cue.at >= deadline(m.phase, m.rules) and _may_expire(m, cue):
        _expire(m, cue.at)
    else:
        _dispatch(m, cue)
    if not isinstance(cue, Voice):
        m.announce_if_quiet(cue.at)


def _may_expire(m: Moves, cue: Voice | Silence | Tick) -> bool:
    """A voice that arrives with the deadline of a wait is what was waited for, or wants to be heard first."""
    if not isinstance(cue, Voice):
        return True
    match m.phase:
        case Listening():
            return False
        case Deciding(talk) | Thinking(talk=talk):
            return talk.closed
        case _:
            return True


def _announce_or_recall(m: Moves, cue: Announced | Recalled) -> None:
    if isinstance(cue, Announced):
        m.queue(cue)
        m.announce_if_quiet(cue.at)
    else:
        m.recall(cue.at, cue.number)


def _dispatch(m: Moves, cue: Cue) -> None:
    match m.phase:
        case Asleep() | Muted() | Deaf():
            pass
        case Listening() as phase:
            listening(m, phase, cue)
        case Hearing() as phase:
            hearing(m, phase, cue)
        case Deciding() as phase:
            deciding(m, phase, cue)
        case Thinking() as phase:
            thinking(m, phase, cue)
        case Speaking() as phase:
            speaking(m, phase, cue)
        case Ducked() as phase:
            ducked(m, phase, cue)


def _wake(m: Moves, at: float, ended: float) -> None:
    if m.has_ears:
        m.clear()
        m.listen(at, Opening.WAKE, since=ended, floor=ended)


def _press(m: Moves, at: float, *, hold: bool) -> None:
    if not m.has_ears:
        m.order(Ignore(Reason.MUTED if m.muted else Reason.NO_MICROPHONE), Chime(Sound.TROUBLE))
        return
    match m.phase:
        case Hearing(talk) as phase if hold:
            m.go(replace(phase, talk=replace(talk, held=True)))
        case Deciding(talk) as phase if hold and not talk.closed:
            m.go(replace(phase, talk=replace(talk, held=True)))
        case Hearing(talk):
            m.close(talk, at, talking=False)
        case Deciding(talk) as phase:
            close_deciding(m, phase, at, talk)
        case Listening(opening=Opening.TALK) if not hold:
            m.rest(at)
        case _:
            _open_by_key(m, at, hold=hold)


def _open_by_key(m: Moves, at: float, *, hold: bool) -> None:
    m.clear()
    m.listen(at, Opening.TALK, floor=max(at - MARGIN, 0.0))
    if hold and isinstance(m.phase, Listening):
        m.go(replace(m.phase, held=True, until=at + m.rules.longest))


def _let_go(m: Moves, at: float) -> None:
    match m.phase:
        case Listening(held=True):
            m.order(Ignore(Reason.NOTHING_HEARD))
            m.rest(at)
        case Hearing(talk) if talk.held:
            m.close(talk, at, talking=False)
        case Deciding(talk) as phase if talk.held and not talk.closed:
            close_deciding(m, phase, at, talk)


def _mute(m: Moves, at: float, *, on: bool) -> None:
    if on == m.muted:
        return
    m.muted = on
    match m.phase:
        case Hearing() | Deciding() if on:
            m.clear()
            m.order(Ignore(Reason.MUTED))
            m.rest(at)
        case Asleep() | Listening() | Muted() | Deaf():
            m.rest(at)
        case Ducked() as phase if on:
            m.unduck(phase)


def _lose_ears(m: Moves, at: float) -> None:
    if m.deaf:
        return
    m.deaf = True
    match m.phase:
        case Asleep() | Muted() | Listening():
            m.order(Chime(Sound.TROUBLE))
            m.rest(at)
        case Hearing(talk):
            m.close(replace(talk, lost=True), at, talking=False)
        case Deciding(talk) as phase:
            close_deciding(m, phase, at, replace(talk, lost=True))
        case Ducked() as phase:
            m.unduck(phase)
        case Thinking() | Speaking() | Deaf():
            pass


def _regain_ears(m: Moves, at: float) -> None:
    if not m.deaf:
        return
    m.deaf = False
    if isinstance(m.phase, Deaf):
        m.order(Chime(Sound.READY))
        m.rest(at)


def _expire(m: Moves, at: float) -> None:
    """The phase's time is over: take its way back."""
    match m.phase:
        case Listening(opening=opening):
            if opening in (Opening.WAKE, Opening.TALK):
                m.order(Ignore(Reason.NOTHING_HEARD), Chime(Sound.NOT_UNDERSTOOD))
            m.rest(at)
        case Hearing(talk, voice_at):
            m.close(talk, at, talking=voice_at >= at - JUST_NOW)
        case Deciding() as phase:
            expire_deciding(m, phase, at)
        case Thinking(reply, has_words=has_words):
            m.order(Hush(reply))
            m.tell(at, Problem.VOICE_SLOW if has_words else Problem.THINKING_SLOW)
        case Speaking(matter=matter) as phase:
            m.drop(replace(phase, announced=None))
            m.failed(at, matter, Problem.REPLY_STUCK)
        case Ducked() as phase:
            m.unduck(phase)
        case Asleep() | Muted() | Deaf():
            pass
