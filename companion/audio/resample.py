"""Sound from one rate to another: all at once, or in a stream with little delay."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.int16]
Floats = npt.NDArray[np.float32]

HIGHEST_RATE = 384_000


class Resampler(Protocol):
    """Mono sound in, mono sound out, piece by piece."""

    def push(self, samples: Samples) -> Samples:
        """Take the next samples and return what can be said of them by now, which may be nothing."""

    def flush(self) -> Samples:
        """The rest. The resampler is used up."""


def resampler(source_rate: int, target_rate: int) -> Resampler:
    """The fitting resampler between two rates in hertz."""
    if source_rate == target_rate:
        return _Same()
    if source_rate % target_rate == 0 and source_rate // target_rate <= 6:
        return Decimator(source_rate // target_rate)
    return _Soxr(source_rate, target_rate)


def resample(samples: Samples, source_rate: int, target_rate: int) -> Samples:
    """A whole sound at another rate."""
    if source_rate == target_rate or not len(samples):
        return samples
    import soxr

    converted: Samples = soxr.resample(samples, source_rate, target_rate)
    return converted


def samples_of(sound: bytes) -> Samples:
    """A view of signed 16-bit little-endian bytes; a last odd byte is left out."""
    return np.frombuffer(sound, dtype="<i2", count=len(sound) // 2)


def mono(samples: Samples, channels: int) -> Samples:
    """The mean of interleaved channels."""
    if channels == 1:
        return samples
    whole = samples[: len(samples) // channels * channels]
    mixed: Samples = whole.reshape(-1, channels).mean(axis=1).astype(np.int16)
    return mixed


def to_int16(samples: Floats) -> Samples:
    """Rounded and limited; ``samples`` are in the range of 16 bits."""
    limited: Samples = np.clip(np.rint(samples), -32768, 32767).astype(np.int16)
    return limited


class _Same:
    def push(self, samples: Samples) -> Samples:
        return samples

    def flush(self) -> Samples:
        return np.empty(0, np.int16)


class _Soxr:
    def __init__(self, source_rate: int, target_rate: int) -> None:
        import soxr

        self._stream = soxr.ResampleStream(source_rate, target_rate, 1, dtype="int16")

    def push(self, samples: Samples) -> Samples:
        converted: Samples = self._stream.resample_chunk(samples)
        return converted

    def flush(self) -> Samples:
        converted: Samples = self._stream.resample_chunk(np.empty(0, np.int16), last=True)
        return converted


TAPS_PER_STEP = 32


@lru_cache(maxsize=8)
def _low_pass(factor: int) -> Floats:
    """A Kaiser-windowed sinc that ends at 0.92 of the new Nyquist frequency."""
    count = TAPS_PER_STEP * factor + 1
    offsets = np.arange(count) - (count - 1) / 2
    taps = np.sinc(offsets * 0.92 / factor) * np.kaiser(count, 7.0)
    normalised: Floats = (taps / taps.sum()).astype(np.float32)
    return normalised


class Decimator:
    """Keeps every ``factor``-th sample of a low-passed sound.

    soxr holds back 20 to 30 ms in its FFT blocks, which every answer would pay for; this filter
    delays by one millisecond.
    """

    def __init__(self, factor: int) -> None:
        self._factor = factor
        self._taps = _low_pass(factor)
        # Starts in silence half a filter early, so that output lines up with input.
        self._held: Floats = np.zeros((len(self._taps) - 1) // 2, np.float32)

    def push(self, samples: Samples) -> Samples:
        held = np.concatenate([self._held, samples.astype(np.float32)])
        count = (len(held) - len(self._taps)) // self._factor + 1
        if count <= 0:
            self._held = held
            return np.empty(0, np.int16)
        self._held = held[count * self._factor :]
        filtered = np.zeros(count, np.float32)
        for phase in range(self._factor):
            taps = self._taps[phase :: self._factor]
            filtered += np.correlate(held[phase :: self._factor][: count + len(taps) - 1], taps)
        return to_int16(filtered)

    def flush(self) -> Samples:
        return self.push(np.zeros(len(self._taps) // 2, np.int16))
