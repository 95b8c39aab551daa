"""Dialects of one trade, and which one an endpoint speaks.

The rules are those of chat dialects (``companion.dialects.registry``): the exact name of a standard; else, where
neither a standard nor a provider is given, the URL by the rule of the dialect that comes first; a provider's name beats
the URL.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from companion.dialects.registry import UrlRule
from companion.dialects.urls import split_url
from companion.errors import NotRegistered, PatternError


class Named(Protocol):
    """What can be chosen."""

    @property
    def name(self) -> str: ...


D = TypeVar("D", bound=Named)


@dataclass(frozen=True, slots=True)
class Place(Generic[D]):
    """A dialect, and what it is chosen by.

    priority: the lower comes first. standards: names beside its own. providers: words a provider's name begins with.
    is_of_url: None for never.
    """

    dialect: D
    priority: int = 100
    standards: tuple[str, ...] = ()
    providers: tuple[str, ...] = ()
    is_of_url: UrlRule | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return (self.dialect.name, *self.standards)


class DialectTable(Generic[D]):
    """trade: what they are for, in messages ("embedding"). The last place is the default."""

    def __init__(self, trade: str, *places: Place[D]) -> None:
        self._trade = trade
        self._default = places[-1]
        self._places = list(places)

    def register(self, place: Place[D]) -> None:
        """Add one.

        Raises:
            PatternError: its name is empty, or taken.
        """
        name = place.dialect.name
        if not name or name in self.names():
            why = "is taken" if name else "is no name"
            raise PatternError(f"a dialect of {self._trade} cannot be called {name!r}: it {why}", pattern=name)
        self._places.append(place)

    def names(self) -> tuple[str, ...]:
        """The names of all, those that are asked first first."""
        return tuple(place.dialect.name for place in self._in_order())

    def choose(self, standard: str = "", provider: str = "", url: str = "") -> D:
        """The dialect of an endpoint.

        Raises:
            NotRegistered: no dialect is of that standard; ``mend`` names the nearest.
            SettingsError: the URL is none.
        """
        standard, provider = standard.strip().lower(), provider.strip().lower()
        if standard:
            return self._of_standard(standard).dialect
        found: Iterable[Place[D]] = ()
        if provider:
            found = [one for one in self._in_order() if one.providers and provider.startswith(one.providers)]
        elif url:
            parts = split_url(url)
            found = [one for one in self._in_order() if one.is_of_url is not None and one.is_of_url(parts)]
        return next(iter(found), self._default).dialect

    def _of_standard(self, standard: str) -> Place[D]:
        for one in self._in_order():
            if standard in one.names:
                return one
        alike = difflib.get_close_matches(standard, [name for one in self._places for name in one.names], n=1)
        guess = f"did you mean {alike[0]}? " if alike else ""
        raise NotRegistered(
            f"there is no dialect {standard!r} of {self._trade}",
            name=standard,
            mend=f"{guess}there are {', '.join(self.names())}",
        )

    def _in_order(self) -> list[Place[D]]:
        return sorted(self._places, key=lambda place: place.priority)
