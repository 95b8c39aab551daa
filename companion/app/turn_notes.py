"""What the user thinks of answers: kept on this machine, one JSON object a line, only ever appended to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from companion.compose.journal import Journal
from companion.errors import StorageError, reason_of

MOST_READ = 4 * 1024 * 1024
"""Bytes; what was noted before them is still in the file, and no longer shown."""
LONGEST = 2000
"""Characters of a note."""
CLOSE = 3600.0
"""Seconds between the times of a question as it was noted and as the conversation has it."""


class Verdict(StrEnum):
    """What somebody thinks of an answer; ``NONE`` takes it back."""

    GOOD = "good"
    BAD = "bad"
    WRONG = "wrong"
    NONE = ""


@dataclass(frozen=True, slots=True)
class TurnNote:
    """What was noted of one turn. Private. at: when it was asked."""

    at: datetime
    asked: str
    said: str
    verdict: Verdict
    note: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class TurnNoted:
    """Somebody has noted something. Private."""

    note: TurnNote


class TurnNotes:
    """Blocking work on the file, for one writer."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._journal = Journal(file)

    def add(self, note: TurnNote) -> None:
        """Keep it; it is on the disk when this returns.

        Raises:
            StorageError: the disk is full, or the like.
        """
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._journal.append(_line(note))
        except OSError as error:
            raise StorageError(
                f"{self._file} could not be written: {reason_of(error)}",
                file=str(self._file),
                mend="Free some space or allow writing there; your note is not kept.",
            ) from error

    def all(self) -> tuple[TurnNote, ...]:
        """The newest notes, oldest first; a line that is none is left out.

        Raises:
            StorageError: the file cannot be read.
        """
        try:
            with self._file.open("rb") as reading:
                size = reading.seek(0, 2)
                reading.seek(max(size - MOST_READ, 0))
                lines = reading.read().split(b"\n")
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise StorageError(
                f"{self._file} cannot be read: {reason_of(error)}",
                file=str(self._file),
                mend="Allow reading it.",
            ) from error
        return tuple(_notes(lines))


class NotedTurns:
    """Finds what was last noted of a turn, by its question and about its time."""

    def __init__(self, notes: tuple[TurnNote, ...]) -> None:
        self._notes: dict[str, list[TurnNote]] = {}
        for note in notes:
            self._notes.setdefault(note.asked, []).append(note)

    def of(self, asked: str, at: datetime | None) -> TurnNote | None:
        """The newest note of the turn."""
        if at is None:
            return None
        close = [note for note in self._notes.get(asked, ()) if abs((note.at - at).total_seconds()) < CLOSE]
        if not close:
            return None
        nearest = min(close, key=lambda note: abs((note.at - at).total_seconds()))
        return [note for note in close if note.at == nearest.at][-1]


def _line(note: TurnNote) -> str:
    fields = {
        "time": note.at.isoformat(),
        "asked": note.asked,
        "said": note.said,
        "verdict": note.verdict.value,
        "note": note.note[:LONGEST],
        "source": note.source,
    }
    return json.dumps(fields, ensure_ascii=False) + "\n"


def _notes(lines: list[bytes]) -> Iterator[TurnNote]:
    for line in lines:
        try:
            fields = json.loads(line)
            at, verdict = datetime.fromisoformat(fields["time"]), Verdict(fields["verdict"])
            texts = [str(fields.get(name, "")) for name in ("asked", "said", "note", "source")]
            at.astimezone()
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
            continue
        if at.tzinfo is not None:
            yield TurnNote(at, texts[0], texts[1], verdict, texts[2], texts[3])
