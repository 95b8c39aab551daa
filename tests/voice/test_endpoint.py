"""Where voice begins and ends."""

from __future__ import annotations

import pytest

from companion.voice.cues import Silence, Voice
from companion.voice.endpoint import Endpointer

PIECE = 0.01


def hear(ears: Endpointer, *pieces: tuple[float, float, float], at: float = 0.0) -> list[Voice | Silence]:
    """Each piece: seconds, voice probability, level."""
    cues = []
    for seconds, voice, level in pieces:
        for _ in range(round(seconds / PIECE)):
            cues.append(ears.hear(voice, level, round(at, 6), round(at + PIECE, 6)))
            at += PIECE
    return cues


def test_a_voice_is_believed_after_two_frames_and_dated_from_the_first() -> None:
    cues = hear(Endpointer(), (0.5, 0.1, -60), (0.2, 0.9, -25))
    onset = next(cue for cue in cues if isinstance(cue, Voice))
    assert onset == Voice(at=pytest.approx(0.54), since=pytest.approx(0.5))


def test_two_frames_are_needed_however_long_they_are() -> None:
    ears = Endpointer()
    assert isinstance(ears.hear(0.9, -20, 0.0, 0.096), Silence)
    assert isinstance(ears.hear(0.9, -20, 0.096, 0.192), Voice)


def test_a_click_is_no_voice() -> None:
    cues = hear(Endpointer(), (0.5, 0.1, -60), (0.03, 0.9, -10), (0.5, 0.1, -60))
    assert all(isinstance(cue, Silence) for cue in cues)
    assert cues[-1] == Silence(at=pytest.approx(1.03), since=0.0)


def test_a_weak_consonant_does_not_end_a_word() -> None:
    cues = hear(Endpointer(), (0.3, 0.9, -25), (0.05, 0.4, -45), (0.3, 0.9, -25))
    assert all(isinstance(cue, Voice) for cue in cues[4:])


def test_silence_is_dated_from_its_first_piece() -> None:
    cues = hear(Endpointer(), (0.5, 0.9, -25), (0.3, 0.1, -60))
    assert cues[-1] == Silence(at=pytest.approx(0.8), since=pytest.approx(0.5))


def test_a_blip_in_the_silence_does_not_begin_it_anew() -> None:
    cues = hear(Endpointer(), (0.5, 0.9, -25), (0.2, 0.1, -60), (0.02, 0.9, -25), (0.1, 0.1, -60))
    assert cues[-1] == Silence(at=pytest.approx(0.82), since=pytest.approx(0.5))


def test_silence_does_not_grow_while_a_voice_may_be_coming() -> None:
    cues = hear(Endpointer(), (0.5, 0.9, -25), (0.2, 0.1, -60), (0.03, 0.9, -25))
    assert cues[-1] == Silence(at=pytest.approx(0.7), since=pytest.approx(0.5))


def test_steady_noise_does_not_pass_for_a_voice_for_ever() -> None:
    ears = Endpointer()
    hear(ears, (60.0, 0.1, -40))
    assert ears.floor == pytest.approx(-40)
    cues = hear(ears, (1.0, 0.6, -40), at=60.0)
    assert all(isinstance(cue, Silence) for cue in cues)
    cues = hear(ears, (0.2, 0.6, -30), at=61.0)
    assert isinstance(cues[-1], Voice)


def test_the_floor_falls_at_once_and_never_rises_to_a_close_talker() -> None:
    ears = Endpointer()
    hear(ears, (200.0, 0.9, -5))
    assert ears.floor == -30
    hear(ears, (0.01, 0.1, -70))
    assert ears.floor == -70


def test_after_a_gap_it_begins_in_silence() -> None:
    ears = Endpointer()
    hear(ears, (0.5, 0.9, -25))
    ears.restart(7.0)
    assert ears.hear(0.1, -60, 7.0, 7.01) == Silence(7.01, 7.0)
