"""Where commands about memory, knowledge and plugins are carried out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from companion.app.orders import Tend, is_text
from companion.errors import BadInput

Row = dict[str, object]
LARGEST = 2**53
"""Whole numbers that a JSON of any make carries, and any store holds."""


class Desk(Protocol):
    """One kind of work."""

    @property
    def actions(self) -> tuple[str, ...]: ...

    async def perform(self, action: str, given: Given) -> Row:
        """Do it, and say what there is to say, as JSON has it.

        Raises:
            CompanionError: it cannot be done.
        """


@runtime_checkable
class Closes(Protocol):
    """A desk that owns tasks or opens something."""

    async def close(self) -> None:
        """End what still goes on, and give back what was opened. May be called twice."""


class Given:
    """What an order brings, by name; asking for what is not there, or is not of that kind, raises BadInput.

    Whoever asks gets texts that can be written down and name files, and numbers that can be counted with.
    """

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = values

    def text(self, name: str, default: str | None = None) -> str:
        value = self._values.get(name, default)
        if not isinstance(value, str):
            raise BadInput(f"{name} is missing or no text", mend="See the help of the command.")
        return _sound(name, value)

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._values.get(name, ())
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
            raise BadInput(f"{name} is no list of texts", mend="See the help of the command.")
        return tuple(_sound(name, one) for one in value)

    def numbers(self, name: str) -> tuple[int, ...]:
        """A list of whole numbers, each written as a text."""
        found = self.texts(name)
        if not all(one.isdecimal() and len(one) <= len(str(LARGEST)) and int(one) <= LARGEST for one in found):
            raise BadInput(f"{name} is no list of whole numbers", mend="See the help of the command.")
        return tuple(map(int, found))

    def number(self, name: str, default: int) -> int:
        value = self._values.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) > LARGEST:
            raise BadInput(f"{name} is no whole number", mend="See the help of the command.")
        return value

    def fraction(self, name: str, default: float | None = None) -> float:
        value = self._values.get(name, default)
        if not isinstance(value, int | float) or isinstance(value, bool) or not _is_finite(value):
            raise BadInput(f"{name} is missing or no number", mend="See the help of the command.")
        return float(value)

    def truth(self, name: str) -> bool:
        return self._values.get(name) is True


class Desks:
    """All desks, by name."""

    def __init__(self, desks: Mapping[str, Desk]) -> None:
        self._desks = dict(desks)

    def add(self, desks: Mapping[str, Desk]) -> None:
        """More of them, as those that only a running companion can have. One of the same name takes its place."""
        self._desks.update(desks)

    async def perform(self, order: Tend) -> Row:
        """Carry out an order.

        Raises:
            BadInput: there is no such desk or action.
            CompanionError: it cannot be done.
        """
        desk = self._desks.get(order.desk)
        if desk is None or order.action not in desk.actions:
            raise BadInput(f"there is no {order.desk[:40]} {order.action[:40]}", mend="Update companion.")
        return await desk.perform(order.action, Given(order.given))

    async def close(self) -> None:
        """Close those desks that have something to close."""
        for desk in self._desks.values():
            if isinstance(desk, Closes):
                await desk.close()


def _sound(name: str, text: str) -> str:
    """The text, unless no file could hold it or have it for a name."""
    if "\0" in text or not is_text(text):
        raise BadInput(f"{name} holds signs that are no text", mend="Type it anew.")
    return text


def _is_finite(value: float) -> bool:
    return math.isfinite(value) if isinstance(value, float) else abs(value) <= LARGEST
