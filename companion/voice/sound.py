"""The newest sound, and the time it tells."""

from __future__ import annotations

from collections.abc import Callable

from companion.voice.contract import BYTES_PER_SECOND, RATE


class SampleClock:
    """Seconds of sound heard; while the ears are silent, the clock handed in helps out. Never runs backwards."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seen = clock()
        self.at = 0.0

    def hear(self, seconds: float) -> tuple[float, float]:
        """Sound came in: where it begins and ends."""
        self._seen = self._clock()
        began, self.at = self.at, self.at + seconds
        return began, self.at

    def tick(self) -> float:
        """No sound comes in: go by the clock."""
        now = self._clock()
        self.at += max(now - self._seen, 0.0)
        self._seen = now
        return self.at


class SoundBuffer:
    """The newest ``keep`` seconds of sound; what is older is dropped."""

    def __init__(self, keep: float) -> None:
        self.keep = keep
        self._sound = bytearray()
        self._began = 0
        """Sample at which ``_sound`` begins."""

    def __len__(self) -> int:
        return len(self._sound)

    def add(self, sound: bytes, began: float) -> None:
        """Append sound that begins at ``began``; a gap before it becomes silence."""
        gap = round(began * RATE) - self._began - len(self._sound) // 2
        if gap > self.keep * RATE:
            self._sound.clear()
        elif gap > 0:
            self._sound += bytes(2 * gap)
        if not self._sound:
            self._began = round(began * RATE)
        self._sound += sound
        # Dropped in big steps: each costs a copy of what stays.
        if len(self._sound) > self._limit() + 4 * BYTES_PER_SECOND:
            self._drop()

    def cut(self, began: float, ended: float) -> bytes:
        """The sound between two times, as far as it is kept."""
        first = max(round(began * RATE) - self._began, 0)
        last = max(round(ended * RATE) - self._began, first)
        return bytes(self._sound[2 * first : 2 * last])

    def clear(self) -> None:
        self._sound.clear()

    def _limit(self) -> int:
        return 2 * round(self.keep * RATE)

    def _drop(self) -> None:
        surplus = len(self._sound) - self._limit()
        del self._sound[:surplus]
        self._began += surplus // 2
