"""Chunks in the order of their time; those of one time in the order they came."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable
from typing import NamedTuple

from companion.stream.chunk import MessageChunk
from companion.stream.growing import Limit, weight


class Timed(NamedTuple):
    """A chunk with its place: ``at`` is milliseconds on the sample clock."""

    at: int
    sequence: int
    weight: int
    chunk: MessageChunk


class Timeline:
    """A bounded, sorted buffer. It says when it is too full; its owner says what goes."""

    def __init__(self, limit: Limit) -> None:
        self._items: list[Timed] = []
        self._bytes = 0
        self._sequence = 0
        self._limit = limit

    def __len__(self) -> int:
        return len(self._items)

    @property
    def first(self) -> Timed | None:
        return self._items[0] if self._items else None

    @property
    def is_too_full(self) -> bool:
        return len(self._items) > self._limit.items or self._bytes > self._limit.bytes

    def add(self, chunk: MessageChunk, at: int) -> Timed:
        timed = Timed(at, self._sequence, weight(chunk), chunk)
        self._sequence += 1
        self._bytes += timed.weight
        insort(self._items, timed)
        return timed

    def pop(self) -> Timed:
        """Take the first one; there must be one."""
        return self._taken(0)

    def pop_first(self, is_wanted: Callable[[Timed], bool]) -> Timed | None:
        """Take the first one that is wanted."""
        for index, timed in enumerate(self._items):
            if is_wanted(timed):
                return self._taken(index)
        return None

    def pop_all(self, is_wanted: Callable[[Timed], bool], *, before: int | None = None) -> list[Timed]:
        """Take all that are wanted, in order; of those ``before`` a time, if that is given."""
        stop = len(self._items) if before is None else bisect_left(self._items, before, key=_time_of)
        taken: list[Timed] = []
        kept: list[Timed] = []
        for timed in self._items[:stop]:
            (taken if is_wanted(timed) else kept).append(timed)
        if taken:
            self._items[:stop] = kept
            self._bytes -= sum(timed.weight for timed in taken)
        return taken

    def remove(self, unwanted: Iterable[Timed]) -> None:
        gone = {timed.sequence for timed in unwanted}
        self.pop_all(lambda timed: timed.sequence in gone)

    def has_room(self, chunks: Iterable[MessageChunk], beside: Callable[[Timed], bool]) -> bool:
        """Would ``chunks`` find room if of what waits only this stayed ``beside`` them?"""
        weights = [*map(weight, chunks), *(timed.weight for timed in self._items if beside(timed))]
        return len(weights) <= self._limit.items and sum(weights) <= self._limit.bytes

    def of(self, stream_id: str) -> list[Timed]:
        """What waits of one route, in order."""
        return [timed for timed in self._items if timed.chunk.stream_id == stream_id]

    def stream_ids(self, is_wanted: Callable[[MessageChunk], bool]) -> set[str]:
        """The routes of the wanted chunks."""
        return {timed.chunk.stream_id for timed in self._items if is_wanted(timed.chunk)}

    def _taken(self, index: int) -> Timed:
        timed = self._items.pop(index)
        self._bytes -= timed.weight
        return timed


def _time_of(timed: Timed) -> int:
    return timed.at
