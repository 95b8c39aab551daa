"""Gives everybody in a look at the graph a place, off the event loop, and keeps those who had one where they were."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from companion.app.minding.desks import Row
from companion.stream.threads import finish_in_thread
from companion.talents.memory_phrases import name_in_words

if TYPE_CHECKING:
    from companion.memory.graph.sight import Sight

MOST_PLACES = 10_000
"""That are kept; with more the picture begins anew."""
_SAME = 0.6
"""The share of known places from which on a picture is the one before, with a change."""

Place = tuple[float, float]


class Arranging:
    """One picture at a time."""

    def __init__(self) -> None:
        self._places: dict[int, Place] = {}
        self._count = 0
        """Nodes of the picture before."""

    def put(self, number: int, x: float, y: float) -> None:
        """Somebody stands there from now on."""
        if number in self._places:
            self._places[number] = (x, y)

    async def arranged(self, sight: Sight, language: str) -> Row:
        """The picture as JSON has it: columns and rows of nodes and of what ties them. language: of the labels."""
        known = [self._places.get(node.id) for node in sight.nodes]
        is_same = _is_same(known, self._count)
        row, places = await finish_in_thread(lambda: _arranged(sight, known if is_same else None, language))
        if not is_same or len(self._places) > MOST_PLACES:
            self._places.clear()
        self._places |= places
        self._count = len(places)
        return row


def _is_same(known: list[Place | None], before: int) -> bool:
    there = sum(place is not None for place in known)
    return there > _SAME * len(known) and there > _SAME * before


def _arranged(sight: Sight, known: list[Place | None] | None, language: str) -> tuple[Row, dict[int, Place]]:
    import numpy as np

    from companion.memory.places import lay_out

    number = {node.id: place for place, node in enumerate(sight.nodes)}
    pairs = {(number[tie.source], number[tie.target]) for tie in sight.ties}
    ends = np.array(sorted(pairs), dtype=np.intp).reshape(-1, 2)
    before = None if known is None else np.array([place or (math.nan, math.nan) for place in known])
    places = [(round(float(x), 1), round(float(y), 1)) for x, y in lay_out(len(number), ends, known=before)]
    nodes = [
        [*node, *place, name_in_words(node.name, language)] for node, place in zip(sight.nodes, places, strict=True)
    ]
    row: Row = {
        "centre": sight.centre,
        "total": sight.total,
        "nodes": {"columns": ["id", "name", "kind", "mentions", "x", "y", "label"], "rows": nodes},
        "ties": {"columns": [*_TIE], "rows": [list(tie) for tie in sight.ties]},
    }
    return row, dict(zip(number, places, strict=True))


_TIE = ("id", "source", "target", "relation", "confidence", "said_at", "valid_from", "valid_until", "pinned")
