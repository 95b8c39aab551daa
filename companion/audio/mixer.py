"""What goes to the loudspeaker next: queued speech under a moving gain, and chimes over it.

The event loop queues; the audio callback calls ``render``. They share nothing but deques and single
attributes, each written by one side.
"""

from __future__ import annotations

from collections import deque

import numpy as np
import numpy.typing as npt

from companion.audio.resample import Floats, Samples, resample, to_int16

DUCK_SECONDS = 0.03
HUSH_SECONDS = 0.03
DUCKED_GAIN = 0.03
"""-30 dB: still there, but no longer in the way."""
SILENT_BELOW = 32
"""Samples smaller than this (-60 dBFS) count as silence."""
_MOST_CHIMES = 4


class Mixer:
    """One reply and a few chimes at ``rate`` hertz, mono."""

    def __init__(self, rate: int) -> None:
        self.rate = rate
        self.volume = 1.0
        self.taken = 0
        """Frames of the reply handed to the device."""
        self.starved = 0
        """How often the reply had begun, was not finished, and nothing was queued."""
        self.first_loud: int | None = None
        """Frame of the reply that was the first not to be silence."""
        self._queue: deque[Samples] = deque()
        self._queued = 0
        self._chimes: deque[Floats] = deque(maxlen=_MOST_CHIMES)
        self._gain = 1.0
        self._target = 1.0
        self._ramp = HUSH_SECONDS
        self._ducked_at: int | None = None
        self._hushed = False
        self._finished = True
        self._dry = False

    @property
    def is_idle(self) -> bool:
        """Whether nothing more will sound."""
        return self.reply_ended and not self._chimes

    @property
    def reply_ended(self) -> bool:
        """Whether the reply has been handed over to its last sample, or has been hushed."""
        return self._finished and not self._queue

    @property
    def is_hushed(self) -> bool:
        return self._hushed

    @property
    def waiting_seconds(self) -> float:
        """Sound of the reply that the device has not taken yet."""
        return (self._queued - self.taken) / self.rate

    @property
    def heard_seconds(self) -> float:
        """How much of the reply a listener could follow: up to where it was ducked for good."""
        heard = self.taken if self._ducked_at is None else min(self._ducked_at, self.taken)
        return heard / self.rate

    @property
    def queued_seconds(self) -> float:
        """How much of the reply has been queued so far."""
        return self._queued / self.rate

    def begin(self) -> None:
        """A new reply: full gain, counters from nought."""
        self._queue.clear()
        self.taken = self._queued = 0
        self._gain = self._target = 1.0
        self._ducked_at = self.first_loud = None
        self._hushed = self._finished = self._dry = False

    def add(self, samples: Samples) -> None:
        """Queue more of the reply."""
        if len(samples) and not self._hushed:
            self._queued += len(samples)
            self._queue.append(samples)

    def finish(self) -> None:
        """No more of the reply will come."""
        self._finished = True

    def duck(self) -> None:
        if self._ducked_at is None and not self._hushed:
            self._ducked_at = self.taken
            self._ramp_to(DUCKED_GAIN, DUCK_SECONDS)

    def unduck(self) -> None:
        if not self._hushed:
            self._ducked_at = None
            self._ramp_to(1.0, DUCK_SECONDS)

    def hush(self) -> None:
        self._hushed = self._finished = True
        self._ramp_to(0.0, HUSH_SECONDS)

    def chime(self, samples: Samples) -> None:
        """Mix a short sound over whatever plays."""
        self._chimes.append(samples.astype(np.float32))

    def change_rate(self, rate: int) -> None:
        """Go on at another rate. Only while nobody calls ``render``."""
        if rate == self.rate:
            return
        ratio = rate / self.rate
        waiting = [resample(samples, self.rate, rate) for samples in self._queue]
        self.taken = round(self.taken * ratio)
        self._queued = self.taken + sum(len(samples) for samples in waiting)
        if self._ducked_at is not None:
            self._ducked_at = round(self._ducked_at * ratio)
        self._queue = deque(waiting)
        self._chimes.clear()
        self.rate = rate

    def render(self, frames: int) -> tuple[bytes, bool]:
        """The next ``frames``, and whether they are silence. Audio callback only."""
        if self.is_idle or not frames:
            return bytes(2 * frames), True
        mixed = self._reply(frames)
        self._mix_chimes(mixed)
        # People turn a knob by loudness, which goes with about the square of the amplitude.
        samples = to_int16(mixed * np.float32(self.volume**2))
        return samples.tobytes(), not _is_loud(samples).any()

    def _reply(self, frames: int) -> Floats:
        mixed = np.zeros(frames, np.float32)
        filled = 0
        while filled < frames and self._queue:
            head = self._queue[0]
            part = head[: frames - filled]
            mixed[filled : filled + len(part)] = part
            filled += len(part)
            if len(part) == len(head):
                self._queue.popleft()
            else:
                self._queue[0] = head[len(part) :]
        self._note_starving(filled < frames)
        if self.first_loud is None and _is_loud(mixed).any():
            self.first_loud = self.taken + int(_is_loud(mixed).argmax())
        self.taken += filled
        if self._gain != 1.0 or self._target != 1.0:
            mixed *= self._gains(frames)
        if self._hushed and self._gain == 0.0:
            self._queue.clear()
        return mixed

    def _note_starving(self, dry: bool) -> None:
        starving = dry and not self._finished and self.taken > 0
        if starving and not self._dry:
            self.starved += 1
        self._dry = starving

    def _gains(self, frames: int) -> Floats:
        step = np.float32((1.0 if self._target > self._gain else -1.0) / (self._ramp * self.rate))
        ramp: Floats = self._gain + step * np.arange(1, frames + 1, dtype=np.float32)
        low, high = sorted((self._gain, self._target))
        ramp = np.clip(ramp, low, high)
        self._gain = float(ramp[-1])
        return ramp

    def _ramp_to(self, gain: float, seconds: float) -> None:
        self._target, self._ramp = gain, seconds

    def _mix_chimes(self, mixed: Floats) -> None:
        for _ in range(len(self._chimes)):
            chime = self._chimes.popleft()
            part = chime[: len(mixed)]
            mixed[: len(part)] += part
            if len(chime) > len(part):
                self._chimes.append(chime[len(part) :])


def _is_loud(samples: Samples | Floats) -> npt.NDArray[np.bool_]:
    return (samples >= SILENT_BELOW) | (samples <= -SILENT_BELOW)
