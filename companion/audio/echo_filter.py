"""Learns the way from the loudspeaker to the microphone, and takes what came along it out of what was heard.

A Kalman filter in the frequency domain, its response cut into partitions of one hop each (Enzner and
Vary, "Frequency-domain adaptive Kalman filter for acoustic echo control in hands-free telephones",
Signal Processing 86, 2006; partitioned as in Kuech, Mabande and Enzner, "State-space architecture of
the partitioned-block-based acoustic echo controller", ICASSP 2014). Its step size follows from how
uncertain it is of each bin and how loud everything else is, so that a voice over the reply does not
lead it astray; and it knows how much echo it may have left behind.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from companion.audio.resample import Floats

HOP = 320
"""Samples that are taken at a time: 20 ms."""
_PARTITIONS = 25
MEMORY = _PARTITIONS * HOP
"""Samples (0.5 s) of the longest way, its room included, that is learned."""
_BINS = HOP + 1
_PRIOR = 0.5
"""Doubt about each bin of each partition before anything is known: more than any room returns, so that it first
trusts nothing."""
_LEAST_DOUBT = 1e-5
"""What is always doubted (-36 dB in all), lest a way that fell silent could never be learned again."""
_HOLDS = 0.995
"""How much of what is known still holds a hop later."""
_SMOOTHING = 0.2
"""Of the power of everything that is not expected, a hop."""
_FIRST_NOISE = 1e6
_ALMOST_NOTHING = 1e-3
"""Keeps a division by silence finite."""

Spectrum = npt.NDArray[np.complex64]


@dataclass(frozen=True, slots=True)
class Cancelled:
    """One hop without its echo. Powers are by frequency, 25 Hz apart, from 0 to 8000 Hz."""

    residual: Floats
    """What is left of the microphone's sound."""
    echo: Floats
    """What was taken out of it."""
    residual_power: Floats
    echo_power: Floats
    expected_power: Floats
    """The residual's power, were there nothing but what the filter knows it has missed."""


class EchoFilter:
    """Follows one loudspeaker and one microphone, both in step at 16 kHz."""

    def __init__(self) -> None:
        self._played: Spectrum = np.zeros((_PARTITIONS, _BINS), np.complex64)
        self._before: Floats = np.zeros(HOP, np.float32)
        self.forget()

    def forget(self) -> None:
        """The way has changed, and nothing is known of it."""
        self._response: Spectrum = np.zeros((_PARTITIONS, _BINS), np.complex64)
        self._doubt: Floats = np.full((_PARTITIONS, _BINS), _PRIOR, np.float32)
        self._noise: Floats = np.full(_BINS, _FIRST_NOISE, np.float32)

    def recall(self, far: Floats) -> None:
        """The last ``MEMORY`` samples that were played before the next hop."""
        hops = np.concatenate([np.zeros(HOP, np.float32), far]).reshape(-1, HOP)
        for before, hop in pairwise(hops):
            self._before = before
            self._remember(hop)

    def cancel(self, near: Floats, far: Floats) -> Cancelled:
        """Take the echo out of one hop. near: as heard; far: as played, in the range of 16 bits."""
        self._remember(far)
        echo = np.fft.irfft((self._played * self._response).sum(axis=0))[HOP:].astype(np.float32)
        residual = near - echo
        spectrum = _of_new_half(residual)
        power, played_power = _power(spectrum), _power(self._played)
        self._noise += _SMOOTHING * (power - self._noise)
        expected = (played_power * self._doubt).sum(axis=0)
        self._learn(spectrum, self._doubt / (expected + self._noise + _ALMOST_NOTHING), played_power)
        # The residual fills half of its transform, so that half of the power shows.
        return Cancelled(residual, echo, power, _power(_of_new_half(echo)), 0.5 * expected)

    def _remember(self, far: Floats) -> None:
        self._played[1:] = self._played[:-1]
        self._played[0] = np.fft.rfft(np.concatenate([self._before, far]))
        self._before = far

    def _learn(self, residual: Spectrum, weight: Floats, played_power: Floats) -> None:
        step = np.fft.irfft(weight * self._played.conj() * residual, axis=1)
        # A partition is one hop long: what the circular transform wraps around into its second half is no part of it.
        step[:, HOP:] = 0
        self._response += np.fft.rfft(step, axis=1)
        # Half of each transform is new, so that one hop teaches half of what it holds.
        self._doubt *= _HOLDS**2 * (1 - 0.5 * weight * played_power)
        self._doubt += np.float32(1 - _HOLDS**2) * _power(self._response)
        np.maximum(self._doubt, _LEAST_DOUBT, out=self._doubt)


def _of_new_half(samples: Floats) -> Spectrum:
    return np.fft.rfft(np.concatenate([np.zeros(HOP, np.float32), samples])).astype(np.complex64, copy=False)


def _power(spectrum: Spectrum) -> Floats:
    power: Floats = spectrum.real**2 + spectrum.imag**2
    return power
