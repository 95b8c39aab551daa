"""Where a voice begins and ends, on real clips with known silence around them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.app.bench.clips import Clips
from companion.app.bench.noise import Noise, at_level
from companion.app.bench.truth import frame_levels, voice_span
from companion.audio.resample import samples_of
from companion.audio.wave import read_sound

RATE = 16_000


SPOKEN = Path(__file__).resolve().parents[2] / "spoken"


@pytest.fixture(scope="module")
def order():
    """A recorded order without the silence around it."""
    samples = samples_of(read_sound(Clips(SPOKEN).orders()[0].file))
    span = voice_span(samples)
    assert span is not None
    return samples[round(span.began * RATE) : round(span.ended * RATE)]


@pytest.mark.parametrize("room", [-90.0, -65.0])
def test_the_span_is_found_to_a_few_hundredths(order, room: float) -> None:
    hiss = at_level(Noise().make("white", len(order) + 3 * RATE), room)
    hiss[RATE : RATE + len(order)] = order
    span = voice_span(hiss)

    assert span is not None
    assert span.began == pytest.approx(1.0, abs=0.06)
    assert span.ended == pytest.approx(1.0 + len(order) / RATE, abs=0.06)


def test_a_click_long_after_the_voice_is_no_part_of_it(order) -> None:
    sound = np.pad(order, (RATE, 2 * RATE))
    sound[-RATE : -RATE + 80] = 12_000
    span = voice_span(sound)

    assert span is not None
    assert span.ended == pytest.approx(1.0 + len(order) / RATE, abs=0.06)


def test_where_nobody_speaks_there_is_no_span() -> None:
    assert voice_span(np.zeros(RATE, np.int16)) is None
    assert voice_span(at_level(Noise().make("white", RATE), -40.0)) is None


def test_levels_are_in_dbfs() -> None:
    tone = np.full(320, 3277, np.int16)

    assert frame_levels(tone) == pytest.approx([-20.0, -20.0], abs=0.01)
    assert frame_levels(np.zeros(160, np.int16)) == pytest.approx([-120.0])
