"""The made room delays, weakens and reverberates, and never lags behind for good."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from companion.app.echo_path import OWN_DELAY_MS, RATE, Room


def echo_of(sound: np.ndarray, room: Room) -> np.ndarray:
    """Fed a block at a time: what piles up in a pipe is dropped, as a sound card would."""
    with subprocess.Popen(room.command(sys.executable), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        heard = b""
        for at in range(0, len(sound) - 159, 160):
            process.stdin.write(sound[at : at + 160].tobytes())
            process.stdin.flush()
            heard += process.stdout.read(320)
        process.stdin.close()
    return np.frombuffer(heard, np.int16)


@pytest.mark.parametrize("delay_ms", [50, 300])
def test_a_click_comes_back_late_and_weaker_with_a_tail(delay_ms: int) -> None:
    click = np.zeros(RATE, np.int16)
    click[0] = 20_000
    heard = echo_of(click, Room(delay_ms=delay_ms, loss_db=6.0))

    assert int(np.flatnonzero(heard)[0]) == (delay_ms - OWN_DELAY_MS) * RATE // 1000
    energy = np.sqrt((heard.astype(float) ** 2).sum()) / 20_000
    assert energy == pytest.approx(0.5, rel=0.05)
    assert len(np.flatnonzero(heard)) > 1000


def test_the_response_dies_away() -> None:
    response = Room(reverberation=0.2).response()

    assert np.abs(response[-100:]).max() < np.abs(response[:400]).max() / 100
