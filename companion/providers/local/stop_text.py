"""Texts before which an answer ends, found in pieces."""

from __future__ import annotations

from collections.abc import Sequence


class StopText:
    """Gives on an answer until one of ``stops`` is whole; of them nothing comes out.

    What may be the beginning of one is held back, and no more. Where several become whole with the same letter, the
    longest counts.
    """

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = [stop for stop in stops if stop]
        self._held = ""
        self.has_stopped = False

    def take(self, piece: str) -> str:
        """What of the answer so far may be said. Nothing more comes once it has stopped."""
        if self.has_stopped:
            return ""
        self._held += piece
        found = [(place + len(stop), place) for stop in self._stops if (place := self._held.find(stop)) >= 0]
        self.has_stopped = bool(found)
        kept = min(found)[1] if found else len(self._held) - self._begun()
        said, self._held = self._held[:kept], "" if found else self._held[kept:]
        return said

    def rest(self) -> str:
        """What was held back as the possible beginning of a stop and was none."""
        held, self._held = self._held, ""
        return held

    def _begun(self) -> int:
        """How many letters at the end may be the beginning of a stop."""
        longest = min(max(map(len, self._stops), default=1) - 1, len(self._held))
        ends = (self._held[-size:] for size in range(longest, 0, -1))
        return next((len(end) for end in ends if any(stop.startswith(end) for stop in self._stops)), 0)
