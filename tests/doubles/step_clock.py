"""A clock that stands still until the test moves it."""

from __future__ import annotations

from collections.abc import Callable


class _Alarm:
    def __init__(self, at: int, wake: Callable[[], None]) -> None:
        self.at = at
        self.wake = wake
        self.is_set = True

    def cancel(self) -> None:
        self.is_set = False


class StepClock:
    """Milliseconds. It may be set back."""

    def __init__(self, now: int = 0) -> None:
        self._now = now
        self._alarms: list[_Alarm] = []

    def now(self) -> int:
        return self._now

    def call_at(self, at: int, wake: Callable[[], None]) -> _Alarm:
        alarm = _Alarm(at, wake)
        self._alarms.append(alarm)
        return alarm

    @property
    def alarms(self) -> list[int]:
        """When somebody wants to be woken."""
        return [alarm.at for alarm in self._alarms if alarm.is_set]

    def set(self, now: int) -> None:
        self._now = now
        due = [alarm for alarm in self._alarms if alarm.is_set and alarm.at <= now]
        for alarm in due:
            alarm.cancel()
            alarm.wake()
