"""A conversation through files is written down turn by turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.sound import writable
from companion.app.talk import Transcript
from companion.errors import SoundFileError
from companion.voice.events import AnswerStarted, HeardText, Spoken, TurnTimed


def test_each_turn_has_its_words_its_source_and_its_times() -> None:
    transcript = Transcript()
    for event in (
        HeardText("what time", "en", final=False),
        AnswerStarted("rule:clock.time"),  # begun before the turn was known to have ended
        HeardText("what time is it", "en", final=True),
        TurnTimed(0.2, 0.15, 0.0, 0.12, 0.35),
        Spoken("It's noon.", whole=True),
        HeardText("stop", "en", final=True),
        AnswerStarted("rule:stop"),
        Spoken("", whole=False),
    ):
        transcript.note(event)

    first, second = transcript.turns
    assert (first.heard, first.source, first.said, first.whole) == (
        "what time is it",
        "rule:clock.time",
        "It's noon.",
        True,
    )
    assert first.seconds["total"] == 0.35
    assert (second.heard, second.source, second.whole) == ("stop", "rule:stop", False)


@pytest.mark.parametrize("name", ["answer.mp3", "answer", "missing/answer.wav"])
def test_a_place_that_cannot_be_written_is_refused_before_the_work_begins(tmp_path: Path, name: str) -> None:
    with pytest.raises(SoundFileError) as fault:
        writable(tmp_path / name)
    assert fault.value.mend
    assert list(tmp_path.iterdir()) == []


def test_a_good_place_is_left_as_it_is(tmp_path: Path) -> None:
    assert writable(tmp_path / "answer.wav") == tmp_path / "answer.wav"
    assert list(tmp_path.iterdir()) == []
