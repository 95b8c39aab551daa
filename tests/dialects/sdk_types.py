"""Requests, held against the types of the official SDKs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from companion.dialects import WireRequest


@lru_cache
def _adapter(kind: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def check_against(kind: Any, wire: WireRequest) -> None:
    """The body fits the type, and has no field that the type does not know: those would be dropped by it."""
    known = _plain(_adapter(kind).validate_python(wire.body))
    assert known == wire.body, "the SDK does not know a field of it"


def _plain(value: object) -> object:
    """Lists are checked while they are read."""
    match value:
        case Mapping():
            return {name: _plain(one) for name, one in value.items()}
        case None | str() | int() | float():
            return value
        case _:
            return [_plain(one) for one in value]  # type: ignore[attr-defined]
