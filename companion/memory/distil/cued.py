"""A pattern that is made only when a text holds a word that every text it fits has.

Most patterns are large, for they begin with whoever may be spoken of, and most texts are told at a glance.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType

_ONE_OF = re.compile(r"\(\?:([\u4e00-\u9fffa-z' ]+(?:\|[\u4e00-\u9fffa-z' ]+)+)\)(?![?*{])")
_GROUP = re.compile(r"\((?:[^()\\]|\\.)*\)(?:[?*+]|\{[^}]*\})*|\[[^\]]*\](?:[?*+]|\{[^}]*\})*|\\.")
_SURE = re.compile(
    r"[\u4e00-\u9fffa-z' ]+(?![?*{\u4e00-\u9fffa-z' ])|[\u4e00-\u9fffa-z' ]+(?=[\u4e00-\u9fffa-z' ][?*{])"
)
_PART = re.compile(r"(?<!\(\?)[A-Z]+")
_MARK = re.compile(r"<(\d+)>")


def cues(pattern: str) -> tuple[str, ...]:
    """Words of which every text that the pattern fits has one; an empty one where nothing is sure."""
    choices: list[tuple[str, ...]] = []

    def noted(match: re.Match[str]) -> str:
        choices.append(tuple(match[1].split("|")))
        return f"<{len(choices) - 1}>"

    bare, before = _ONE_OF.sub(noted, pattern), ""
    while bare != before:
        bare, before = _GROUP.sub("\0", bare), bare
    if "|" in bare:
        return ("",)
    found: list[tuple[str, ...]] = [(word,) for word in _SURE.findall(_MARK.sub("\0", bare))]
    found += [choices[int(number)] for number in _MARK.findall(bare)]
    return max(found, key=lambda words: min(map(len, words)), default=("",))


class Cued:
    """What ``re.compile`` gives, for ``match`` alone.

    lead: what stands before the pattern. parts: what words in capitals stand for. Neither tells a cue.
    """

    def __init__(self, pattern: str, lead: str = "", parts: Mapping[str, str] = MappingProxyType({})) -> None:
        self._source = pattern
        self._lead = lead
        self._parts = parts
        self.cues = cues(pattern)

    def match(self, text: str) -> re.Match[str] | None:
        """As ``re.Pattern.match``."""
        for cue in self.cues:
            if cue in text:
                return self.compiled.match(text)
        return None

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self._lead + _PART.sub(self._part, self._source))

    def _part(self, match: re.Match[str]) -> str:
        """What capitals stand for; one by one, where they are no word together."""
        word = match[0]
        return self._parts.get(word) or "".join(self._parts.get(letter, letter) for letter in word)
