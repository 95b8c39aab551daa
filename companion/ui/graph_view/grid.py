"""Finds what lies in a part of the picture without looking at the whole of it. Pure; no Qt."""

from __future__ import annotations

import math
from collections.abc import Iterator

from companion.ui.graph_view.camera import Box, box_around
from companion.ui.graph_view.picture import Line, Picture

CELLS = 40
"""Along the longer side."""

Cell = tuple[int, int]


class Grid:
    """Over one picture; made anew for another. Finds what ``fill`` has put in."""

    def __init__(self, picture: Picture) -> None:
        self.box = box_around((dot.x, dot.y) for dot in picture.dots.values())
        self._size = max(self.box.width, self.box.height, 1.0) / CELLS
        self._picture = picture
        self._dots: dict[Cell, list[int]] = {}
        self._lines: dict[Cell, list[int]] = {}

    def fill(self) -> Iterator[None]:
        """Put everything in, one thing a step."""
        for dot in self._picture.dots.values():
            self._dots.setdefault(self._cell(dot.x, dot.y), []).append(dot.id)
            yield
        for place, line in enumerate(self._picture.lines):
            for cell in self._cells_along(line):
                self._lines.setdefault(cell, []).append(place)
            yield

    def share(self, box: Box) -> float:
        """How much of the whole picture lies in a part of it, 0 to 1."""
        wide = min(box.right, self.box.right) - max(box.left, self.box.left)
        high = min(box.bottom, self.box.bottom) - max(box.top, self.box.top)
        whole = max(self.box.width, 1.0) * max(self.box.height, 1.0)
        return min(max(wide, 0.0) * max(high, 0.0) / whole, 1.0)

    def dots_in(self, box: Box) -> list[int]:
        """Those whose middle may be within: no fewer, and some more."""
        return [number for cell in self._cells_in(box) for number in self._dots.get(cell, ())]

    def lines_in(self, box: Box) -> set[int]:
        """The places of lines that may cross it."""
        found: set[int] = set()
        for some in self.lines_by_cell(box):
            found.update(some)
        return found

    def lines_by_cell(self, box: Box) -> Iterator[list[int]]:
        """The same cell by cell, with those that lead through several in each."""
        return (self._lines[cell] for cell in self._cells_in(box) if cell in self._lines)

    def nearest(self, x: float, y: float, within: float) -> int | None:
        """Whose dot is there, or no further from there than ``within``."""
        dots = self._picture.dots
        best: tuple[float, int] | None = None
        for number in self.dots_in(Box(x, y, x, y).grown(within + 2 * self._size)):
            dot = dots[number]
            away = math.hypot(dot.x - x, dot.y - y) - dot.radius
            if away <= within and (best is None or away < best[0]):
                best = (away, number)
        return None if best is None else best[1]

    def _cell(self, x: float, y: float) -> Cell:
        return int((x - self.box.left) // self._size), int((y - self.box.top) // self._size)

    def _cells_in(self, box: Box) -> Iterator[Cell]:
        left, top = self._cell(box.left, box.top)
        right, bottom = self._cell(box.right, box.bottom)
        for column in range(max(left, 0), min(right, CELLS) + 1):
            for row in range(max(top, 0), min(bottom, CELLS) + 1):
                yield column, row

    def _cells_along(self, line: Line) -> set[Cell]:
        """The cells a line leads through; a step is half a cell, and a corner that is cut is no loss to the eye."""
        source, target = self._picture.dots[line.source], self._picture.dots[line.target]
        steps = max(1, math.ceil(2 * math.hypot(target.x - source.x, target.y - source.y) / self._size))
        return {
            self._cell(source.x + (target.x - source.x) * at / steps, source.y + (target.y - source.y) * at / steps)
            for at in range(steps + 1)
        }
