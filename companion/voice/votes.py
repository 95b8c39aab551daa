"""The votes on whether a turn is over, and on whether what was heard is a turn at all."""

from __future__ import annotations

from companion.voice.cues import Recognised
from companion.voice.orders import Reason
from companion.voice.phases import Deciding, Opening, Rules
from companion.voice.words import hangs, is_backchannel, is_noise, words_of

SHORT_TAIL = 0.5
"""Seconds behind the wake word in which only a command is believed: the word's own end sounds like speech."""


def silence_needed(rules: Rules, heard: Recognised, complete: float | None) -> float:
    """Seconds of silence that end the turn. complete: the judge's vote, None where there is none yet."""
    if heard.command and not heard.open_ended:
        return rules.command_silence
    if hangs(heard.text):
        return rules.incomplete_silence
    if complete is None:
        return rules.default_silence
    if complete >= rules.complete_above:
        return rules.complete_silence
    if complete < rules.incomplete_below:
        return rules.incomplete_silence
    return rules.default_silence


def is_likely_over(rules: Rules, heard: Recognised, complete: float | None) -> bool:
    """Whether it is worth asking the model for an answer already. Commands act, so they never are."""
    if heard.command or hangs(heard.text):
        return False
    return complete is None or complete >= rules.incomplete_below


def is_cut_off(rules: Rules, heard: Recognised, complete: float | None) -> bool:
    """Whether a sentence that ended with the microphone is too broken to answer."""
    if heard.command:
        return False
    return hangs(heard.text) or (complete is not None and complete < rules.incomplete_below)


def why_no_turn(phase: Deciding, heard: Recognised) -> Reason | None:
    """Why what was heard is not to be answered, or None."""
    talk = phase.talk
    words = words_of(heard.text)
    if not words:
        return Reason.NO_WORDS
    if heard.command:
        return None
    if is_noise(heard.text):
        return Reason.BACKCHANNEL
    if talk.opening is Opening.BARGE_IN and heard.own:
        return Reason.OWN_VOICE
    if talk.opening is Opening.BARGE_IN and is_backchannel(heard.text):
        return Reason.BACKCHANNEL
    if talk.after_wake and len(words) == 1 and phase.since - talk.began < SHORT_TAIL:
        return Reason.ONLY_WAKE_WORD
    return None
