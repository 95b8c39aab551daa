"""A pattern is made when a text has what it needs, and fits what it would have fitted anyway."""

from __future__ import annotations

import re

import pytest

from companion.memory.distil.cued import Cued, cues


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        (r"^(?P<x>.+?) is my birthday$", (" is my birthday",)),
        (r"^(?:i|we) moved the (?P<y>.+)$", (" moved the ",)),
        (r"在(?P<x>.+?)(?:上班|工作)", ("上班", "工作")),
        (r"(?:喜欢|爱)?(?P<x>.+)", ("",)),
        (r"lives?(?: in)? x{0,2}", ("live",)),
        (r"one|two", ("",)),
        (r"不(?:再)?吃(?!药)", ("不",)),
    ],
)
def test_what_a_text_must_have_is_read_off_the_pattern(pattern: str, told: tuple[str, ...]) -> None:
    assert cues(pattern) == told


def test_a_text_without_the_cue_makes_no_pattern() -> None:
    pattern = Cued(r"(never (closed")

    assert pattern.match("nothing of the kind") is None
    with pytest.raises(re.error):
        pattern.match("(never (closed")


def test_what_leads_tells_no_cue_and_is_matched() -> None:
    pattern = Cued(r"likes (?P<x>\w+)", r"^(?:he|she) ")

    found = pattern.match("she likes tea")

    assert found is not None
    assert found["x"] == "tea"
