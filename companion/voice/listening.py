"""The phases in which the user has the floor: LISTENING, HEARING, DECIDING."""

from __future__ import annotations

from dataclasses import replace

from companion.voice.cues import (
    Cue,
    Judged,
    NotRecognised,
    Problem,
    Recognised,
    ReplyEnded,
    ReplyFailed,
    Silence,
    Voice,
)
from companion.voice.moves import MARGIN, Moves
from companion.voice.orders import Chime, Forget, Ignore, Prepare, Reason, Sound
from companion.voice.phases import Deciding, Hearing, Listening, Opening, Talk
from companion.voice.votes import is_cut_off, is_likely_over, silence_needed, why_no_turn

EARLY_SILENCE = 0.1
"""Seconds of silence after which the recogniser starts on what is there."""
WAKE_TAIL = 0.25
"""Seconds a voice must outlast the wake word to be more than its end."""
CHIME_SILENCE = 0.3
"""Seconds of silence after the wake word before the chime: who speaks on at once hears none."""
STILL_ECHO = 0.3
"""Seconds behind a reply in which its own end may still be heard."""
LONGEST_BACKCHANNEL = 3.0
"""Seconds of voice over a reply that end it before the words are known: no "mhm" and hardly an echo lasts so long."""


def listening(m: Moves, phase: Listening, cue: Cue) -> None:
    match cue:
        case Voice(at, since) if since >= phase.since or at - phase.since >= WAKE_TAIL:
            m.go(Hearing(_talk(phase, since), at))
        case Silence(_, since) if _spoke_meanwhile(phase, since):
            spoke = Hearing(_talk(phase, phase.since), since)
            m.go(spoke)
            hearing(m, spoke, cue)
        case Silence(at, since) if phase.opening is Opening.WAKE and not phase.chimed:
            if at - max(since, phase.since) >= CHIME_SILENCE:
                m.order(Chime(Sound.LISTENING))
                m.go(replace(phase, chimed=True))


def _spoke_meanwhile(phase: Listening, silent_since: float) -> bool:
    """Whether something was said while the wake word was still being verified."""
    return phase.opening is Opening.WAKE and phase.tries == 0 and silent_since - phase.since >= WAKE_TAIL


def _talk(phase: Listening, since: float) -> Talk:
    return Talk(
        began=max(since - MARGIN, phase.floor, 0.0),
        voiced=since,
        opening=Opening.BARGE_IN if _began_over_reply(phase, since) else phase.opening,
        held=phase.held,
        tries=phase.tries,
        after_wake=phase.opening is Opening.WAKE and since <= phase.since and phase.tries == 0,
    )


def _began_over_reply(phase: Listening, since: float) -> bool:
    """Whether it may be the reply's own end, and is judged as what is said over one."""
    return phase.opening in (Opening.FOLLOW_UP, Opening.OPEN) and since < phase.since + STILL_ECHO


def hearing(m: Moves, phase: Hearing, cue: Cue) -> None:
    match cue:
        case Voice(at):
            talk = phase.talk
            if talk.over is not None and at - talk.voiced >= LONGEST_BACKCHANNEL:
                m.release(talk.over)
                talk = replace(talk, over=None)
            m.go(Hearing(talk, at))
        case Silence(_, since):
            silent = Deciding(phase.talk, since)
            m.go(silent)
            deciding(m, silent, cue)
        case ReplyEnded(_, reply) | ReplyFailed(_, reply):
            m.go(replace(phase, talk=_without(phase.talk, reply)))


def _without(talk: Talk, reply: int) -> Talk:
    """The paused reply came to its end by itself."""
    return replace(talk, over=None) if talk.over is not None and talk.over.reply == reply else talk


def deciding(m: Moves, phase: Deciding, cue: Cue) -> None:
    match cue:
        case Voice(at):
            if not phase.talk.closed:
                _go_on_hearing(m, phase, at)
            return
        case Silence(_, since) if phase.talking:
            phase = replace(phase, talking=False, since=since)
        case Recognised(_, attempt) if attempt == phase.attempt:
            phase = replace(phase, heard=cue)
        case Judged(_, attempt, complete) if attempt == phase.attempt:
            phase = replace(phase, complete=complete)
        case NotRecognised(at, attempt) if attempt == phase.attempt:
            m.forget(attempt)
            m.release(phase.talk.over)
            m.tell(at, Problem.HEARING_FAILED, aloud=not phase.talking)
            return
        case ReplyEnded(_, reply) | ReplyFailed(_, reply):
            phase = replace(phase, talk=_without(phase.talk, reply))
    if phase.attempt == 0 and cue.at - phase.since >= EARLY_SILENCE:
        attempt = m.recognise(phase.talk, cue.at, phase.since)
        phase = replace(phase, attempt=attempt, asked=cue.at)
    m.go(phase)
    _decide(m, phase, cue.at)


def _go_on_hearing(m: Moves, phase: Deciding, at: float) -> None:
    m.forget(phase.attempt)
    m.go(Hearing(phase.talk, at))


def _decide(m: Moves, phase: Deciding, at: float) -> None:
    heard, talk = phase.heard, phase.talk
    if heard is None or (talk.held and not talk.closed):
        return
    silence = at - phase.since
    reason = why_no_turn(phase, heard)
    if reason is not None:
        if talk.closed or reason is Reason.NO_WORDS or silence >= m.rules.complete_silence:
            m.nothing(phase, at, reason)
    elif phase.talking:
        pass
    elif talk.closed or silence >= silence_needed(m.rules, heard, phase.complete):
        _end_turn(m, phase, at)
    elif not phase.prepared and is_likely_over(m.rules, heard, phase.complete):
        # From here on it is an interruption: the history must be settled before the model is asked.
        m.release(talk.over)
        m.order(Prepare(phase.attempt))
        m.go(replace(phase, prepared=True, talk=replace(talk, over=None)))


def _end_turn(m: Moves, phase: Deciding, at: float) -> None:
    assert phase.heard is not None
    m.release(phase.talk.over)
    if phase.talk.lost and is_cut_off(m.rules, phase.heard, phase.complete):
        m.order(Forget(phase.attempt))
        m.tell(at, Problem.MICROPHONE_LOST)
    else:
        m.think(phase.attempt, replace(phase.talk, over=None), at, command=phase.heard.command)


def close_deciding(m: Moves, phase: Deciding, at: float, talk: Talk) -> None:
    """End a turn whose silence is already running. What was recognised, or is being recognised, will do."""
    if phase.attempt == 0:
        m.close(talk, at, talking=False)
    else:
        phase = replace(phase, talk=replace(talk, closed=True), talking=False)
        m.go(phase)
        _decide(m, phase, at)


def expire_deciding(m: Moves, phase: Deciding, at: float) -> None:
    talk = phase.talk
    if phase.attempt == 0 or (phase.heard is not None and talk.held and not talk.closed):
        # The ears fell silent without a word, or the key was held too long: what is there must do.
        m.close(talk, at, talking=False)
        return
    m.order(Forget(phase.attempt))
    m.release(talk.over)
    if phase.heard is None:
        m.tell(at, Problem.HEARING_SLOW, aloud=not phase.talking)
    else:
        m.order(Ignore(Reason.ENDLESS_TALK))
        m.rest(at)
