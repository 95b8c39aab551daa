"""What the memory page asks of the desks, one method for each wish. Answers come to the page, or not at all."""

from __future__ import annotations

from collections.abc import Mapping

from companion.ui.bridge import Bridge, Failed, Then
from companion.ui.pages.memory.fact import language
from companion.ui.pages.page import Page

FEW, ALL = 300, 5_000
"""Dots of a picture: the surroundings, and as many as can be drawn."""


class Wishes:
    """failed: told of what the asker does not see to."""

    def __init__(self, bridge: Bridge, page: Page) -> None:
        self._bridge = bridge
        self._page = page

    def look(self, about: str, then: Then, failed: Failed, *, all_of_it: bool) -> None:
        given = {"about": about, "limit": ALL if all_of_it else FEW, "language": language()}
        self._ask("graph", "look", given, then, failed)

    def card(self, name: str, then: Then, failed: Failed) -> None:
        self._ask("graph", "card", {"name": name, "language": language()}, then, failed)

    def page_of(self, typed: str, offset: int, size: int, then: Then) -> None:
        given = {"typed": typed, "offset": offset, "limit": size, "ended": True, "language": language()}
        self._ask("graph", "list", given, then)

    def names(self, typed: str, then: Then) -> None:
        self._ask("graph", "names", {"typed": typed, "limit": 8}, then)

    def months(self, then: Then) -> None:
        self._ask("graph", "months", {}, then)

    def relations(self, then: Then) -> None:
        self._ask("graph", "relations", {"language": language()}, then)

    def counts(self, then: Then) -> None:
        self._ask("memory", "show", {"limit": 1}, then)

    def merges(self, then: Then) -> None:
        self._ask("graph", "merges", {}, then)

    def alike(self, then: Then) -> None:
        self._ask("graph", "alike", {"limit": 3}, then)

    def tell(self, text: str, then: Then) -> None:
        self._ask("memory", "add", {"text": text}, then)

    def place(self, number: int, x: int, y: int) -> None:
        self._ask("graph", "place", {"id": number, "x": x, "y": y}, None)

    def do(self, action: str, given: Mapping[str, object], then: Then) -> None:
        """A change at the desk of the graph."""
        self._ask("graph", action, given, then)

    def carry(self, action: str, given: Mapping[str, object], then: Then) -> None:
        """Something with files, at the desk of the memory."""
        self._ask("memory", action, given, then)

    def _ask(
        self, desk: str, action: str, given: Mapping[str, object], then: Then | None, failed: Failed | None = None
    ) -> None:
        page = self._page
        self._bridge.tend(desk, action, given, then=then, failed=failed or page.complain, owner=page)
