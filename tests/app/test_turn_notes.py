"""What the user thinks of answers survives on this machine."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.app.turn_notes import NotedTurns, TurnNote, TurnNotes, Verdict
from companion.errors import StorageError

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_notes_are_appended_and_read_again(tmp_path: Path) -> None:
    notes = TurnNotes(tmp_path / "home" / "notes.ndjson")
    first = TurnNote(NOON, "when is lunch", "At one.", Verdict.WRONG, "at noon", "model:smol")
    second = TurnNote(NOON + timedelta(hours=1), "你好", "你好。", Verdict.GOOD)
    notes.add(first)
    notes.add(second)
    assert TurnNotes(tmp_path / "home" / "notes.ndjson").all() == (first, second)
    assert (tmp_path / "home" / "notes.ndjson").stat().st_mode & 0o777 == 0o600


def test_lines_that_are_no_notes_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "notes.ndjson"
    notes = TurnNotes(file)
    kept = TurnNote(NOON, "when", "now", Verdict.BAD)
    notes.add(kept)
    with file.open("ab") as more:
        more.write(b'[1]\n{"time": "noon"}\n{"time": "2026-03-01T12:00:00", "verdict": "good"}\n{"verd')
    assert notes.all() == (kept,)


def test_a_note_that_cannot_be_kept_says_so(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="could not be written"):
        TurnNotes(tmp_path).add(TurnNote(NOON, "", "", Verdict.GOOD))


def test_the_newest_note_of_the_turn_nearest_in_time_counts() -> None:
    later = NOON + timedelta(minutes=30)
    noted = NotedTurns(
        (
            TurnNote(NOON, "when is lunch", "", Verdict.GOOD),
            TurnNote(NOON, "when is lunch", "", Verdict.WRONG, "at noon"),
            TurnNote(later, "when is lunch", "", Verdict.GOOD),
        )
    )
    found = noted.of("when is lunch", NOON + timedelta(seconds=4))
    assert found is not None
    assert (found.verdict, found.note) == (Verdict.WRONG, "at noon")
    assert noted.of("when is lunch", NOON + timedelta(days=1)) is None
    assert noted.of("when is dinner", NOON) is None
    assert noted.of("when is lunch", None) is None
