"""The bands in which the networks hear."""

from __future__ import annotations

import numpy as np

from companion.voice.mel import mel_filters


def test_mel_bands_follow_slaneys_scale() -> None:
    filters = np.array(mel_filters(80, 400, 16_000))
    peaks = filters.argmax(axis=1) * 40.0

    assert filters.shape == (80, 201)
    assert (filters.sum(axis=1) > 0).all()
    assert (np.diff(peaks) >= 0).all()
    assert peaks[-1] > 7000
