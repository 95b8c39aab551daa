"""Frames turn a clause into the usual order, and every line of every table is one."""

from __future__ import annotations

import pytest

from companion.memory.distil import en_frames, zh_frames
from companion.memory.distil.frames import Frame, frames


def test_a_frame_puts_what_was_found_where_its_order_says() -> None:
    (frame,) = frames("(the )?X THAT S likes -> S likes X", {"X": "(?P<x>.+?)", "S": r"(?P<s>\w+)", "THAT": "that"})

    assert frame.turned("the cat that emma likes", "the Cat that Emma likes", "i") == "Emma likes Cat"
    assert frame.turned("emma likes the cat", "emma likes the cat", "i") == ""


def test_where_nobody_is_named_it_is_whoever_speaks() -> None:
    (frame,) = frames("my food is X -> S eats X", {"X": "(?P<x>.+?)"})

    assert frame.turned("my food is rice", "my food is rice", "i") == "i eats rice"


def test_who_is_nobody_is_told_nothing_of() -> None:
    (frame,) = frames("S likes X -> S likes X", {"X": "(?P<x>.+?)", "S": r"(?P<s>\w+)"})

    assert frame.turned("it likes rain", "it likes rain", "i", frozenset({"it"})) == ""


@pytest.mark.parametrize("table", [en_frames.FRAMES, zh_frames.FRAMES])
def test_every_frame_is_a_pattern_and_nearly_all_have_a_cue(table: tuple[Frame, ...]) -> None:
    for frame in table:
        assert frame.pattern.match("") is None
        assert frame.pattern.compiled.pattern.endswith("$")
    assert sum(frame.pattern.cues == ("",) for frame in table) <= 2
