"""What is said of an echo: none, gone, too loud, or here to stay."""

from __future__ import annotations

import pytest

from companion.app.trials.echo import Verdict, Watch, verdict_of

LOUD = 1e6
ROOM = 1e2


@pytest.mark.parametrize(
    ("near", "left", "room", "clipped", "verdict"),
    [
        (ROOM, ROOM, ROOM, 0.0, Verdict.UNHEARD),
        (1.5e5, 1.4e5, 1e5, 0.0, Verdict.UNHEARD),
        (LOUD, ROOM, ROOM, 0.0, Verdict.GOOD),
        (LOUD, LOUD / 30, ROOM, 0.0, Verdict.GOOD),
        (LOUD, LOUD / 12, ROOM, 0.0, Verdict.TOO_LOUD),
        (LOUD, LOUD / 30, ROOM, 0.05, Verdict.TOO_LOUD),
        (LOUD, 0.9 * LOUD, ROOM, 0.0, Verdict.HEADPHONES),
    ],
)
def test_an_echo_is_judged(near: float, left: float, room: float, clipped: float, verdict: Verdict) -> None:
    assert verdict_of(near, left, room, clipped=clipped) is verdict


def test_a_tune_that_never_played_counts_as_unheard() -> None:
    assert Watch().judged().verdict is Verdict.UNHEARD
