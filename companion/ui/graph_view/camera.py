"""Which part of the picture is seen, and how large: from its own units to pixels and back. Pure; no Qt."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

LEAST_ZOOM, MOST_ZOOM = 0.02, 4.0
MARGIN = 56.0
"""Pixels left free around what was fitted."""
CLOSEST_FIT = 1.4
"""Few dots are not blown up beyond this."""


class Box(NamedTuple):
    """A part of a plane, ``left`` to ``right`` and ``top`` to ``bottom``."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def grown(self, by: float) -> Box:
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.top <= y <= self.bottom


def box_around(points: Iterable[tuple[float, float]]) -> Box:
    """The least box that holds them; a small one around zero for none."""
    found = list(points)
    if not found:
        return Box(-1.0, -1.0, 1.0, 1.0)
    xs, ys = [x for x, _ in found], [y for _, y in found]
    return Box(min(xs), min(ys), max(xs), max(ys))


@dataclass(frozen=True, slots=True)
class Camera:
    """x, y: what is in the middle of the view. zoom: pixels per unit. width, height: of the view, in pixels."""

    x: float = 0.0
    y: float = 0.0
    zoom: float = 1.0
    width: float = 1.0
    height: float = 1.0

    def to_screen(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.x) * self.zoom + self.width / 2, (y - self.y) * self.zoom + self.height / 2

    def to_world(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.width / 2) / self.zoom + self.x, (y - self.height / 2) / self.zoom + self.y

    @property
    def seen(self) -> Box:
        """What is in view."""
        left, top = self.to_world(0, 0)
        right, bottom = self.to_world(self.width, self.height)
        return Box(left, top, right, bottom)

    def sized(self, width: float, height: float) -> Camera:
        return replace(self, width=max(width, 1.0), height=max(height, 1.0))

    def panned(self, dx: float, dy: float) -> Camera:
        """The picture moved by so many pixels."""
        return replace(self, x=self.x - dx / self.zoom, y=self.y - dy / self.zoom)

    def zoomed(self, factor: float, at: tuple[float, float]) -> Camera:
        """Larger or smaller by ``factor``; what is at that pixel stays there."""
        zoom = min(max(self.zoom * factor, LEAST_ZOOM), MOST_ZOOM)
        x, y = self.to_world(*at)
        return replace(self, zoom=zoom, x=x - (at[0] - self.width / 2) / zoom, y=y - (at[1] - self.height / 2) / zoom)

    def kept_within(self, box: Box) -> Camera:
        """So that some of ``box`` stays in view."""
        x = min(max(self.x, box.left), box.right)
        y = min(max(self.y, box.top), box.bottom)
        return self if (x, y) == (self.x, self.y) else replace(self, x=x, y=y)

    def fitted(self, box: Box) -> Camera:
        """So that all of ``box`` is in view."""
        wide = max(self.width - 2 * MARGIN, 1.0) / max(box.width, 1e-6)
        high = max(self.height - 2 * MARGIN, 1.0) / max(box.height, 1e-6)
        zoom = min(max(min(wide, high, CLOSEST_FIT), LEAST_ZOOM), MOST_ZOOM)
        return replace(self, zoom=zoom, x=(box.left + box.right) / 2, y=(box.top + box.bottom) / 2)

    def showing(self, x: float, y: float, margin: float = MARGIN) -> Camera:
        """Moved as little as is needed to have that point in view."""
        at = self.to_screen(x, y)
        dx = _back_in(at[0], self.width, margin)
        dy = _back_in(at[1], self.height, margin)
        return self.panned(dx, dy) if dx or dy else self


def _back_in(at: float, size: float, margin: float) -> float:
    margin = min(margin, size / 2)
    return min(max(at, margin), size - margin) - at


def best_in_direction(
    start: tuple[float, float], others: Iterable[tuple[int, float, float]], direction: tuple[float, float]
) -> int | None:
    """Who of ``others`` (id, x, y) stands nearest in that direction, a quarter turn wide; None where nobody does."""
    best: tuple[float, int] | None = None
    for number, x, y in others:
        dx, dy = x - start[0], y - start[1]
        along = dx * direction[0] + dy * direction[1]
        across = abs(dx * direction[1] - dy * direction[0])
        if along <= 1e-6 or across > along:
            continue
        worth = math.hypot(along, 2 * across)
        if best is None or worth < best[0]:
            best = (worth, number)
    return None if best is None else best[1]
