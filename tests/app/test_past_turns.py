"""The past of a conversation is read from its end, a page at a time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.app.past_turns import PastTurn, PastTurns
from companion.compose.entry import Entry, to_line
from companion.errors import SessionError
from companion.model import ChatRole

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def write(file: Path, turns: int, *, padding: int = 0) -> None:
    lines = []
    for number in range(turns):
        at = NOON + timedelta(minutes=number)
        lines.append(to_line(Entry.of(ChatRole.USER, f"question {number}", language="en", at=at)))
        answer = f"answer {number}" + "." * padding
        lines.append(to_line(Entry.of(ChatRole.ASSISTANT, answer, at=at, interrupted=number == 1)))
    file.write_text("".join(lines), encoding="utf-8")


def all_pages(past: PastTurns, limit: int) -> list[PastTurn]:
    turns: list[PastTurn] = []
    before = -1
    while before:
        page = past.page(before, limit)
        turns = [*page.turns, *turns]
        before = page.before
    return turns


@pytest.mark.parametrize("padding", [0, 3000])
@pytest.mark.parametrize("limit", [1, 7, 40, 1000])
def test_pages_hold_every_turn_once_and_in_order(tmp_path: Path, limit: int, padding: int) -> None:
    file = tmp_path / "talk.ndjson"
    write(file, 300, padding=padding)
    turns = all_pages(PastTurns(file), limit)
    assert [turn.asked for turn in turns] == [f"question {number}" for number in range(300)]
    assert turns[1].interrupted
    assert turns[2].said == "answer 2" + "." * padding
    assert (turns[3].at, turns[3].language) == (NOON + timedelta(minutes=3), "en")


def test_where_nothing_was_said_yet_there_is_nothing(tmp_path: Path) -> None:
    past = PastTurns(tmp_path / "none.ndjson")
    assert past.page(-1, 10).turns == ()
    assert past.search("anything", 10) == ((), False)


def test_lines_that_are_none_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "talk.ndjson"
    write(file, 3)
    lines = file.read_bytes().split(b"\n")
    lines.insert(2, b'{"role": "user", "te')
    file.write_bytes(b"\n".join(lines) + b"\xff\xfe")
    assert [turn.asked for turn in all_pages(PastTurns(file), 2)] == ["question 0", "question 1", "question 2"]


def test_a_question_nobody_answered_stands_alone(tmp_path: Path) -> None:
    file = tmp_path / "talk.ndjson"
    file.write_text(to_line(Entry.of(ChatRole.USER, "one")) + to_line(Entry.of(ChatRole.USER, "two")))
    turns = PastTurns(file).page(-1, 10).turns
    assert [(turn.asked, turn.said) for turn in turns] == [("one", ""), ("two", "")]


def test_words_are_found_whatever_their_case_newest_first(tmp_path: Path) -> None:
    file = tmp_path / "talk.ndjson"
    write(file, 2500)
    found, is_more = PastTurns(file).search("QUESTION 240", 100)
    assert [turn.asked for turn in found][:2] == ["question 2409", "question 2408"]
    assert found[-1].asked == "question 240"
    assert not is_more
    assert PastTurns(file).search("answer", 5)[1]


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="directory"):
        PastTurns(tmp_path).page(-1, 10)
