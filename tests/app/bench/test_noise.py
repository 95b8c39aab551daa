"""Made noise is as loud as it says, and mixes as far below the voice as it says."""

from __future__ import annotations

import numpy as np
import pytest

from companion.app.bench.noise import KINDS, RATE, Noise, at_level, in_noise, quiet_sounds, rms, voice_rms

VOICE = (8000 * np.sin(2 * np.pi * 200 * np.arange(RATE) / RATE)).astype(np.int16)


@pytest.mark.parametrize("kind", KINDS)
def test_noise_has_unit_power_and_the_length_that_was_asked_for(kind: str) -> None:
    wave = Noise([VOICE, VOICE[:4000]]).make(kind, 12_345)

    assert len(wave) == 12_345
    assert np.mean(wave**2) == pytest.approx(1.0, rel=1e-3)


def test_pink_noise_is_stronger_below() -> None:
    spectrum = np.abs(np.fft.rfft(Noise().make("pink", 4 * RATE))) ** 2

    assert spectrum[400:800].mean() > 5 * spectrum[8000:16_000].mean()


def test_noise_is_the_same_each_time() -> None:
    assert np.array_equal(Noise().make("white", 100), Noise().make("white", 100))


def test_without_voices_there_is_no_babble() -> None:
    assert "babble" not in Noise().kinds


def test_silence_around_a_voice_makes_it_no_weaker() -> None:
    padded = np.pad(VOICE, RATE)

    assert voice_rms(padded) == pytest.approx(rms(VOICE), rel=0.02)


@pytest.mark.parametrize("below", [5.0, 20.0])
def test_noise_lies_so_many_decibels_below_the_voice(below: float) -> None:
    noise = Noise().make("white", len(VOICE))
    mixed = in_noise(VOICE, noise, below)

    left = mixed.astype(np.float64) - VOICE
    assert 20 * np.log10(rms(VOICE) / np.sqrt(np.mean(left**2))) == pytest.approx(below, abs=0.1)


def test_what_would_clip_becomes_softer_instead() -> None:
    loud = (VOICE * 4.0).astype(np.int16)
    mixed = in_noise(loud, Noise().make("white", len(loud)), 0.0)

    assert np.abs(mixed.astype(np.int32)).max() <= 32_000


def test_a_level_is_kept() -> None:
    assert 20 * np.log10(rms(at_level(Noise().make("white", RATE), -40.0)) / 32768) == pytest.approx(-40.0, abs=0.1)


def test_quiet_sounds_begin_with_digital_silence() -> None:
    sounds = quiet_sounds(0.1)

    assert not any(sounds[0])
    assert len(sounds) == 10
