"""What is said of a recording: nothing, too low, too loud, or good."""

from __future__ import annotations

import numpy as np
import pytest
from doubles.sounds import tone, voice, white

from companion.app.trials.playback import Verdict, judged
from companion.audio.resample import Samples


@pytest.mark.parametrize(
    ("sound", "verdict"),
    [
        (np.zeros(16_000, np.int16), Verdict.SILENT),
        (np.zeros(0, np.int16), Verdict.SILENT),
        (white(1.0, -75.0), Verdict.UNHEARD),
        (white(1.0, -50.0), Verdict.FAINT),
        (voice("commands", 2), Verdict.GOOD),
        (np.clip(tone(200, 1.0, level=0.9).astype(int) * 4, -32768, 32767).astype(np.int16), Verdict.LOUD),
    ],
)
def test_a_recording_is_judged(sound: Samples, verdict: Verdict) -> None:
    assert judged(sound.tobytes()).verdict is verdict
