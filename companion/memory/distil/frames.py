"""Frames: what is said in some other order, and the usual one, a line each.

``(surely )?S must be X years -> S is X`` is a pattern of a clause: ``( )``, ``|`` and ``?`` as in any pattern, single
capitals for what is told, longer words in capitals for lists. Behind the arrow stands what was found for a capital.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from companion.memory.distil.cued import Cued

_TOLD = re.compile(r"[A-Z]")


@dataclass(frozen=True, slots=True)
class Frame:
    """One line. nobody: words that a somebody is not."""

    pattern: Cued
    order: str

    def turned(self, plain: str, shown: str, speaker: str, nobody: frozenset[str] = frozenset()) -> str:
        """In the usual order, in the words of ``shown``; empty where it does not fit. Both are as long."""
        match = self.pattern.match(plain)
        if match is None:
            return ""
        told = {name.upper(): match.span(name) for name, word in match.groupdict().items() if word}
        found = {name: shown[start:end] for name, (start, end) in told.items()}
        if found.get("S", " ").split(" ")[-1] in nobody:
            return ""
        return _TOLD.sub(lambda one: found.get(one[0], speaker if one[0] == "S" else ""), self.order)


def frames(lines: str, parts: Mapping[str, str]) -> tuple[Frame, ...]:
    """The frames of a table. parts: what the capitals stand for."""
    split = (line.split(" -> ") for line in lines.strip().splitlines() if line.strip())
    return tuple(Frame(Cued(re.sub(r"\((?!\?)", "(?:", told) + "$", "^", parts), order) for told, order in split)
