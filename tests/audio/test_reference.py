"""The timeline of played sound is bounded, aligned and honest about what it does not know."""

from __future__ import annotations

import math

import numpy as np
from doubles.sounds import tone

from companion.audio.reference import PlayedSound


def play(reference: PlayedSound, at: float, samples: np.ndarray, *, rate: int = 16_000) -> None:
    for start in range(0, len(samples), rate // 100):
        block = samples[start : start + rate // 100]
        reference.played(at + start / rate, rate, block.tobytes(), silent=not block.any())


def test_sound_is_found_where_it_was_played_and_silence_elsewhere() -> None:
    reference = PlayedSound()
    assert reference.last_sound == -math.inf
    play(reference, 100.0, tone(440, 0.5))
    play(reference, 101.5, tone(300, 0.5))

    assert np.array_equal(reference.read(100.1, 160), tone(440, 0.5)[1600:1760])
    assert not reference.read(100.6, 8000).any()
    assert np.array_equal(reference.read(101.5, 160), tone(300, 0.5)[:160])
    assert abs(reference.last_sound - 102.0) < 0.001


def test_one_reading_that_was_too_late_moves_nothing_behind_it() -> None:
    reference, sound = PlayedSound(), tone(440, 1.0)
    for number, start in enumerate(range(0, len(sound), 160)):
        late = 0.06 if number == 20 else 0.0
        reference.played(100.0 + start / 16_000 + late, 16_000, sound[start : start + 160].tobytes(), silent=False)

    assert np.array_equal(reference.read(100.5, 1600), sound[8000:9600])


def test_another_rate_is_brought_to_16_khz() -> None:
    reference = PlayedSound()
    play(reference, 50.0, tone(440, 0.5, rate=48_000), rate=48_000)

    error = reference.read(50.1, 3200).astype(int) - tone(440, 0.5)[1600:4800]
    assert np.abs(error).max() < 100


def test_only_the_last_seconds_are_kept() -> None:
    reference = PlayedSound(seconds=1.0)
    play(reference, 10.0, tone(440, 3.0))

    assert not reference.read(10.5, 1600).any()
    assert reference.read(12.5, 1600).any()


def test_jitter_in_reported_times_does_not_tear_the_sound() -> None:
    reference = PlayedSound()
    sound = tone(440, 0.5)
    for number, start in enumerate(range(0, len(sound), 160)):
        reference.played(
            7.0 + start / 16_000 + (number % 3) * 0.004, 16_000, sound[start : start + 160].tobytes(), silent=False
        )

    assert np.array_equal(reference.read(7.0, 8000), sound)


def test_a_jump_back_in_time_is_survived() -> None:
    reference = PlayedSound()
    play(reference, 10.0, tone(440, 0.2))
    play(reference, 9.0, tone(440, 0.2))

    assert len(reference.read(9.0, 32_000)) == 32_000
