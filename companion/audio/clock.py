"""When a sample was heard: from the sample clock to the machine's monotonic clock."""

from __future__ import annotations

from collections import deque

from companion.voice.contract import RATE

_SECONDS = 8
_SEGMENTS = 8


class ArrivalClock:
    """Maps positions on the sample clock to monotonic seconds.

    Sound arrives late and in bursts, never early: the smallest lag of the last few seconds is the
    truth, and the window lets it follow two clocks that drift apart.
    """

    def __init__(self, rate: int = RATE) -> None:
        self._rate = rate
        self._lags: deque[float] = deque(maxlen=_SEGMENTS)
        self._segment_end = 0

    def arrived(self, position: int, now: float) -> None:
        """The samples before ``position`` had arrived at ``now``."""
        lag = now - position / self._rate
        if not self._lags or position >= self._segment_end:
            self._lags.append(lag)
            self._segment_end = position + self._rate * _SECONDS // _SEGMENTS
        else:
            self._lags[-1] = min(self._lags[-1], lag)

    def restart(self) -> None:
        """Sound was lost: what was known of the lag is void."""
        self._lags.clear()

    def time_of(self, milliseconds: int) -> float | None:
        """Monotonic seconds at which that moment of the sample clock was heard; None before any sound."""
        return min(self._lags) + milliseconds / 1000 if self._lags else None
