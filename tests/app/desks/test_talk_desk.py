"""The desk of the talk page."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.app.desks.talk_desk import TalkDesk
from companion.app.events import Telling
from companion.app.kept_turns import KeptTurns
from companion.app.minding.desks import Given
from companion.app.turn_log import TurnLog, TurnRecord
from companion.app.turn_notes import TurnNoted, Verdict
from companion.compose.entry import Entry, to_line
from companion.errors import BadInput
from companion.model import ChatRole
from companion.voice.events import Asked, Exchanged

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Room:
    """A desk, its files, and what it told."""

    def __init__(self, folder: Path, turns: int = 0, *, keeps: bool = True) -> None:
        self.telling = Telling()
        self.told: list[object] = []
        self.telling.subscribe(self.told.append)
        self.notes = folder / "notes.ndjson"
        session = folder / "talk.messages.ndjson"
        lines = []
        for number in range(turns):
            at = NOON + timedelta(minutes=number)
            lines.append(to_line(Entry.of(ChatRole.USER, f"question {number}", at=at)))
            lines.append(to_line(Entry.of(ChatRole.ASSISTANT, f"answer {number}", at=at)))
        session.write_text("".join(lines))
        log = TurnLog(self.telling, lambda: NOON)
        self.kept = KeptTurns(folder / "details.ndjson")
        self.desk = TalkDesk(session if keeps else None, self.notes, log, self.telling, kept=self.kept)

    async def tend(self, action: str, **given: object) -> Any:
        """As it comes over the control socket: through JSON."""
        row = await self.desk.perform(action, Given(json.loads(json.dumps(given))))
        return json.loads(json.dumps(row))

    def talk(self, turn: int, asked: str, said: str) -> None:
        self.telling.tell(Asked(turn, asked, "en"))
        self.telling.tell(Exchanged(turn, asked, "en", "rule:maths", said, said, whole=True))


async def test_older_turns_come_page_by_page(tmp_path: Path) -> None:
    room = Room(tmp_path, 100)
    first = await room.tend("older", limit=30)
    assert [turn["asked"] for turn in first["turns"]] == [f"question {number}" for number in range(70, 100)]
    second = await room.tend("older", limit=70, before=first["before"])
    assert second["turns"][0]["asked"] == "question 0"
    assert second["before"] == 0


async def test_turns_that_are_shown_already_are_left_out(tmp_path: Path) -> None:
    room = Room(tmp_path, 10)
    page = await room.tend("older", until=(NOON + timedelta(minutes=8)).isoformat())
    assert [turn["asked"] for turn in page["turns"]][-1] == "question 7"


async def test_words_are_found_in_the_whole_conversation(tmp_path: Path) -> None:
    room = Room(tmp_path, 300)
    found = await room.tend("search", query="Answer 29")
    assert [turn["said"] for turn in found["turns"]][:2] == ["answer 299", "answer 298"]
    assert not found["more"]
    assert (await room.tend("search", query="answer", limit=5))["more"]
    with pytest.raises(BadInput, match="empty"):
        await room.tend("search", query="  ")


async def test_a_note_is_kept_told_and_shown_with_its_turn(tmp_path: Path) -> None:
    room = Room(tmp_path, 3)
    at = (NOON + timedelta(minutes=1)).isoformat()
    given = {"at": at, "asked": "question 1", "said": "answer 1", "verdict": "wrong", "note": "it was two"}
    await room.tend("note", **given)
    (told,) = [event for event in room.told if isinstance(event, TurnNoted)]
    assert (told.note.verdict, told.note.note) == (Verdict.WRONG, "it was two")
    turns = (await room.tend("older"))["turns"]
    assert [(turn["verdict"], turn["note"]) for turn in turns] == [("", ""), ("wrong", "it was two"), ("", "")]
    await room.tend("note", **{**given, "verdict": "", "note": ""})
    assert [turn["verdict"] for turn in (await room.tend("older"))["turns"]] == ["", "", ""]


@pytest.mark.parametrize(
    "given",
    [
        {"verdict": "good"},
        {"at": "noon", "verdict": "good"},
        {"at": "2026-03-01T12:00:00", "verdict": "good"},
        {"at": "2026-03-01T12:00:00+00:00", "verdict": "splendid"},
    ],
)
async def test_a_note_about_nothing_is_refused(tmp_path: Path, given: dict[str, object]) -> None:
    room = Room(tmp_path)
    with pytest.raises(BadInput):
        await room.tend("note", **given)
    assert not room.notes.exists()


async def test_where_no_conversation_is_kept_the_newest_turns_are_there_and_notes_hold_no_words(tmp_path: Path) -> None:
    room = Room(tmp_path, keeps=False)
    room.talk(1, "what is six times seven", "That's 42.")
    assert await room.tend("older") == {"turns": [], "before": 0}
    (found,) = (await room.tend("search", query="SEVEN"))["turns"]
    assert found["said"] == "That's 42."
    (recent,) = (await room.tend("recent"))["turns"]
    await room.tend("note", at=recent["at"], asked=recent["asked"], said=recent["said"], verdict="good")
    assert "seven" not in room.notes.read_text()


async def test_of_notes_given_at_once_the_last_one_counts(tmp_path: Path) -> None:
    room = Room(tmp_path, 3)
    at = (NOON + timedelta(minutes=1)).isoformat()
    given = {"at": at, "asked": "question 1", "said": "answer 1", "verdict": "wrong"}
    await asyncio.gather(*(room.tend("note", **given, note=str(number)) for number in range(20)))
    assert (await room.tend("older"))["turns"][1]["note"] == "19"
    assert [event.note.note for event in room.told if isinstance(event, TurnNoted)][-1] == "19"


async def test_an_older_turn_has_its_details_where_they_are_kept(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    ended = NOON + timedelta(minutes=1, seconds=-1)
    room.kept.add([TurnRecord(ended, 7, "", spoken=True, source="rule:clock", total=0.4, ended=ended)])

    turns = (await room.tend("older"))["turns"]

    assert turns[0]["details"] is None
    assert (turns[1]["details"]["source"], turns[1]["details"]["total"]) == ("rule:clock", 0.4)
    (found,) = (await room.tend("search", query="question 1"))["turns"]
    assert found["details"] == turns[1]["details"]
