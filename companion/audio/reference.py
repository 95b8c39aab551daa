"""What the loudspeaker really played, at 16 kHz, by the time it left the device."""

from __future__ import annotations

import math
from collections import deque
from typing import Protocol

import numpy as np

from companion.audio.resample import Resampler, Samples, resampler, samples_of
from companion.voice.contract import RATE

KEPT_SECONDS = 4.0
_PENDING_BLOCKS = 500
_SAME_STRETCH = 0.05


class Reference(Protocol):
    """What an echo canceller needs to know of the loudspeaker. Times are monotonic seconds."""

    @property
    def last_sound(self) -> float:
        """When the newest sound that was not silence left, or will leave, the device; -inf for never."""

    @property
    def last_speech(self) -> float:
        """The same of a reply: chimes are sound, but no speech."""

    def read(self, start: float, count: int) -> Samples:
        """``count`` samples at 16 kHz from ``start`` on; zeros where nothing was played or it is forgotten."""


class PlayedSound:
    """A bounded timeline of played sound.

    The audio callback only appends; resampling waits for a reader.
    """

    def __init__(self, *, seconds: float = KEPT_SECONDS) -> None:
        self._pending: deque[tuple[float, int, bytes]] = deque(maxlen=_PENDING_BLOCKS)
        self._ring = np.zeros(int(seconds * RATE), np.int16)
        self._end = 0
        self._next = -math.inf
        self._rate = 0
        self._resampler: Resampler | None = None
        self.last_sound = -math.inf
        self.last_speech = -math.inf

    def played(self, at: float, rate: int, sound: bytes, *, silent: bool, speech: bool = True) -> None:
        """Mono ``sound`` begins to leave the device at ``at``. Called from the audio callback."""
        if not silent:
            self.last_sound = at + len(sound) / 2 / rate
            if speech:
                self.last_speech = self.last_sound
        self._pending.append((at, rate, sound))

    def read(self, start: float, count: int) -> Samples:
        self._take_pending()
        first = round(start * RATE)
        wanted = np.zeros(count, np.int16)
        low = max(first, self._end - len(self._ring))
        high = min(first + count, self._end)
        if low < high:
            places = np.arange(low, high) % len(self._ring)
            wanted[low - first : high - first] = self._ring[places]
        return wanted

    def _take_pending(self) -> None:
        while self._pending:
            at, rate, sound = self._pending.popleft()
            if self._resampler is None or rate != self._rate or abs(at - self._next) > _SAME_STRETCH:
                self._begin_stretch(at, rate)
            assert self._resampler is not None
            self._next += len(sound) / 2 / rate
            self._append(self._resampler.push(samples_of(sound)))

    def _begin_stretch(self, at: float, rate: int) -> None:
        self._resampler, self._rate, self._next = resampler(rate, RATE), rate, at
        begin = round(at * RATE)
        gap = min(max(begin - self._end, 0), len(self._ring))
        self._ring[np.arange(begin - gap, begin) % len(self._ring)] = 0
        # A reading that was too late has put silence here; what comes now belongs here.
        self._end = begin

    def _append(self, samples: Samples) -> None:
        samples = samples[-len(self._ring) :]
        self._ring[np.arange(self._end, self._end + len(samples)) % len(self._ring)] = samples
        self._end += len(samples)
