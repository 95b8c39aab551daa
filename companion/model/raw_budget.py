"""How much is kept of what providers send that has no name here.

It comes in any shape and size; read into Python, it takes many times the bytes that it came in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.model.options import JsonValue

MOST_RAW: Final = 16 << 20
"""Bytes of memory, about, of one answer or turn."""
_VALUE: Final = 64
"""Bytes that any value takes, about."""


class RawBudget:
    """What may still be kept. Once something had no room, nothing behind it is kept: no gaps are left unseen."""

    def __init__(self, most: int = MOST_RAW) -> None:
        self._left = most

    def takes(self, data: JsonValue) -> bool:
        """Whether there is room for ``data``, which then is used."""
        self._left = _left_of(self._left, data) if self._left >= 0 else -1
        return self._left >= 0


def _left_of(room: int, data: JsonValue) -> int:
    """What is left of ``room``; below zero where it is too little."""
    waiting: list[JsonValue] = [data]
    while waiting and room >= 0:
        value = waiting.pop()
        room -= _VALUE
        if isinstance(value, str):
            room -= len(value)
        elif isinstance(value, Mapping):
            room -= sum(_VALUE + len(name) for name in value)
            waiting.extend(value.values())
        elif isinstance(value, list | tuple):
            waiting.extend(value)
    return room
