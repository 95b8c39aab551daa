"""Sound changes its rate and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from doubles.sounds import tone

from companion.audio.resample import Decimator, mono, resample, resampler, samples_of


def power(samples: np.ndarray) -> float:
    return 10 * np.log10((samples.astype(float) ** 2).mean() + 1e-9)


def streamed(samples: np.ndarray, source: int, target: int, size: int) -> np.ndarray:
    converter = resampler(source, target)
    parts = [converter.push(samples[at : at + size]) for at in range(0, len(samples), size)]
    return np.concatenate([*parts, converter.flush()])


@pytest.mark.parametrize("source", [8_000, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000, 192_000])
def test_a_tone_keeps_its_pitch_loudness_and_length(source: int) -> None:
    converted = streamed(tone(440, 1.0, rate=source), source, 16_000, source // 50)

    assert abs(len(converted) - 16_000) <= 1
    middle = converted[2000:14_000].astype(float)
    assert abs(power(middle) - power(tone(440, 1.0))) < 0.2
    strongest = np.argmax(np.abs(np.fft.rfft(middle * np.hanning(len(middle))))) * 16_000 / len(middle)
    assert abs(strongest - 440) < 2


def test_what_cannot_be_carried_is_removed_not_folded_down() -> None:
    converted = streamed(tone(11_000, 0.5, rate=48_000), 48_000, 16_000, 960)

    assert power(converted[200:-200]) < power(tone(11_000, 0.5, rate=48_000)) - 60


@pytest.mark.parametrize("size", [1, 7, 97, 960, 5000])
def test_pieces_of_any_size_give_the_same_sound(size: int) -> None:
    samples = tone(700, 0.1, rate=48_000)

    assert np.array_equal(streamed(samples, 48_000, 16_000, size), streamed(samples, 48_000, 16_000, len(samples)))


def test_the_decimator_holds_back_no_more_than_a_millisecond() -> None:
    decimator = Decimator(3)

    assert 320 - len(decimator.push(tone(440, 0.02, rate=48_000))) <= 16


def test_a_whole_sound_may_be_empty() -> None:
    assert len(resample(np.empty(0, np.int16), 44_100, 16_000)) == 0


def test_channels_are_averaged_and_odd_bytes_left_out() -> None:
    assert mono(np.array([100, 300, -50, 50, 9], np.int16), 2).tolist() == [200, 0]
    assert samples_of(b"\x01\x00\x02").tolist() == [1]
