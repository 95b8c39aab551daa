"""Recorded voices are found with what is said in them, and scored word by word."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.bench.clips import Clips, slots_heard, words_of
from companion.errors import BadInput

SPOKEN = Path(__file__).resolve().parents[2] / "spoken"


def test_the_voices_of_the_tests_are_such_a_folder() -> None:
    clips = Clips(SPOKEN)

    assert clips.orders()
    assert all(order.slots for order in clips.orders())
    assert clips.wake_words()
    assert clips.other_words()
    assert [text for _, text in clips.sentences()]


def test_a_folder_without_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"labels\.json is missing"):
        Clips(tmp_path)


@pytest.mark.parametrize("labels", ["no json", "[]", '{"a.wav": {}}', '{"a.wav": {"slots": 3}}'])
def test_broken_labels_are_refused_by_name(tmp_path: Path, labels: str) -> None:
    (tmp_path / "labels.json").write_text(labels)

    with pytest.raises(BadInput, match=r"labels\.json"):
        Clips(tmp_path)


def test_numbers_count_however_they_are_written() -> None:
    assert words_of("A 20 ounce, triple-shot!") == ["a", "twenty", "ounce", "triple", "shot"]


@pytest.mark.parametrize(
    ("transcript", "heard"),
    [
        ("Can I get a large mocha with lots of sugar?", 3),
        ("Can I get a large mocha with a lot of sugar?", 2),
        ("larger mochas", 0),
        ("", 0),
    ],
)
def test_a_slot_is_heard_when_all_its_words_stand_together(transcript: str, heard: int) -> None:
    assert slots_heard(transcript, ["large", "mocha", "lots of sugar"]) == (heard, 3)
