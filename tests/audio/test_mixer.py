"""What reaches the loudspeaker: ramps in time, counts that are true, chimes over it all."""

from __future__ import annotations

import numpy as np
import pytest
from doubles.sounds import tone

from companion.audio.mixer import DUCKED_GAIN, Mixer

RATE = 48_000
MS_10 = 480


def speaking(seconds: float = 1.0) -> Mixer:
    mixer = Mixer(RATE)
    mixer.begin()
    mixer.add(np.full(int(seconds * RATE), 10_000, np.int16))
    return mixer


def heard(mixer: Mixer, blocks: int) -> np.ndarray:
    return np.concatenate([np.frombuffer(mixer.render(MS_10)[0], np.int16) for _ in range(blocks)])


def test_ducking_is_almost_silent_within_60_ms_and_comes_back() -> None:
    mixer = speaking()
    heard(mixer, 10)

    mixer.duck()
    lowered = heard(mixer, 6)
    mixer.unduck()
    raised = heard(mixer, 6)

    assert lowered[-MS_10:].max() <= 10_000 * DUCKED_GAIN + 1
    assert np.abs(np.diff(lowered.astype(int))).max() < 20
    assert raised[-1] == 10_000
    assert mixer.heard_seconds == pytest.approx(0.22)


def test_hushing_fades_in_about_30_ms_without_a_click_and_ends_the_reply() -> None:
    mixer = speaking()
    heard(mixer, 10)

    mixer.hush()
    faded = heard(mixer, 4)

    assert not faded[3 * MS_10 :].any()
    assert np.abs(np.diff(faded.astype(int))).max() < 20
    assert mixer.reply_ended
    assert mixer.is_hushed
    mixer.add(np.full(MS_10, 1, np.int16))
    assert mixer.reply_ended


def test_what_was_ducked_before_the_hush_was_not_heard() -> None:
    mixer = speaking()
    heard(mixer, 10)
    mixer.duck()
    heard(mixer, 25)
    mixer.hush()
    heard(mixer, 4)

    assert mixer.heard_seconds == pytest.approx(0.1)


def test_a_gap_in_the_reply_counts_as_one_starving() -> None:
    mixer = speaking(0.02)
    heard(mixer, 5)
    mixer.add(np.full(MS_10, 5, np.int16))
    heard(mixer, 3)
    mixer.finish()
    heard(mixer, 3)

    assert mixer.starved == 2
    assert mixer.taken == 3 * MS_10


def test_the_first_sound_is_the_first_that_is_no_silence() -> None:
    mixer = Mixer(RATE)
    mixer.begin()
    mixer.add(np.concatenate([np.zeros(1000, np.int16), np.full(1000, 500, np.int16)]))
    mixer.chime(tone(440, 0.1, rate=RATE))
    heard(mixer, 1)
    assert mixer.first_loud is None

    heard(mixer, 3)
    assert mixer.first_loud == 1000


def test_chimes_sound_over_a_reply_and_alone_and_never_wrap_around() -> None:
    mixer = speaking()
    mixer.chime(np.full(MS_10 * 2, 30_000, np.int16))
    both = heard(mixer, 3)
    assert both[0] == 32_767
    assert both[-1] == 10_000

    alone = Mixer(RATE)
    alone.chime(np.full(MS_10 + 5, 700, np.int16))
    assert heard(alone, 2).sum() == 700 * (MS_10 + 5)
    assert alone.is_idle


def test_volume_goes_as_a_knob_does_and_silence_is_told() -> None:
    mixer = speaking()
    mixer.volume = 0.5
    assert heard(mixer, 1)[0] == 2500
    mixer.volume = 0.0
    assert mixer.render(MS_10)[1]


def test_a_reply_goes_on_at_another_rate() -> None:
    mixer = speaking(1.0)
    heard(mixer, 50)

    mixer.change_rate(16_000)
    mixer.finish()

    assert mixer.waiting_seconds == pytest.approx(0.5, abs=0.01)
    assert mixer.heard_seconds == pytest.approx(0.5, abs=0.01)
    rest = np.frombuffer(mixer.render(16_000)[0], np.int16)
    assert abs(np.flatnonzero(rest)[-1] - 8000) < 20
