"""Onsets and ends in made recordings, and two recordings on one clock."""

from __future__ import annotations

import numpy as np
import pytest

from companion.app.bench.recording import (
    STILL,
    almost_silent,
    first_sound,
    place_of,
    stopped,
    until_next_reply,
)

RATE = 16_000
RANDOM = np.random.default_rng(3)


def speech(seconds: float, level: float = 3000.0) -> np.ndarray:
    """Noise that swells like syllables."""
    count = round(seconds * RATE)
    swell = 0.6 + 0.4 * np.sin(2 * np.pi * 4 * np.arange(count) / RATE)
    return (level * swell * RANDOM.standard_normal(count)).astype(np.int16)


def silence(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * RATE), np.int16)


@pytest.mark.parametrize("gain", [0.2, 1.0])
def test_a_known_sound_is_found_to_the_sample(gain: float) -> None:
    clip = speech(1.0)
    recording = np.concatenate([silence(0.7), (clip * gain).astype(np.int16), silence(1.0)])

    assert place_of(clip, recording) == round(0.7 * RATE)


def test_other_sound_at_the_same_time_needs_less_likeness() -> None:
    clip, echo = speech(1.0), speech(2.0)
    recording = echo.copy()
    recording[8000:24_000] += clip

    assert place_of(clip, recording) is None
    assert place_of(clip, recording, likeness=0.4) == 8000


def test_a_stutter_is_not_the_sound_that_was_said() -> None:
    clip = speech(1.0)
    stuttered = np.concatenate([clip[:6000], silence(0.2), clip[6000:]])

    assert place_of(clip, np.concatenate([stuttered, silence(1.0)])) is None


def test_what_is_not_there_is_not_found() -> None:
    assert place_of(speech(1.0), silence(2.0)) is None
    assert place_of(speech(1.0), speech(0.5)) is None
    assert place_of(silence(0.0), speech(0.5)) is None


def test_first_sound_is_the_first_that_is_loud() -> None:
    recording = np.concatenate([silence(0.3), np.full(100, 50, np.int16), np.full(100, 900, np.int16)])

    assert first_sound(recording, above=300) == 4900
    assert first_sound(silence(1.0), above=300) is None


def test_a_reply_is_almost_silent_when_it_stays_30_db_down() -> None:
    loud, ducked = speech(1.5), speech(0.3, level=3000 * 10 ** (-40 / 20))
    recording = np.concatenate([loud, ducked, silence(1.0)])
    onset = round(1.4 * RATE)

    assert almost_silent(recording, onset) == pytest.approx(1.5 * RATE, abs=200)


def test_a_pause_between_two_words_is_no_silence() -> None:
    recording = np.concatenate([speech(1.0), silence(0.15), speech(0.4), silence(1.0)])

    assert almost_silent(recording, RATE) == pytest.approx(1.55 * RATE, abs=200)


def test_a_reply_that_goes_on_never_became_silent() -> None:
    recording = speech(3.0)

    assert almost_silent(recording, RATE) is None
    assert stopped(recording, RATE) is None


def test_before_any_sound_nothing_can_fall_silent() -> None:
    assert almost_silent(silence(3.0), RATE) is None


def test_a_reply_has_stopped_behind_its_last_sample() -> None:
    tail = np.full(800, STILL - 1, np.int16)
    recording = np.concatenate([speech(1.2), tail, silence(1.0)])

    assert stopped(recording, RATE) == pytest.approx(1.2 * RATE, abs=3)


def test_the_answer_to_an_interruption_is_another_reply() -> None:
    recording = np.concatenate([speech(1.3), silence(0.8), speech(1.0), silence(0.2)])
    first = until_next_reply(recording, RATE)

    assert stopped(first, RATE) == pytest.approx(1.3 * RATE, abs=3)
    assert len(first) < 2.1 * RATE


def test_a_recording_without_a_gap_stays_whole() -> None:
    recording = speech(2.0)

    assert until_next_reply(recording, RATE) is recording
