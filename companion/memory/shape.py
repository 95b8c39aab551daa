"""What the form of a passage says of its worth for recall, whatever it is about; noted once, when it is stored."""

from __future__ import annotations

import re
from typing import NamedTuple

_TIMES = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|since|recently|morning|night|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|summer|winter|spring|autumn|fall|\d{4})\b|[今昨明前后][天晚年]|[上下这]个?(?:周|星期|礼拜|月)|"
    r"星期|周[一二三四五六日末]|[0-9一二三四五六七八九十][年月日号点]",
    re.IGNORECASE,
)
_ASKS = re.compile(r"(?:[?？]|[吗呢])[\s)）」”\"']*$")
_FIRST = re.compile(r"\b(?:I|my|me|we|our)\b|我")
_SECOND = re.compile(r"\byour?\b|[你您]", re.IGNORECASE)
_NAMES = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+")


class Shape(NamedTuple):
    """Small numbers."""

    asks: int
    """1 where it ends with a question."""
    times: int
    """1 where it names a time."""
    first: int
    """How often its speaker speaks of herself, to 3."""
    second: int
    """How often she speaks of the other, to 3."""
    names: int
    """Words written as names are, to 7."""

    def packed(self) -> int:
        """As one number."""
        return self.asks | self.times << 1 | self.first << 2 | self.second << 4 | self.names << 6

    @classmethod
    def unpacked(cls, packed: int) -> Shape:
        """From that number."""
        return cls(packed & 1, packed >> 1 & 1, packed >> 2 & 3, packed >> 4 & 3, packed >> 6 & 7)


def shape_of(text: str) -> Shape:
    """The shape of a passage."""
    return Shape(
        asks=int(_ASKS.search(text) is not None),
        times=int(_TIMES.search(text) is not None),
        first=min(3, len(_FIRST.findall(text))),
        second=min(3, len(_SECOND.findall(text))),
        names=min(7, len(_NAMES.findall(text))),
    )
