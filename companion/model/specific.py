"""Options that only one provider knows; all others pass them over."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SpecificOption(Generic[T]):
    """Sets something in a provider's own options, which are of the type ``kind``.

    change: gives other options, and leaves those it gets as they are.
    """

    kind: type[T]
    change: Callable[[T], T]


def own_options(base: T, options: Iterable[SpecificOption[Any]]) -> T:
    """A provider's options: ``base`` with what is set of its very type."""
    for option in options:
        if option.kind is type(base):
            base = option.change(base)
    return base
