"""One chat backend that is a choice among several: by turns, by weight, by rules, or as a small model says.

A request may name its route itself, in its attributes under ``ROUTE_ID``; it is then not a strategy's choice and does
not count as one.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.compose.signatures import Signatures
from companion.compose.signed import SignedSource
from companion.errors import BadInput, NotRegistered
from companion.model import ChatBackend, ChatRequest
from companion.model.deltas import DeltaSource

ROUTE_ID = "route_id"
"""The attribute of a request that names its route."""


@dataclass(frozen=True, slots=True)
class Route:
    """One way to go.

    desc: what it is good for, in words for a classifier. weight: its share among the others; 0: only by name or rule.
    """

    id: str
    desc: str
    weight: int
    backend: ChatBackend


class Strategy(Protocol):
    """Chooses among routes; it may keep a position between requests."""

    async def choose(self, request: ChatRequest, routes: Sequence[Route]) -> Route:
        """One of ``routes``, which are at least one and always the same.

        Raises:
            ModelError: there is no choice.
        """


class RoundRobin:
    """Each in its turn."""

    def __init__(self) -> None:
        self._next = 0

    async def choose(self, request: ChatRequest, routes: Sequence[Route]) -> Route:
        chosen = routes[self._next % len(routes)]
        self._next = (self._next + 1) % len(routes)
        return chosen


class SmoothWeighted:
    """Each as often as its weight says, and no more often in a row than it must be.

    Of nginx's smooth weighted round robin: each gains its weight, the richest is chosen and pays what all have gained.
    """

    def __init__(self) -> None:
        self._gained: dict[str, int] = {}

    async def choose(self, request: ChatRequest, routes: Sequence[Route]) -> Route:
        weighted = [route for route in routes if route.weight > 0]
        if not weighted:
            raise NotRegistered("no route has a weight", name="", mend="Give at least one route a weight above 0.")
        for route in weighted:
            self._gained[route.id] = self._gained.get(route.id, 0) + route.weight
        # Of equals it is the first, as max has it.
        chosen = max(weighted, key=lambda route: self._gained[route.id])
        self._gained[chosen.id] -= sum(route.weight for route in weighted)
        return chosen


@dataclass(frozen=True, slots=True)
class RouteRule:
    """Whoever ``fits`` goes to the route of that id."""

    fits: Callable[[ChatRequest], bool]
    route_id: str


class Rules:
    """The first rule that fits decides; where none does, ``otherwise``, or else the first route."""

    def __init__(self, rules: Sequence[RouteRule], *, otherwise: Strategy | None = None) -> None:
        self._rules = tuple(rules)
        self._otherwise = otherwise

    async def choose(self, request: ChatRequest, routes: Sequence[Route]) -> Route:
        for rule in self._rules:
            if rule.fits(request):
                return route_named(rule.route_id, routes)
        return routes[0] if self._otherwise is None else await self._otherwise.choose(request, routes)


class Router:
    """A ChatBackend of several. Signed thoughts that one of them gave are not shown to another."""

    def __init__(self, routes: Sequence[Route], strategy: Strategy, *, name: str = "") -> None:
        """Raises BadInput where there is no route, two have one id, or a weight is negative."""
        _check(routes)
        self._routes = tuple(routes)
        self._strategy = strategy
        self._name = name or " | ".join(route.backend.name for route in routes)
        self._signatures = Signatures()

    @property
    def name(self) -> str:
        return self._name

    @property
    def routes(self) -> tuple[Route, ...]:
        return self._routes

    async def ask(self, request: ChatRequest) -> DeltaSource:
        """Choose, and ask whoever was chosen.

        Raises:
            NotRegistered: the request names a route that is not there.
            ModelError, TimeoutError: as the strategy and the backend do.
        """
        named = request.attributes.get(ROUTE_ID)
        if named is None:
            route = await self._strategy.choose(request, self._routes)
        else:
            route = route_named(str(named), self._routes)
        asked = self._signatures.for_reader(route.id, request)
        return SignedSource(await route.backend.ask(asked), route.backend, self._signatures, route.id)


def route_named(route_id: str, routes: Sequence[Route]) -> Route:
    """The route of that id.

    Raises:
        NotRegistered: there is none; the mend says which one may be meant.
    """
    found = next((route for route in routes if route.id == route_id), None)
    if found is None:
        ids = [route.id for route in routes]
        near = difflib.get_close_matches(route_id, ids, n=1)
        mend = f"Did you mean {near[0]!r}?" if near else f"There are {', '.join(map(repr, ids))}."
        raise NotRegistered(f"there is no route {route_id[:80]!r}", name=route_id, mend=mend)
    return found


def _check(routes: Sequence[Route]) -> None:
    ids = [route.id for route in routes]
    if not routes:
        raise BadInput("a router needs at least one route")
    twice = next((one for one in ids if ids.count(one) > 1), None)
    if twice is not None:
        raise BadInput(f"there are two routes {twice!r}")
    negative = next((route for route in routes if route.weight < 0), None)
    if negative is not None:
        raise BadInput(f"the weight of the route {negative.id!r} is {negative.weight}; it must be 0 or more")
