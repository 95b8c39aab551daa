"""How long the steps of one turn take, by the clock."""

from __future__ import annotations

from collections.abc import Callable

from companion.voice.events import TurnTimed


class Stopwatch:
    """Marks of the newest turn. Steps that began early count as nothing."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.turn = 0
        self._marks: dict[str, float] = {}

    def begin(self, turn: int, silent_for: float) -> None:
        """A recognition starts; the voice ended ``silent_for`` seconds ago."""
        now = self._clock()
        self.turn = turn
        self._marks = {"voice_ended": now - silent_for, "asked": now}

    def mark(self, turn: int, step: str) -> None:
        """That step is done, for the first time."""
        if turn == self.turn:
            self._marks.setdefault(step, self._clock())

    def read(self, turn: int) -> TurnTimed | None:
        """The steps, once, when the first sound is heard; None for what was no turn."""
        marks = self._marks
        if turn != self.turn or "turn_ended" not in marks or "first_sound" in marks:
            return None
        sound = self._clock()
        marks["first_sound"] = sound
        ended = marks["turn_ended"]
        token = max(marks.get("first_token", ended), ended)
        return TurnTimed(
            wait=ended - marks["voice_ended"],
            recogniser=marks.get("recognised", ended) - marks["asked"],
            first_token=token - ended,
            first_sound=sound - token,
            total=sound - marks["voice_ended"],
        )
