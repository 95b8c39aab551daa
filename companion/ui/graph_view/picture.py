"""What the picture of the graph holds: dots and lines, and which of them are there at a moment. Pure; no Qt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple, cast

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


def picture_of(row: Mapping[str, object]) -> Picture:
    """The picture in an answer of the desk."""
    nodes, ties = _rows(row, "nodes"), _rows(row, "ties")
    most = max((node["mentions"] for node in nodes), default=1)
    dots = {node["id"]: _dot(node, most) for node in nodes}
    centre = row.get("centre")
    return Picture(
        centre if isinstance(centre, int) else None,
        cast(int, row.get("total", len(dots))),
        dots,
        tuple(_lines(ties)),
    )


def _rows(row: Mapping[str, object], name: str) -> list[dict[str, Any]]:
    table = cast(Mapping[str, Sequence[Any]], row[name])
    return [dict(zip(table["columns"], one, strict=True)) for one in table["rows"]]


def _dot(node: Mapping[str, Any], most: int) -> Dot:
    share = math.sqrt(max(node["mentions"], 0) / max(most, 1))
    radius = LEAST_RADIUS + (MOST_RADIUS - LEAST_RADIUS) * share
    return Dot(node["id"], node["name"], Shape(node["kind"]), node["mentions"], node["x"], node["y"], radius)


def _lines(ties: Iterable[Mapping[str, Any]]) -> list[Line]:
    """One line for all that two have between them, whichever way."""
    between: dict[tuple[int, int], list[Mapping[str, Any]]] = {}
    for tie in ties:
        ends = (tie["source"], tie["target"])
        between.setdefault(ends if ends[::-1] not in between else ends[::-1], []).append(tie)
    return [_line(ends, facts) for ends, facts in between.items()]


def _line(ends: tuple[int, int], facts: Sequence[Mapping[str, Any]]) -> Line:
    ends_at = [fact["valid_until"] for fact in facts]
    return Line(
        *ends,
        tuple(dict.fromkeys(fact["relation"] for fact in facts)),
        max(fact["confidence"] for fact in facts),
        min(fact["said_at"] if fact["valid_from"] is None else fact["valid_from"] for fact in facts),
        None if None in ends_at else max(ends_at),
    )


class Standing(StrEnum):
    """How a line or a dot stands at a moment."""

    HELD = "held"
    ENDED = "ended"
    NOT_YET = "not yet"


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
    dots = dict.fromkeys(picture.dots, Standing.NOT_YET if moment is not None else Standing.HELD)
    tied: dict[int, Standing] = {}
    for line, stands in zip(picture.lines, lines, strict=True):
        for end in (line.source, line.target):
            tied[end] = min(tied.get(end, Standing.NOT_YET), stands, key=_ORDER.index)
    return lines, dots | tied


_ORDER = [Standing.HELD, Standing.ENDED, Standing.NOT_YET]
