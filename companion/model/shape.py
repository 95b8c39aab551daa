"""Shapes: each says one Python type in JSON schema, and reads values of that type from JSON.

Schemas keep the order of the declaration and hold no references, so that a person and a small model can read them.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

Schema = dict[str, object]


class Misfit(ValueError):
    """A value of another shape; ``field`` is the place (``stops[0].city``), empty for the whole of it."""

    def __init__(self, reason: str, field: str = "") -> None:
        super().__init__(f"{field}: {reason}" if field else reason)
        self.reason = reason
        self.field = field


class Shape(Protocol):
    """One Python type, as JSON has it."""

    def schema(self) -> Schema:
        """Its JSON schema; a new one each time."""

    def read(self, value: object) -> object:
        """The Python value that the JSON value stands for.

        Raises:
            Misfit: it is of another shape.
            ValueError: the class it is for refuses it.
        """


@dataclass(frozen=True, slots=True)
class Anything:
    """Whatever JSON can hold."""

    def schema(self) -> Schema:
        return {}

    def read(self, value: object) -> object:
        return value


@dataclass(frozen=True, slots=True)
class Scalar:
    """str, int, float, bool or None."""

    kind: type

    def schema(self) -> Schema:
        return {"type": _SCALARS[self.kind]}

    def read(self, value: object) -> object:
        if self.kind is float and _is_number(value):
            return float(value)  # type: ignore[arg-type]
        # JSON schema calls 2.0 an integer.
        if self.kind is int and isinstance(value, float) and value.is_integer():
            return int(value)
        if type(value) is not self.kind:
            raise Misfit(f"{value!r} is not of type {_SCALARS[self.kind]!r}")
        return value


_SCALARS = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def _is_number(value: object) -> bool:
    return type(value) is int or (isinstance(value, float) and math.isfinite(value))


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few values: ``pairs`` of what JSON says and what Python means by it."""

    pairs: tuple[tuple[object, object], ...]

    def schema(self) -> Schema:
        said = [said for said, _ in self.pairs]
        kinds = {type(one) for one in said}
        only = {"type": _SCALARS[kinds.pop()]} if len(kinds) == 1 else {}
        return {**only, "enum": said}

    def read(self, value: object) -> object:
        for said, meant in self.pairs:
            # True is 1 for Python, but not for JSON.
            if said == value and isinstance(said, bool) == isinstance(value, bool):
                return meant
        raise Misfit(f"{value!r} is not one of {[said for said, _ in self.pairs]!r}")


@dataclass(frozen=True, slots=True)
class Sequence:
    """Values of one shape; ``build`` makes a list, tuple or set of them. A set forgives what comes twice."""

    item: Shape
    build: Callable[[Iterable[object]], object] = list

    def schema(self) -> Schema:
        return {"type": "array", "items": self.item.schema()}

    def read(self, value: object) -> object:
        if not isinstance(value, list):
            raise Misfit(f"{value!r} is not of type 'array'")
        return self.build([_within(f"[{index}]", self.item, one) for index, one in enumerate(value)])


@dataclass(frozen=True, slots=True)
class Table:
    """Values of one shape under any names."""

    item: Shape

    def schema(self) -> Schema:
        return {"type": "object", "additionalProperties": self.item.schema()}

    def read(self, value: object) -> object:
        if not isinstance(value, dict):
            raise Misfit(f"{value!r} is not of type 'object'")
        return {name: _within(name, self.item, one) for name, one in value.items()}


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record."""

    name: str
    shape: Shape
    required: bool = True
    description: str = ""
    default: object = None
    """What JSON would say; told to the model where it is not None."""

    def schema(self) -> Schema:
        schema = self.shape.schema()
        if self.description:
            schema["description"] = self.description
        if self.default is not None:
            schema["default"] = copy.deepcopy(self.default)
        return schema


@dataclass(frozen=True, slots=True)
class Record:
    """Named fields; ``build`` is called with those that are given, by name."""

    fields: tuple[Field, ...]
    build: Callable[..., object]

    def schema(self) -> Schema:
        return {
            "type": "object",
            "properties": {field.name: field.schema() for field in self.fields},
            "required": [field.name for field in self.fields if field.required],
            "additionalProperties": False,
        }

    def read(self, value: object) -> object:
        return self.build(**self.read_fields(value))

    def read_fields(self, value: object) -> dict[str, object]:
        """The fields that are given, without building."""
        if not isinstance(value, Mapping):
            raise Misfit(f"{value!r} is not of type 'object'")
        if foreign := value.keys() - {field.name for field in self.fields}:
            raise Misfit(f"{min(foreign)!r} is unexpected")
        if missing := [field.name for field in self.fields if field.required and field.name not in value]:
            raise Misfit(f"{missing[0]!r} is missing")
        given = [field for field in self.fields if field.name in value]
        return {field.name: _within(field.name, field.shape, value[field.name]) for field in given}


@dataclass(frozen=True, slots=True)
class Either:
    """A value of any of several shapes; the first that fits counts."""

    branches: tuple[Shape, ...]

    def schema(self) -> Schema:
        return {"anyOf": [branch.schema() for branch in self.branches]}

    def read(self, value: object) -> object:
        reasons: list[str] = []
        for branch in self.branches:
            try:
                return branch.read(value)
            except ValueError as reason:
                reasons.append(str(reason))
        raise Misfit(" and ".join(reasons))


@dataclass(frozen=True, slots=True)
class Described:
    """A shape and what it means."""

    shape: Shape
    description: str

    def schema(self) -> Schema:
        return {**self.shape.schema(), "description": self.description}

    def read(self, value: object) -> object:
        return self.shape.read(value)


def _within(place: str, shape: Shape, value: object) -> object:
    try:
        return shape.read(value)
    except Misfit as misfit:
        join = "" if misfit.field.startswith("[") or not misfit.field else "."
        raise Misfit(misfit.reason, f"{place}{join}{misfit.field}") from misfit
    except ValueError as error:
        # What a class makes of its fields may fail by an error of its own.
        raise Misfit(str(error), place) from error
