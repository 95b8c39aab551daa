"""The fields of what a provider sends, checked as they are read. A field that is missing or null is empty."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from companion.errors import WireBroken
from companion.model.plain import json_text, whole_letters

Fields = Mapping[str, Any]
"""A JSON object."""

LONGEST = 80
"""Characters of a place that a message repeats."""


def fields_of(data: str, place: str) -> Fields:
    """The object that ``data`` is. ``place``: whose it is, for the message ("gemini event").

    Raises:
        WireBroken: it is no JSON, or none of an object.
    """
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise broken(place, f"is no JSON: {error}") from error
    if "\\ud" in data or "\\uD" in data:
        value = _without_halves(value, place)
    return as_fields(value, place)


def _without_halves(value: object, place: str) -> object:
    """The value, with a replacement character for every half of a pair, which nobody could write down again."""
    try:
        return json.loads(whole_letters(json.dumps(value, ensure_ascii=False)))
    except (ValueError, RecursionError) as error:
        raise broken(place, "cannot be read") from error


def as_fields(value: object, place: str) -> Fields:
    """``value``, where it is an object.

    Raises:
        WireBroken: it is not.
    """
    if not isinstance(value, dict):
        raise broken(place, "is no object")
    return value


def text(fields: Fields, name: str, place: str) -> str:
    """The text of a field.

    Raises:
        WireBroken: it is no text.
    """
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise broken(place, f"{name!r} is no text")
    return value


def count(fields: Fields, name: str, place: str) -> int:
    """The number of a field, of something that is counted.

    Raises:
        WireBroken: it is no number, or less than zero.
    """
    value = fields.get(name)
    if value is None:
        return 0
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise broken(place, f"{name!r} is no count")
    return value


def inner(fields: Fields, name: str, place: str) -> Fields:
    """The object of a field.

    Raises:
        WireBroken: it is no object.
    """
    value = fields.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise broken(place, f"{name!r} is no object")
    return value


def rows(fields: Fields, name: str, place: str) -> list[Fields]:
    """The objects of the list of a field.

    Raises:
        WireBroken: it is no list, or one of something else than objects.
    """
    value = fields.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise broken(place, f"{name!r} is no list of objects")
    for one in value:
        if not isinstance(one, dict):
            raise broken(place, f"{name!r} is no list of objects")
    return value


def as_json(value: object, place: str) -> str:
    """``value`` written as JSON again.

    Raises:
        WireBroken: it holds a number that JSON has not.
    """
    try:
        return json_text(value)
    except ValueError as error:
        raise broken(place, f"holds what JSON has not: {error}") from error


def broken(place: str, why: str) -> WireBroken:
    """The error of a malformed event; it names the event and repeats nothing of what was said."""
    return WireBroken(f"malformed {place[:LONGEST]}: {why}")
