"""Plain text and Markdown: the text is the file, line for line.

Headings of Markdown are read as CommonMark has them, with # before or a line under; fenced code and the front
matter of a page have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.knowledge.limits import Limits
from companion.knowledge.readers.decode import decode
from companion.knowledge.text import Extract, Heading, one_title

_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_NO_HEADING = re.compile(r" {0,3}(?:[>|+*-]|\d+[.)])|\s*$| {4}")


def read_text(raw: bytes, limits: Limits) -> Extract:
    """The text of a file without markup. Raises FileUnreadable."""
    text, notes = cut_to(*decode(raw), limits.characters)
    return Extract(text, has_lines=True, notes=notes)


def read_markdown(raw: bytes, limits: Limits) -> Extract:
    """The text of a Markdown file, its marks included. Raises FileUnreadable."""
    text, notes = cut_to(*decode(raw), limits.characters)
    headings = tuple(_headings(text))
    title = next((heading.title for heading in headings if heading.level == 1), "")
    return Extract(text, title=title, headings=headings, has_lines=True, notes=notes)


def cut_to(text: str, note: str, most: int) -> tuple[str, tuple[str, ...]]:
    """``text`` of ``most`` characters, and the notes about it."""
    notes = (note,) if note else ()
    if len(text) <= most:
        return text, notes
    return text[:most], (*notes, f"only the first {most:,} characters are read")


def _headings(text: str) -> Iterator[Heading]:
    fence = ""
    before = ("", 0)
    for at, line in _lines(text, _after_front_matter(text)):
        if fence:
            if (closes := _FENCE.match(line)) and closes[1].startswith(fence) and not line.strip(" `~\t"):
                fence = ""
            before = ("", at)
        elif opens := _FENCE.match(line):
            fence, before = opens[1], ("", at)
        elif heading := _ATX.match(line):
            yield Heading(at, at + len(line), len(heading[1]), one_title(heading[2] or ""))
            before = ("", at)
        elif before[0] and (under := _UNDERLINE.match(line)):
            yield Heading(before[1], at + len(line), 1 if under[1][0] == "=" else 2, one_title(before[0]))
            before = ("", at)
        else:
            before = ("" if _NO_HEADING.match(line) else line, at)


def _lines(text: str, start: int) -> Iterator[tuple[int, str]]:
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, text[start:end]
        start = end + 1


def _after_front_matter(text: str) -> int:
    if not text.startswith("---\n"):
        return 0
    end = text.find("\n---\n", 3)
    return 0 if end < 0 else end + len("\n---\n")
