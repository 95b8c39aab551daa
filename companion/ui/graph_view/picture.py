"""What the picture of the graph holds: dots and lines, and which of them are there at a moment. Pure; no Qt."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from typing import NamedTuple

USER = "user"
"""The name of whoever the companion belongs to."""
LEAST_RADIUS, MOST_RADIUS = 7.0, 24.0
"""Units; a unit is a pixel at 100 %."""


class Shape(StrEnum):
    """How somebody or something is drawn, by what it is."""

    PERSON = "person"
    PLACE = "place"
    DATE = "date"
    THING = "thing"


class Dot(NamedTuple):
    """Somebody or something."""

    id: int
    name: str
    label: str
    """The name as it is shown."""
    shape: Shape
    mentions: int
    x: float
    y: float
    radius: float


class Line(NamedTuple):
    """All that two have between them. Times are milliseconds since 1970; None: none is told."""

    source: int
    target: int
    relations: tuple[str, ...]
    confidence: float
    since: int
    """When the first of it was said, or began."""
    until: int | None
    """When the last of it ended."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A look at the graph. total: everybody there is anything known of, shown or not."""

    centre: int | None = None
    total: int = 0
    dots: Mapping[int, Dot] = field(default_factory=dict)
    lines: tuple[Line, ...] = ()

    @property
    def rest(self) -> int:
        """How many are not shown."""
        return max(0, self.total - len(self.dots))

    def named(self, name: str) -> Dot | None:
        """Whoever has that name."""
        key = name.casefold()
        return next((dot for dot in self.dots.values() if dot.name.casefold() == key), None)

    def neighbours(self, number: int) -> list[int]:
        """Whom somebody is tied to."""
        found: dict[int, None] = {}
        for line in self.lines:
            if line.source == number:
                found[line.target] = None
            elif line.target == number:
                found[line.source] = None
        return list(found)

    def moved(self, number: int, x: float, y: float) -> Picture:
        """With somebody at another place."""
        dots = dict(self.dots)
        dots[number] = dots[number]._replace(x=x, y=y)
        return replace(self, dots=dots)


EMPTY = Picture()


def radius_of(mentions: int, most: int) -> float:
    """Who is mentioned often is large; the area tells, as the eye compares areas."""
    share = math.sqrt(max(mentions, 0) / max(most, 1))
    return LEAST_RADIUS + (MOST_RADIUS - LEAST_RADIUS) * share


class Standing(IntEnum):
    """How a line or a dot stands at a moment, the best first."""

    HELD = 0
    ENDED = 1
    NOT_YET = 2


def standing(line: Line, moment: int | None, now: int) -> Standing:
    """At ``moment``, or now where that is None: what was learned since then is not there yet."""
    at = now if moment is None else moment
    if moment is not None and line.since > at:
        return Standing.NOT_YET
    if line.until is not None and line.until <= at:
        return Standing.ENDED
    return Standing.HELD


def standings(picture: Picture, moment: int | None, now: int) -> tuple[list[Standing], dict[int, Standing]]:
    """Of every line, in order, and of every dot: it stands as the best of its lines."""
    lines = [standing(line, moment, now) for line in picture.lines]
    dots: dict[int, Standing] = {}
    for line, stands in zip(picture.lines, lines, strict=True):
        for end in (line.source, line.target):
            if dots.get(end, Standing.NOT_YET) >= stands:
                dots[end] = stands
    alone = Standing.NOT_YET if moment is not None else Standing.HELD
    return lines, dict.fromkeys(picture.dots, alone) | dots
