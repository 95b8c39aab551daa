"""The turns of a conversation on disk, read from its end a page at a time, however long it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.compose.entry import Entry, from_line
from companion.errors import SessionError, reason_of
from companion.model import ChatRole

BLOCK = 128 * 1024
"""Bytes read at first."""
MOST_READ = 32 * 1024 * 1024
"""Bytes of one page; what is longer than that is no conversation."""


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A question and what was heard of its answer.

    offset: where it begins in the file. at: None where nobody noted it.
    """

    offset: int
    asked: str
    said: str
    at: datetime | None
    language: str = ""
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """Turns, oldest first. before: where the next older page ends; 0 where there is none."""

    turns: tuple[PastTurn, ...]
    before: int


class PastTurns:
    """Blocking reads of one file; a line that is none is left out."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def page(self, before: int, limit: int) -> Page:
        """The newest turns that begin before byte ``before``; from the end of the file where it is negative.

        Raises:
            SessionError: the file cannot be read.
        """
        size = BLOCK
        while True:
            raw, start = self._read(before, size)
            turns = _turns(raw, start)
            if start == 0 or len(turns) >= limit or size >= MOST_READ:
                break
            size *= 4
        shown = tuple(turns[-limit:])
        is_all = start == 0 and len(shown) == len(turns)
        return Page(shown, 0 if is_all or not shown else shown[0].offset)

    def search(self, words: str, limit: int) -> tuple[tuple[PastTurn, ...], bool]:
        """The newest turns in which the words stand, newest first, and whether there are more.

        Raises:
            SessionError: the file cannot be read.
        """
        wanted, found = words.casefold(), list[PastTurn]()
        for turn in self._backwards():
            if wanted in turn.asked.casefold() or wanted in turn.said.casefold():
                if len(found) >= limit:
                    return tuple(found), True
                found.append(turn)
        return tuple(found), False

    def _backwards(self) -> Iterator[PastTurn]:
        before = -1
        while before:
            page = self.page(before, 1000)
            yield from reversed(page.turns)
            before = page.before

    def _read(self, before: int, size: int) -> tuple[bytes, int]:
        """Whole lines that end at ``before``, and where they begin."""
        try:
            with self._file.open("rb") as reading:
                reading.seek(0, 2)
                end = reading.tell() if before < 0 else min(before, reading.tell())
                start = max(end - size, 0)
                reading.seek(start)
                raw = reading.read(end - start)
        except FileNotFoundError:
            return b"", 0
        except OSError as error:
            raise SessionError(f"{self._file}: {reason_of(error)}", mend="Allow reading it.") from error
        cut = raw.find(b"\n") + 1 if start else 0
        return raw[cut:], start + cut


def _turns(raw: bytes, start: int) -> list[PastTurn]:
    """The turns of these lines; what stands before the first question belongs to an older one, unless there is none."""
    turns: list[PastTurn] = []
    question: tuple[int, Entry] | None = None
    answers: list[Entry] = []
    for offset, entry in _entries(raw, start):
        if entry.message.role is ChatRole.USER:
            if question is not None or (answers and start == 0):
                turns.append(_turn(question, answers))
            question, answers = (offset, entry), []
        elif entry.message.role is ChatRole.ASSISTANT and entry.message.text:
            answers.append(entry)
    if question is not None or (answers and start == 0):
        turns.append(_turn(question, answers))
    return turns


def _turn(question: tuple[int, Entry] | None, answers: list[Entry]) -> PastTurn:
    said = "\n".join(entry.message.text for entry in answers)
    interrupted = any(entry.interrupted for entry in answers)
    if question is None:
        return PastTurn(0, "", said, answers[0].at, interrupted=interrupted)
    offset, entry = question
    return PastTurn(offset, entry.message.text, said, entry.at, _language(entry), interrupted)


def _language(entry: Entry) -> str:
    parts = getattr(entry.message.payload, "parts", ())
    return next((part.language for part in parts if getattr(part, "language", "")), "")


def _entries(raw: bytes, start: int) -> Iterator[tuple[int, Entry]]:
    offset = start
    for line in raw.split(b"\n"):
        if line:
            try:
                entry = from_line(line)
            except ValueError:
                entry = None
            if entry is not None:
                yield offset, entry
        offset += len(line) + 1
