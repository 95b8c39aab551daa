"""English words for Roman numerals, where what stands before them says that they are numbers."""

from __future__ import annotations

import re

from companion.voice.say.english_numbers import cardinal, ordinal
from companion.voice.say.rules import Rule

_NUMERAL = r"X{0,3}(?:IX|IV|V?I{0,3})(?<=[XVI])"
"""Up to 39: who counts on writes figures."""
_COUNTED = (
    "Act Appendix Article Book Category Chapter Class Episode Figure Grade Group Level Mark Part Phase Round Scene "
    "Season Section Stage Step Symphony Table Title Type Unit Version Volume War"
).split()
_RULERS = (
    "Alexander Catherine Charles Edward Elizabeth Francis Frederick George Gregory Henry James John Leo Louis Mary "
    "Napoleon Nicholas Paul Peter Philip Pius Ramesses Richard Victoria Wilhelm William"
).split()
_TITLES = "Emperor Empress Kaiser King Pope Prince Princess Queen Tsar".split()
_END = r"\b(?!\.\w)(?!['’](?!s\b))"
_ONES = {"I": 1, "V": 5, "X": 10}


def _value(numeral: str) -> int:
    values = [_ONES[letter] for letter in numeral]
    return sum(-one if one < max(values[place:]) else one for place, one in enumerate(values))


def _counted(match: re.Match[str]) -> str:
    return f"{match[1]} {cardinal(_value(match[2]))}"


def _ruler(match: re.Match[str]) -> str:
    return f"{match[1]} the {ordinal(_value(match[2]))}"


ROMAN: tuple[Rule, ...] = (
    (re.compile(rf"\b({'|'.join(_COUNTED)})\s({_NUMERAL}){_END}"), _counted),
    # "I" alone is a person there.
    (re.compile(rf"\b({'|'.join(_COUNTED).lower()})\s(?!I\b)({_NUMERAL}){_END}"), _counted),
    (re.compile(rf"\b((?:{'|'.join(_TITLES)})\s[A-Z][a-z]+)\s({_NUMERAL}){_END}"), _ruler),
    (re.compile(rf"\b({'|'.join(_RULERS)})\s(?!I\b)({_NUMERAL}){_END}"), _ruler),
)
