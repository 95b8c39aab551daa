"""The phases in which the companion has the floor: THINKING, SPEAKING, DUCKED."""

from __future__ import annotations

from dataclasses import replace

from companion.voice.cues import (
    Cue,
    FirstToken,
    Recognised,
    ReplyBegan,
    ReplyEnded,
    ReplyFailed,
    ReplyMoved,
    Silence,
    Voice,
)
from companion.voice.moves import ANNOUNCEMENT_PATIENCE, MARGIN, Moves
from companion.voice.orders import Duck, Forget, Hush, Withdraw
from companion.voice.phases import (
    FIRST_SOUND_PATIENCE,
    REPLY_PATIENCE,
    Ducked,
    Hearing,
    Matter,
    Opening,
    Speaking,
    Talk,
    Thinking,
)

SETTLE = 0.3
"""Seconds of a reply in which the echo canceller, which learns the way anew, may still let a bit of it through."""
CONFIRM = 0.04
"""Seconds a voice that began before that must last beyond it."""
HOLD = 0.15
"""Seconds of voice over a reply that silence it."""
SHORTEST_BURST = 0.1
"""Seconds of voice over a reply worth recognising: "stop" can be that quick."""
BURST_SILENCE = 0.1
"""Seconds of silence after which a voice over a reply is over."""
REJOIN = 2.0
"""Seconds after the end of a turn in which more speech belongs to the same sentence."""


def thinking(m: Moves, phase: Thinking, cue: Cue) -> None:
    match cue:
        case Voice(at, since) if not phase.talk.closed:
            _hear_before_reply(m, phase, at, since)
        case FirstToken(at, reply) if reply == phase.reply and not phase.has_words:
            m.go(replace(phase, has_words=True, until=at + FIRST_SOUND_PATIENCE))
        case ReplyBegan(at, reply) if reply == phase.reply:
            m.go(Speaking(reply, Matter.ANSWER, at, at + REPLY_PATIENCE))
        case ReplyEnded(at, reply, follow_up) if reply == phase.reply:
            m.spoken(at, follow_up=follow_up)
        case ReplyFailed(at, reply, problem) if reply == phase.reply:
            m.tell(at, problem)


def _hear_before_reply(m: Moves, phase: Thinking, at: float, since: float) -> None:
    if phase.command or since - phase.ended >= REJOIN:
        m.interrupt(phase, at, since)
    else:
        # The sentence was not over after all. A model's answer has no effect yet: it is asked for again, whole.
        m.order(Withdraw(phase.reply))
        m.go(Hearing(phase.talk, at))


def speaking(m: Moves, phase: Speaking, cue: Cue) -> None:
    match cue:
        case Voice(at, since):
            _hear_over_reply(m, phase, at, since)
        case ReplyBegan(at, reply) if reply == phase.reply:
            m.go(replace(phase, began=at, until=at + REPLY_PATIENCE, announced=None))
        case ReplyMoved(at, reply) if reply == phase.reply and phase.began is not None:
            m.go(replace(phase, until=at + REPLY_PATIENCE))
        case ReplyEnded(at, reply, follow_up) if reply == phase.reply:
            m.forget(phase.burst)
            m.spoken(at, follow_up=phase.follow_up and follow_up)
        case ReplyFailed(at, reply, problem) if reply == phase.reply:
            m.forget(phase.burst)
            m.failed(at, phase.matter, problem)
        case Recognised(at, attempt, command=command) if attempt == phase.burst and phase.burst:
            if command:
                m.order(Hush(phase.reply))
                m.think(attempt, Talk(at, at, Opening.BARGE_IN), at, command=True)
            else:
                m.order(Forget(attempt))
                m.go(replace(phase, burst=0))


def _hear_over_reply(m: Moves, phase: Speaking, at: float, since: float) -> None:
    if phase.began is None:
        _hear_before_speech(m, phase, at, since)
        return
    settled = phase.began + SETTLE
    over_since = max(since, settled)
    if m.rules.barge_in and at >= settled and (since >= settled or at - settled >= CONFIRM):
        m.forget(phase.burst)
        m.order(Duck(phase.reply))
        m.go(Ducked(replace(phase, burst=0), over_since))


def _hear_before_speech(m: Moves, phase: Speaking, at: float, since: float) -> None:
    if phase.announced is None:
        m.interrupt(phase, at, since)
    elif at - phase.announced.at < ANNOUNCEMENT_PATIENCE:
        # An announcement nobody has heard yet waits until it is quiet again.
        m.drop(phase)
        m.spoken(at, follow_up=phase.follow_up)


def ducked(m: Moves, phase: Ducked, cue: Cue) -> None:
    speaking = phase.speaking
    match cue:
        case Voice(at) if at - phase.since >= HOLD:
            m.interrupt(speaking, at, phase.since)
        case Silence(at, since) if at - since >= BURST_SILENCE:
            _end_burst(m, phase, at, since)
        case ReplyMoved(at, reply) if reply == speaking.reply:
            m.go(replace(phase, speaking=replace(speaking, until=at + REPLY_PATIENCE)))
        case ReplyEnded(at, reply) if reply == speaking.reply:
            m.unduck(phase)
            m.hear_over(at, phase.since, None)
        case ReplyFailed(at, reply, problem) if reply == speaking.reply:
            m.unduck(phase)
            m.failed(at, Matter.APOLOGY, problem)
            m.hear_over(at, phase.since, None)


def _end_burst(m: Moves, phase: Ducked, at: float, since: float) -> None:
    speaking = m.unduck(phase)
    if since - phase.since >= SHORTEST_BURST:
        talk = Talk(max(phase.since - MARGIN, 0.0), phase.since, Opening.BARGE_IN)
        m.go(replace(speaking, burst=m.recognise(talk, at, since)))
