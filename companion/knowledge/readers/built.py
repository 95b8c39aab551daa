"""A text that grows piece by piece, with the places of its headings, pages and lines."""

from __future__ import annotations

from companion.knowledge.text import Extract, Heading, one_title


class BuiltText:
    """Takes words and breaks, and knows where it is. most: characters; what comes beyond is dropped."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._parts: list[str] = []
        self._headings: list[Heading] = []
        self._lines: list[tuple[int, int]] = []
        self._pages: list[int] = []
        self._tail = ""
        self.length = 0

    @property
    def is_full(self) -> bool:
        return self.length >= self._most

    def add(self, text: str) -> None:
        text = text[: self._most - self.length]
        if text:
            self._parts.append(text)
            self.length += len(text)
            self._tail = (self._tail + text[-2:])[-2:]

    def add_words(self, text: str) -> None:
        """Add running text: white space is one space, and none begins a line."""
        words = " ".join(text.split())
        if text[:1].isspace() and self._tail and not self._tail[-1].isspace():
            self.add(" ")
        if words:
            self.add(words)
            if text[-1].isspace():
                self.add(" ")

    def end_line(self) -> None:
        if self._tail and self._tail[-1] != "\n":
            self.add("\n")

    def end_paragraph(self) -> None:
        self.end_line()
        if self._tail and self._tail != "\n\n":
            self.add("\n")

    def begin_page(self, *, at: int | None = None) -> None:
        """A page begins here, or began at the offset ``at``."""
        self._pages.append(self.length if at is None else at)

    def mark_line(self, line: int) -> None:
        """What follows stands in this line of the file."""
        if not self._lines or self._lines[-1][1] < line:
            if self._lines and self._lines[-1][0] == self.length:
                self._lines.pop()
            self._lines.append((self.length, line))

    def mark_heading(self, at: int, level: int, title: str) -> None:
        """What was added since ``at`` is a heading."""
        self._headings.append(Heading(at, self.length, level, one_title(title)))

    def text_since(self, at: int) -> str:
        """What was added since ``at``."""
        parts: list[str] = []
        missing = self.length - at
        for part in reversed(self._parts):
            if missing <= 0:
                break
            parts.append(part[-missing:])
            missing -= len(part)
        return "".join(reversed(parts))

    def extract(self, *, title: str = "", notes: tuple[str, ...] = ()) -> Extract:
        """All of it."""
        if self.is_full:
            notes = (*notes, f"only the first {self._most:,} characters are read")
        return Extract(
            "".join(self._parts), one_title(title), tuple(self._headings), tuple(self._pages), tuple(self._lines),
            notes=notes,
        )  # fmt: skip
