"""What a recording of the loudspeaker shows of an interruption."""

from __future__ import annotations

import numpy as np
import pytest

from companion.app.bench.barge_in import judge

RATE = 16_000
ONSET = round(1.5 * RATE)


def reply(seconds: float, level: float = 3000.0) -> np.ndarray:
    return (level * np.random.default_rng(5).standard_normal(round(seconds * RATE))).astype(np.int16)


def test_a_reply_is_ducked_then_stopped() -> None:
    ducked = reply(0.2, 3000 * 10 ** (-40 / 20))
    recording = np.concatenate([reply(1.6), ducked, np.zeros(2 * RATE, np.int16)])

    judged = judge(recording, ONSET)

    assert judged.almost_silent == pytest.approx(0.1, abs=0.015)
    assert judged.stopped == pytest.approx(0.3, abs=0.015)


def test_the_answer_that_follows_does_not_count() -> None:
    recording = np.concatenate([reply(1.6), np.zeros(RATE, np.int16), reply(1.0), np.zeros(RATE // 2, np.int16)])

    assert judge(recording, ONSET).stopped == pytest.approx(0.1, abs=0.015)


def test_a_reply_that_came_back_was_not_silenced() -> None:
    recording = np.concatenate([reply(1.6), reply(0.2, 20.0), reply(3.0)])

    judged = judge(recording, ONSET)

    assert judged.almost_silent is None
    assert judged.stopped is None
