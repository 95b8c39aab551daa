"""Vectors out of JSON, each put in the place of its text."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from companion.dialects.fields import broken
from companion.errors import WireBroken
from companion.model.embed import Vector


def vector_of(value: object, place: str) -> Vector:
    """The numbers of a list.

    Raises:
        WireBroken: it is no list of numbers, or an empty one.
    """
    if not isinstance(value, list) or not value or isinstance(value[0], bool):
        raise broken(place, "a vector is no list of numbers")
    try:
        return tuple(array("d", value))
    except (TypeError, OverflowError) as error:
        raise broken(place, "a vector is no list of numbers") from error


def in_order(vectors: Iterable[tuple[int, Vector]], count: int, place: str) -> tuple[Vector, ...]:
    """The vectors of ``count`` texts in the order of the texts, of pairs of place and vector.

    Raises:
        WireBroken: a place is taken twice, is none, or stays empty.
    """
    found: dict[int, Vector] = {}
    for index, vector in vectors:
        if not 0 <= index < count or index in found:
            raise broken(place, f"a vector belongs to text {index} of {count}, which has one or was not asked for")
        found[index] = vector
    if len(found) != count:
        raise WireBroken(f"{place}: {count} texts were asked for and {len(found)} vectors came back")
    return tuple(found[index] for index in range(count))
