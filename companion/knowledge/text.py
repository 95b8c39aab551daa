"""What a reader takes out of a file, and the passages it is cut into."""

from __future__ import annotations

from dataclasses import dataclass

TITLE_LENGTH = 200
"""Characters of a heading or title that are kept."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading and where it stands in the text.

    at, end: offsets; equal where the heading is not part of the text, as in the outline of a PDF.
    level: 1 for a chapter, 2 for a section in it, and so on.
    """

    at: int
    end: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Extract:
    """The text of a file and the places in it; every offset counts characters of ``text``, ascending."""

    text: str
    title: str = ""
    headings: tuple[Heading, ...] = ()
    pages: tuple[int, ...] = ()
    """Where each page begins, the first one at 0; empty where the file has no pages."""
    lines: tuple[tuple[int, int], ...] = ()
    """(offset, line of the file), where the lines of the text are not those of the file."""
    has_lines: bool = False
    """Whether the lines of the text are the lines of the file."""
    notes: tuple[str, ...] = ()
    """What was left out or guessed, one line each."""


@dataclass(frozen=True, slots=True)
class Passage:
    """``text[start:end]`` of an extract.

    headings: the path of headings it stands under, the outermost first.
    page, line: where it begins, from 1; 0 where the file has none.
    """

    start: int
    end: int
    text: str
    headings: tuple[str, ...] = ()
    page: int = 0
    line: int = 0


def one_title(text: str) -> str:
    """``text`` as a title: one line, not too long."""
    return " ".join(text.split())[:TITLE_LENGTH]
