"""Dialects of one trade, and which one an endpoint speaks.

The exact name of a standard decides. Else, where neither a standard nor a provider is given, the URL does, by the rule
of the dialect that comes first. A provider's name beats the URL. Where none of them says anything, the default is
spoken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from companion.dialects.plugins import ask_plugins
from companion.dialects.urls import split_url
from companion.errors import NotRegistered, PatternError

if TYPE_CHECKING:
    from urllib.parse import SplitResult

UrlRule = Callable[["SplitResult"], bool]
"""Whether a URL is of a dialect; its path comes without a slash at the end."""


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

    name: str
    make: Callable[[], D]
    priority: int = 100
    standards: tuple[str, ...] = ()
    providers: tuple[str, ...] = ()
    is_of_url: UrlRule | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.standards)


def made_by(path: str) -> Callable[[], Any]:
    """A maker of ``module:Class`` below this package, which is imported when it is first asked for."""
    module, _, attribute = path.partition(":")
    return lambda: getattr(import_module(f"companion.dialects.{module}"), attribute)()


def ends(*endings: str) -> UrlRule:
    """The rule of URLs whose path ends in one of these."""
    return lambda url: url.path.endswith(endings)


class DialectTable(Generic[D]):
    """Dialects by name, each made when it is first chosen, and once.

    trade: what they are for, in messages ("embedding"). The last place is the default.
    """

    def __init__(self, trade: str, *places: Place[D]) -> None:
        self._trade = trade
        self._default = places[-1]
        self._places = list(places)
        self._made: dict[str, D] = {}

    def register(
        self,
        dialect: D,
        priority: int = 100,
        *,
        standards: tuple[str, ...] = (),
        providers: tuple[str, ...] = (),
        is_of_url: UrlRule | None = None,
    ) -> None:
        """Add a dialect under its name.

        priority: the lower comes first. standards: further names. providers: words that a provider's name begins with.

        Raises:
            PatternError: its name is empty, or taken.
        """
        self.add(Place(dialect.name, lambda: dialect, priority, standards, providers, is_of_url))

    def add(self, place: Place[D]) -> None:
        """Add a dialect that is made when it is chosen.

        Raises:
            PatternError: its name is empty, or taken.
        """
        name = place.name
        if not name or any(name == one.name for one in self._places):
            why = "is taken" if name else "is no name"
            raise PatternError(f"a dialect of {self._trade} cannot be called {name!r}: it {why}", pattern=name)
        self._places.append(place)

    def names(self) -> tuple[str, ...]:
        """The names of all, those that are asked first first."""
        ask_plugins()
        return tuple(place.name for place in self._in_order())

    def choose(self, standard: str = "", provider: str = "", url: str = "") -> D:
        """The dialect that an endpoint speaks, by the rules of this module.

        Raises:
            NotRegistered: no dialect is of that standard; ``mend`` names the nearest.
            SettingsError: the URL is none.
        """
        ask_plugins()
        place = self._chosen(standard.strip().lower(), provider.strip().lower(), url)
        if place.name not in self._made:
            self._made[place.name] = place.make()
        return self._made[place.name]

    def _chosen(self, standard: str, provider: str, url: str) -> Place[D]:
        if standard:
            return self._of_standard(standard)
        found: Iterable[Place[D]] = ()
        if provider:
            found = [one for one in self._in_order() if one.providers and provider.startswith(one.providers)]
        elif url:
            parts = split_url(url)
            found = [one for one in self._in_order() if one.is_of_url is not None and one.is_of_url(parts)]
        return next(iter(found), self._default)

    def _of_standard(self, standard: str) -> Place[D]:
        for one in self._in_order():
            if standard in one.names:
                return one
        import difflib

        names = [name for one in self._in_order() for name in one.names]
        alike = difflib.get_close_matches(standard, names, n=1, cutoff=0.5)
        guess = f"did you mean {alike[0]}? " if alike else ""
        raise NotRegistered(
            f"there is no dialect {standard!r} of {self._trade}",
            name=standard,
            mend=f"{guess}there are {', '.join(one.name for one in self._in_order())}",
        )

    def _in_order(self) -> list[Place[D]]:
        return sorted(self._places, key=lambda place: place.priority)
