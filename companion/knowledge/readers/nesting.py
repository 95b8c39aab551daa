"""Which elements of a page are open, and which of them hides what is in it.

Many elements need not be closed in HTML: an item ends where the next begins, a paragraph where a block does, and all of
them where what they stand in ends (the rules of "optional tags" and of the tree builder, as far as they matter here).
"""

from __future__ import annotations

MOST_DEEP = 512
"""Elements within each other; deeper ones are counted only."""
_BLOCKS = frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 "
    "h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul".split()
)
_P = (frozenset({"p"}), frozenset("button caption td th object marquee template table html".split()))
_ENDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset({"li"}), frozenset({"ul", "ol", "menu"})),
    "dt": (frozenset({"dt", "dd"}), frozenset({"dl"})),
    "dd": (frozenset({"dt", "dd"}), frozenset({"dl"})),
    "td": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "th": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "tr": (frozenset({"tr"}), frozenset({"table"})),
    **dict.fromkeys(("tbody", "thead", "tfoot"), (frozenset({"tbody", "thead", "tfoot"}), frozenset({"table"}))),
    "option": (frozenset({"option"}), frozenset({"select", "datalist"})),
    "optgroup": (frozenset({"optgroup"}), frozenset({"select"})),
    "body": (frozenset({"head"}), frozenset({"body"})),
    **dict.fromkeys(_BLOCKS, _P),
}
"""What an element ends by beginning, and what it does not look beyond for that."""


class Nesting:
    """The open elements, outermost first."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._beyond = 0
        self._hidden_from: int | None = None
        """The place of the element that hides."""

    @property
    def is_hidden(self) -> bool:
        return self._hidden_from is not None

    def begin(self, tag: str) -> None:
        """An element begins that has an end; it may end others."""
        closing, within = _ENDS.get(tag, (frozenset[str](), frozenset[str]()))
        for place in reversed(range(len(self._open))):
            if self._open[place] in closing:
                self._cut(place)
            elif self._open[place] not in within:
                continue
            break
        if len(self._open) < MOST_DEEP:
            self._open.append(tag)
        else:
            self._beyond += 1

    def hide(self) -> None:
        """What has just begun hides all that is in it."""
        if self._hidden_from is None and not self._beyond:
            self._hidden_from = len(self._open) - 1

    def end(self, tag: str) -> None:
        """An element ends, with all that is open in it; one that is not open does nothing."""
        if self._beyond:
            self._beyond -= 1
        elif tag in self._open:
            self._cut(len(self._open) - 1 - self._open[::-1].index(tag))

    def _cut(self, place: int) -> None:
        del self._open[place:]
        if self._hidden_from is not None and self._hidden_from >= place:
            self._hidden_from = None
