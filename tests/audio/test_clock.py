"""The sample clock finds its way to the machine's clock through late and bursty arrivals."""

from __future__ import annotations

import pytest

from companion.audio.clock import ArrivalClock


def test_the_smallest_lag_is_the_truth() -> None:
    clock = ArrivalClock()
    assert clock.time_of(0) is None
    for block, late in enumerate([0.03, 0.01, 0.05, 0.02]):
        clock.arrived((block + 1) * 320, 100.0 + (block + 1) * 0.02 + late)

    assert clock.time_of(20) == pytest.approx(100.03)


def test_a_drifting_device_is_followed_within_seconds() -> None:
    clock = ArrivalClock()
    for block in range(1, 3001):
        clock.arrived(block * 320, 100.0 + block * 0.02 * 1.001)

    assert clock.time_of(60_000) == pytest.approx(160.06, abs=0.01)


def test_lost_sound_voids_what_was_known() -> None:
    clock = ArrivalClock()
    clock.arrived(320, 1.0)
    clock.restart()
    assert clock.time_of(0) is None
    clock.arrived(640, 9.0)

    assert clock.time_of(40) == pytest.approx(9.0)
