"""Ten minutes of what is no speech: silence, noise at several levels, and music, as 16 kHz mono PCM, made in pieces."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

RATE = 16_000
PIECE = 10
"""Seconds made at once."""
Wave = npt.NDArray[np.float32]

_LEVELS = (-60.0, -45.0, -35.0, -25.0, -15.0)
"""dBFS."""
_CHORDS = ((0, 4, 7), (9, 12, 16), (5, 9, 12), (7, 11, 14))
"""I, vi, IV, V, in half tones above the key."""
_MELODY = (0, 4, 7, 12, 11, 7, 9, 5, 4, 2, 0, 7)


def silence(seconds: int) -> Iterator[bytes]:
    for _ in range(seconds // PIECE):
        yield bytes(2 * RATE * PIECE)


def noise(seconds: int) -> Iterator[bytes]:
    """White, pink and humming by turns, each piece at another level, some of them beginning and ending at once."""
    random = np.random.default_rng(11)
    for piece in range(seconds // PIECE):
        wave = (_white, _pink, _hum)[piece % 3](random, RATE * PIECE)
        wave /= np.sqrt(np.mean(wave**2))
        yield _pcm(wave * _gusts(random, piece), _LEVELS[piece // 3 % len(_LEVELS)])


def music(seconds: int) -> Iterator[bytes]:
    """Chords, a tune and a beat, each piece in another key, tempo and colour."""
    random = np.random.default_rng(12)
    for piece in range(seconds // PIECE):
        wave = _song(random, key=110 * 2 ** (random.integers(12) / 12), beat=60 / random.integers(70, 150))
        wave /= np.sqrt(np.mean(wave**2))
        yield _pcm(wave, (-40.0, -30.0, -20.0)[piece % 3])


def _white(random: np.random.Generator, count: int) -> Wave:
    return random.standard_normal(count).astype(np.float32)


def _pink(random: np.random.Generator, count: int) -> Wave:
    spectrum = np.fft.rfft(random.standard_normal(count))
    spectrum[1:] /= np.sqrt(np.arange(1, len(spectrum)))
    return np.fft.irfft(spectrum, count).astype(np.float32)


def _hum(random: np.random.Generator, count: int) -> Wave:
    at = np.arange(count) / RATE
    mains = random.choice((50, 60))
    return sum(share * np.sin(2 * np.pi * mains * times * at) for times, share in ((1, 1.0), (2, 0.4), (5, 0.2)))


def _gusts(random: np.random.Generator, piece: int) -> Wave:
    """Every other piece comes and goes, as a fan, a tap or a passing car does."""
    steps = np.ones(PIECE) if piece % 2 else random.choice((0.0, 0.3, 1.0), PIECE)
    return np.repeat(steps, RATE).astype(np.float32)


def _song(random: np.random.Generator, *, key: float, beat: float) -> Wave:
    wave = np.zeros(RATE * PIECE, np.float32)
    overtones = 1 / np.arange(1, random.integers(4, 9)) ** random.uniform(1.0, 2.0)
    for number in range(int(PIECE / beat)):
        chord = _CHORDS[number // 4 % len(_CHORDS)]
        if number % 4 == 0:
            for tone in chord:
                _play(wave, key * 2 ** (tone / 12), number * beat, 4 * beat, overtones)
        _play(wave, 2 * key * 2 ** (random.choice(_MELODY) / 12), number * beat, beat, overtones)
        _knock(random, wave, number * beat)
    return wave


def _play(wave: Wave, pitch: float, began: float, length: float, overtones: npt.NDArray[np.float64]) -> None:
    begin = int(began * RATE)
    at = np.arange(min(int(length * RATE), len(wave) - begin)) / RATE
    swing = 1 + 0.004 * np.sin(2 * np.pi * 5.5 * at)
    phase = 2 * np.pi * pitch * np.cumsum(swing) / RATE
    tone = sum(share * np.sin(number * phase) for number, share in enumerate(overtones, 1))
    wave[begin : begin + len(at)] += tone * np.minimum(at / 0.02, 1) * np.exp(-2 * at / length)


def _knock(random: np.random.Generator, wave: Wave, began: float) -> None:
    begin = int(began * RATE)
    count = min(RATE // 10, len(wave) - begin)
    wave[begin : begin + count] += random.standard_normal(count) * np.exp(-np.arange(count) / (RATE / 60))


def _pcm(wave: Wave, dbfs: float) -> bytes:
    return np.clip(np.rint(wave * 32768 * 10 ** (dbfs / 20)), -32768, 32767).astype("<i2").tobytes()
