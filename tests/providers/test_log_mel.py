"""Features: the same numbers the library computes, only sooner."""

from __future__ import annotations

import numpy as np
import pytest
from faster_whisper.feature_extractor import FeatureExtractor

from companion.providers.local.log_mel import LogMel


@pytest.mark.parametrize("bands", [80, 128])
@pytest.mark.parametrize("count", [1, 100, 16_000, 47_999, 48_000, 100_001])
def test_features_equal_those_of_the_library(bands: int, count: int) -> None:
    sound = (np.random.default_rng(count).standard_normal(count) * 0.1).astype(np.float32)
    padded = np.pad(sound, (0, 160_000 - count))

    theirs = FeatureExtractor(feature_size=bands)(padded, padding=0)
    ours = LogMel(bands)(sound, 1000)

    assert ours.shape == (bands, 1000)
    assert ours.dtype == np.float32
    np.testing.assert_allclose(ours, theirs, atol=1e-5)


def test_no_sound_at_all_is_silence() -> None:
    features = LogMel()(np.zeros(0, np.float32), 100)
    assert np.ptp(features) < 1e-6


def test_longer_sound_is_cut() -> None:
    assert LogMel()(np.ones(32_000, np.float32), 100).shape == (80, 100)
