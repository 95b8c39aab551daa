"""Makes a picture of an answer of the desk, a little at a time, so that nothing waits for thousands of dots. No Qt."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from companion.ui.graph_view.grid import Grid
from companion.ui.graph_view.picture import USER, Dot, Line, Picture, Shape, radius_of

AT_ONCE = 100
"""Things that are looked at before others have their turn."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture, and what finds things in it."""

    picture: Picture
    grid: Grid
    ranked: tuple[int, ...]
    """The dots, those with the most mentions first."""


class _Tie(NamedTuple):
    id: int
    source: int
    target: int
    relation: str
    confidence: float
    said_at: int
    valid_from: int | None
    valid_until: int | None
    pinned: bool


Work = Generator[None, None, Drawing]


def draft(row: Mapping[str, object], *, you: str = USER) -> Work:
    """The drawing of an answer; pauses now and then. you: what the user is called in the picture."""
    nodes, ties = _rows(row, "nodes"), _rows(row, "ties")
    most = max((node[3] for node in nodes), default=1)
    dots: dict[int, Dot] = {}
    for place, node in enumerate(nodes):
        number, name, kind, mentions, x, y, label = node
        label = you if name == USER else label
        dots[number] = Dot(number, name, label, Shape(kind), mentions, x, y, radius_of(mentions, most))
        if place % AT_ONCE == 0:
            yield
    lines = yield from _lines(ties)
    centre, total = row.get("centre"), row.get("total")
    picture = Picture(
        centre if isinstance(centre, int) else None, total if isinstance(total, int) else len(dots), dots, tuple(lines)
    )
    return (yield from redraft(picture))


def redraft(picture: Picture) -> Work:
    """The drawing of a picture that is there."""
    grid = Grid(picture)
    for _ in _paced(grid.fill()):
        yield
    ranked = sorted(picture.dots.values(), key=lambda dot: (-dot.mentions, dot.id))
    return Drawing(picture, grid, tuple(dot.id for dot in ranked))


def finished(work: Work) -> Drawing:
    """All of it at once."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return cast(Drawing, end.value)


def _rows(row: Mapping[str, object], name: str) -> Sequence[Sequence[Any]]:
    table = cast(Mapping[str, Sequence[Any]], row.get(name, {}))
    return table.get("rows", ())


def _lines(ties: Sequence[Sequence[Any]]) -> Generator[None, None, list[Line]]:
    """One line for all that two have between them, whichever way."""
    between: dict[tuple[int, int], list[_Tie]] = {}
    for place, one in enumerate(ties):
        tie = _Tie(*one)
        ends = (min(tie.source, tie.target), max(tie.source, tie.target))
        between.setdefault(ends, []).append(tie)
        if place % AT_ONCE == 0:
            yield
    lines: list[Line] = []
    for place, facts in enumerate(between.values()):
        lines.append(_line(facts))
        if place % AT_ONCE == 0:
            yield
    return lines


def _line(facts: Sequence[_Tie]) -> Line:
    ends_at = [fact.valid_until for fact in facts]
    last = [end for end in ends_at if end is not None]
    return Line(
        facts[0].source,
        facts[0].target,
        tuple(dict.fromkeys(fact.relation for fact in facts)),
        max(fact.confidence for fact in facts),
        min(fact.said_at if fact.valid_from is None else fact.valid_from for fact in facts),
        max(last) if len(last) == len(ends_at) else None,
    )


def _paced(steps: Iterator[None]) -> Iterator[None]:
    for place, _ in enumerate(steps):
        if place % AT_ONCE == 0:
            yield
