"""How high the rows of a long list are: guessed until a row is seen, and then measured. Pure; no Qt."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate


class Heights:
    """Whole pixels. ``measured`` rows are known, others are guesses."""

    def __init__(self) -> None:
        self._heights: list[int] = []
        self._known: list[bool] = []
        self._ends: list[int] | None = None
        """Where each row ends; None while that is to be summed up."""

    def __len__(self) -> int:
        return len(self._heights)

    @property
    def total(self) -> int:
        ends = self._summed()
        return ends[-1] if ends else 0

    def height(self, row: int) -> int:
        return self._heights[row]

    def is_known(self, row: int) -> bool:
        """Whether it was measured."""
        return self._known[row]

    def top(self, row: int) -> int:
        """Where the row begins; behind the last one for the number of rows."""
        return self._summed()[row - 1] if row else 0

    def at(self, y: int) -> int:
        """The row at ``y``; the first or last one beyond the ends, -1 where there are none."""
        if not self._heights:
            return -1
        return min(max(bisect_right(self._summed(), y), 0), len(self._heights) - 1)

    def insert(self, row: int, guesses: Iterable[int]) -> None:
        """New rows before ``row``."""
        fresh = list(guesses)
        self._heights[row:row] = fresh
        self._known[row:row] = [False] * len(fresh)
        self._ends = None

    def remove(self, row: int, count: int) -> None:
        """Take rows out."""
        del self._heights[row : row + count]
        del self._known[row : row + count]
        self._ends = None

    def measured(self, row: int, height: int) -> int:
        """The row is so high; by how much it was guessed wrong."""
        off = height - self._heights[row]
        self._known[row] = True
        if off:
            self._heights[row] = height
            self._ends = None
        return off

    def doubt(self, row: int) -> None:
        """The row is to be measured anew; until then it is as high as it was."""
        self._known[row] = False

    def reset(self, guesses: Iterable[int]) -> None:
        """All rows anew."""
        self._heights = list(guesses)
        self._known = [False] * len(self._heights)
        self._ends = None

    def _summed(self) -> list[int]:
        if self._ends is None:
            self._ends = list(accumulate(self._heights))
        return self._ends
