"""The details of turns outlive the companion without a word that was said, stay bounded, and forget with the memory."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.agent.stages import Recalled
from companion.app.events import Telling, WentOut
from companion.app.kept_turns import CLOSE, EndedTurns, KeptTurns, TurnKeeper
from companion.app.turn_log import TurnRecord, TurnRecorded
from companion.app.turn_rows import record_of, row_of

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def a_turn(minutes: int = 0, **more: object) -> TurnRecord:
    at = NOON + timedelta(minutes=minutes)
    record = TurnRecord(
        at,
        3,
        "when is Emma's birthday",
        spoken=True,
        language="en",
        written="In June.",
        said="In June.",
        source="model:smol",
        served=(("language model", "Groq"),),
        seconds=(("wait", 0.5), ("first_token", 0.1)),
        total=0.6,
        recalled=(Recalled("Emma was born in June.", "fact", 0.9, "about Emma"),),
        tools=("search",),
        left=(WentOut("Groq", "api.groq.com", 1200, ("text",)),),
        problems=("weather: no network",),
        ended=at + timedelta(seconds=2),
    )
    return replace(record, **more)  # type: ignore[arg-type]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "turn-details.ndjson"


def without_words(record: TurnRecord) -> TurnRecord:
    return replace(record, asked="", written="", said="")


def test_a_turn_is_the_same_behind_json() -> None:
    assert record_of(json.loads(json.dumps(row_of(a_turn())))) == a_turn()
    assert record_of(row_of(a_turn(ended=None))).ended is None


@pytest.mark.parametrize("row", [{}, {**row_of(a_turn()), "at": "noon"}, {**row_of(a_turn()), "recalled": [3]}])
def test_what_is_no_turn_is_refused(row: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        record_of(row)


def test_details_outlive_the_companion_without_a_word_that_was_said(file: Path) -> None:
    KeptTurns(file).add([a_turn(), a_turn(1)])

    assert KeptTurns(file).all() == (without_words(a_turn()), without_words(a_turn(1)))
    assert "birthday" not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600


def test_of_a_turn_that_is_told_twice_the_newest_counts_and_a_line_that_is_none_is_left_out(file: Path) -> None:
    kept = KeptTurns(file)
    kept.add([a_turn(recalled=())])
    with file.open("a") as more:
        more.write("torn {\n[]\n{}\n")
    kept.add([a_turn()])

    assert kept.all() == (without_words(a_turn()),)


def test_a_file_that_is_too_long_keeps_its_newer_half(file: Path) -> None:
    kept = KeptTurns(file, most=6000)
    for minute in range(100):
        kept.add([a_turn(minute)])
        assert file.stat().st_size <= 6000

    minutes = [(record.at - NOON) // timedelta(minutes=1) for record in kept.all()]
    assert minutes[-1] == 99
    assert minutes == list(range(minutes[0], 100))
    assert len(minutes) >= 2


def test_what_was_recalled_is_gone_when_something_was_forgotten_but_not_that_something_was(file: Path) -> None:
    kept = KeptTurns(file)
    kept.add([a_turn()])

    kept.forget_recalled()

    assert "Emma" not in file.read_text()
    (record,) = kept.all()
    assert record.recalled == (Recalled("", ""),)
    assert record.total == 0.6


def test_a_turn_of_the_conversation_finds_its_details_by_its_end() -> None:
    first, second = a_turn(), a_turn(1)
    ended = EndedTurns([first, second])

    assert first.ended is not None
    assert second.ended is not None
    assert ended.at(first.ended + timedelta(seconds=0.3)) is first
    assert ended.at(second.ended - timedelta(seconds=1)) is second
    assert ended.at(second.ended + 2 * CLOSE) is None
    assert ended.at(None) is None
    assert EndedTurns([]).at(NOON) is None


async def test_what_is_told_is_written_by_the_time_it_is_closed(file: Path) -> None:
    telling, kept = Telling(), KeptTurns(file)
    keeper = TurnKeeper(kept, telling, keeps=True)
    telling.tell(TurnRecorded(a_turn(recalled=())))
    telling.tell(TurnRecorded(a_turn()))

    await keeper.close()
    telling.tell(TurnRecorded(a_turn(1)))
    await keeper.close()

    assert kept.all() == (without_words(a_turn()),)


async def test_where_no_conversation_is_kept_nothing_is_written(file: Path) -> None:
    telling = Telling()
    keeper = TurnKeeper(KeptTurns(file), telling, keeps=False)
    telling.tell(TurnRecorded(a_turn()))

    await keeper.close()

    assert KeptTurns(file).all() == ()


async def test_a_disk_that_refuses_keeps_nothing_and_hurts_nobody(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no folder")
    telling = Telling()
    keeper = TurnKeeper(KeptTurns(tmp_path / "data" / "turns"), telling, keeps=True)
    telling.tell(TurnRecorded(a_turn()))

    await keeper.close()
