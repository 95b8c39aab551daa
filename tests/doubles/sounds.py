"""Sounds made or recorded, for tests: all 16 kHz mono 16-bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from companion.audio.resample import Samples, samples_of
from companion.audio.wave import read_sound
from companion.stream import (
    MessageChunk,
    PulledStream,
    Role,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
    pcm,
    stream_of,
)

RATE = 16_000
SPOKEN = Path(__file__).parent.parent / "spoken"


def spoken(kind: str) -> list[Path]:
    """The recordings of one folder of ``tests/spoken``."""
    found = sorted((SPOKEN / kind).glob("*.flac"))
    assert found, kind
    return found


def voice(kind: str, number: int = 0) -> Samples:
    return samples_of(read_sound(spoken(kind)[number]))


def tone(hertz: float, seconds: float, *, rate: int = RATE, level: float = 0.3) -> Samples:
    return np.round(np.sin(2 * np.pi * hertz * np.arange(int(seconds * rate)) / rate) * level * 32767).astype(np.int16)


def white(seconds: float, dbfs: float, *, seed: int = 3) -> Samples:
    samples = np.random.default_rng(seed).standard_normal(int(seconds * RATE)) * 32768 * 10 ** (dbfs / 20)
    return np.clip(samples, -32768, 32767).astype(np.int16)


def pink(seconds: float, dbfs: float, *, seed: int = 4) -> Samples:
    count = int(seconds * RATE)
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(count))
    samples = np.fft.irfft(spectrum / np.sqrt(np.maximum(np.arange(len(spectrum)), 1)), count)
    samples *= 32768 * 10 ** (dbfs / 20) / samples.std()
    return np.clip(samples, -32768, 32767).astype(np.int16)


def in_noise(samples: Samples, snr: float) -> Samples:
    """With pink noise so many dB below the loud parts of the voice."""
    loud = samples[np.abs(samples.astype(int)) > 200].astype(float)
    level = 20 * np.log10(np.sqrt((loud**2).mean()) / 32768)
    noise = pink(len(samples) / RATE + 0.001, level - snr)[: len(samples)]
    return np.clip(samples.astype(int) + noise, -32768, 32767).astype(np.int16)


def music(seconds: float) -> Samples:
    """A slow chord that swells."""
    at = np.arange(int(seconds * RATE)) / RATE
    notes = ((220.0, 1.0), (277.2, 0.7), (329.6, 0.5), (440.0, 1.3))
    swell = sum(np.sin(2 * np.pi * hertz * at) * (1 + np.sin(6 * speed * at)) for hertz, speed in notes)
    return np.round(np.asarray(swell) * 2000).astype(np.int16)


def reply_of(*pieces: tuple[str, bytes], rate: int = RATE, slice_bytes: int = 3200) -> PulledStream:
    """A synthesiser's stream: for each piece its caption, then its sound in slices."""
    chunks = [begin_of_stream("reply", role=Role.MODEL)]
    for text, sound in pieces:
        chunks.append(MessageChunk(Role.MODEL, part=Text(text), ctrl=StreamCtrl("reply")))
        chunks += [
            MessageChunk(Role.MODEL, part=pcm(sound[at : at + slice_bytes], rate), ctrl=StreamCtrl("reply"))
            for at in range(0, len(sound), slice_bytes)
        ]
    chunks.append(end_of_stream("reply", role=Role.MODEL, part=pcm(b"", rate)))
    chunks.append(end_of_stream("reply", role=Role.MODEL))
    return stream_of(chunks)
