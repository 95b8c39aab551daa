"""Cuts the text of a file into passages, along its headings and paragraphs.

Laws:

1. Every character is in exactly one passage, in order.
2. A passage belongs to one section: after its text has begun, no heading follows in it.
3. No passage weighs more than ``most``; one that weighs less than ``target`` ends its section, or stands before
   a piece that would make it weigh more than ``most``.

A piece is a paragraph; one that is too heavy is cut into sentences, those into lines, those into words, and at
last anywhere. A Chinese character says about as much as three letters, and weighs so.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from companion.knowledge.terms import HAN
from companion.knowledge.text import Extract, Heading, Passage

TARGET = 700
"""Letters after which a passage ends with the paragraph."""
MOST = 1_400
HAN_WEIGHT = 3

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_SENTENCE = re.compile(r"[.!?…]+[\"'”’)\]]*\s+|[。！？；]+[”’」』）]*\s*")
_LINE = re.compile(r"\n\s*")
_WORD = re.compile(r"\s+")
_CUTS = (_PARAGRAPH, _SENTENCE, _LINE, _WORD)
_HAN = re.compile(HAN)


class _Span(NamedTuple):
    start: int
    end: int
    weight: int


def split(extract: Extract, *, target: int = TARGET, most: int = MOST) -> list[Passage]:
    """The passages of a text; none of an empty one. ``most`` is at least ``HAN_WEIGHT``."""
    places = _Places(extract)
    return [
        places.passage(start, end)
        for first, last in _sections(extract)
        for start, end in _packed(extract.text, first, last, target, most)
    ]


def weight(text: str) -> int:
    """How much a text says, in letters."""
    if text.isascii():
        return len(text)
    return len(text) + (HAN_WEIGHT - 1) * sum(map(len, _HAN.findall(text)))


def _sections(extract: Extract) -> Iterator[tuple[int, int]]:
    """Where each section begins and ends; a heading with nothing under it stays with the deeper one that follows."""
    start = 0
    before: Heading | None = None
    for heading in extract.headings:
        has_text = bool(extract.text[before.end if before else start : heading.at].strip())
        is_within = before is None or heading.level > before.level
        if heading.at > start and (has_text or not is_within):
            yield start, heading.at
            start = heading.at
        before = heading
    if start < len(extract.text):
        yield start, len(extract.text)


def _packed(text: str, first: int, last: int, target: int, most: int) -> Iterator[tuple[int, int]]:
    start, held = first, 0
    for piece in _pieces(text, first, last, 0, most):
        if held and (held >= target or held + piece.weight > most):
            yield start, piece.start
            start, held = piece.start, 0
        held += piece.weight
    if start < last:
        yield start, last


def _pieces(text: str, first: int, last: int, level: int, most: int) -> Iterator[_Span]:
    heavy = weight(text[first:last])
    if heavy <= most and level > 0:
        yield _Span(first, last, heavy)
        return
    if level == len(_CUTS):
        step = max(most // HAN_WEIGHT, 1)
        for start in range(first, last, step):
            end = min(start + step, last)
            yield _Span(start, end, weight(text[start:end]))
        return
    start = first
    for cut in _CUTS[level].finditer(text, first, last):
        yield from _pieces(text, start, cut.end(), level + 1, most)
        start = cut.end()
    if start < last:
        yield from _pieces(text, start, last, level + 1, most)


class _Places:
    """Tells where in the file a passage stands; asked from the front to the back."""

    def __init__(self, extract: Extract) -> None:
        self._extract = extract
        self._path: list[Heading] = []
        self._headings = iter(extract.headings)
        self._next = next(self._headings, None)
        self._line_marks = [at for at, _ in extract.lines]
        self._counted = 0
        self._line = 1

    def passage(self, start: int, end: int) -> Passage:
        text = self._extract.text[start:end]
        begins = start + len(text) - len(text.lstrip())
        begins = start if begins == end else begins
        return Passage(start, end, text, self._headings_before(end), self._page(begins), self._line_of(begins))

    def _headings_before(self, end: int) -> tuple[str, ...]:
        while self._next is not None and self._next.at < end:
            while self._path and self._path[-1].level >= self._next.level:
                self._path.pop()
            self._path.append(self._next)
            self._next = next(self._headings, None)
        return tuple(heading.title for heading in self._path)

    def _page(self, at: int) -> int:
        return bisect_right(self._extract.pages, at)

    def _line_of(self, at: int) -> int:
        if self._extract.has_lines:
            self._line += self._extract.text.count("\n", self._counted, at)
            self._counted = at
            return self._line
        mark = bisect_right(self._line_marks, at)
        return self._extract.lines[mark - 1][1] if mark else 0
