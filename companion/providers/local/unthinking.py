"""Leaves out what a model writes down of its thoughts, in text that comes in pieces."""

from __future__ import annotations

from collections.abc import Iterator


class Unthinking:
    """Takes ``<think>...</think>`` out of text that comes in pieces."""

    _OPEN, _CLOSE = "<think>", "</think>"

    def __init__(self) -> None:
        self._held = ""
        self._inside = False
        self._after = False
        """Whether a thought has just ended: the blank space behind it belongs to it."""

    def take(self, piece: str) -> str:
        """What of the text so far may be said."""
        self._held += piece
        return "".join(self._said())

    def rest(self) -> str:
        """What was held back as the possible beginning of a mark and was none."""
        held, self._held = self._held, ""
        return "" if self._inside else held

    def _said(self) -> Iterator[str]:
        while self._held:
            if self._after:
                self._held = self._held.lstrip()
                self._after = not self._held
            mark = self._CLOSE if self._inside else self._OPEN
            before, found, after = self._held.partition(mark)
            if not found:
                kept = _begun_mark(self._held, mark)
                if not self._inside:
                    yield self._held[: len(self._held) - kept]
                self._held = self._held[len(self._held) - kept :]
                return
            if not self._inside:
                yield before
            self._inside = not self._inside
            self._after = not self._inside
            self._held = after


def _begun_mark(text: str, mark: str) -> int:
    """How many characters at the end of ``text`` may be the beginning of ``mark``."""
    return next((size for size in range(len(mark) - 1, 0, -1) if text.endswith(mark[:size])), 0)
