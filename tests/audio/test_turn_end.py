"""Whether a sentence sounds finished."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from doubles.sounds import RATE, spoken, voice

from companion.audio.resample import samples_of
from companion.audio.turn_end import SmartTurn, last_seconds, log_mel
from companion.audio.wave import read_sound
from companion.errors import ModelBroken

MODEL = "smart-turn-v3.2/smart-turn-v3.2-cpu.onnx"


async def test_whole_orders_sound_complete_and_halves_do_not(shelf_folder: Path) -> None:
    judge = SmartTurn(shelf_folder / MODEL)
    whole, half = [], []
    for file in spoken("commands"):
        sound = samples_of(read_sound(file))
        speech = sound[: len(sound) - RATE]
        whole.append(await judge.judge(speech.tobytes()))
        half.append(await judge.judge(speech[: len(speech) // 2].tobytes()))

    assert np.mean(np.array(whole) > 0.7) >= 0.75
    assert np.mean(np.array(half) > 0.7) <= 0.5
    assert np.median(whole) - np.median(half) > 0.3


async def test_any_length_of_sound_is_judged(shelf_folder: Path) -> None:
    judge = SmartTurn(shelf_folder / MODEL)
    for sound in (b"", b"\0\0", bytes(2 * 20 * RATE), np.tile(voice("lj"), 8).tobytes()):
        assert 0.0 <= await judge.judge(sound) <= 1.0


async def test_a_file_that_is_no_network_is_refused(tmp_path: Path, shelf_folder: Path) -> None:
    (tmp_path / "junk.onnx").write_bytes(b"junk")
    with pytest.raises(ModelBroken, match=r"junk\.onnx does not load"):
        await SmartTurn(tmp_path / "junk.onnx").load()

    other = next((shelf_folder / "piper-en_US-joe-medium").glob("*.onnx"))
    with pytest.raises(ModelBroken, match="another kind of network"):
        await SmartTurn(other).judge(b"")


def test_features_are_whispers() -> None:
    features = log_mel(last_seconds(voice("lj").tobytes()))

    assert features.shape == (80, 800)
    assert features.dtype == np.float32
    assert features.max() - features.min() <= 2.0 + 1e-6
    # The second before the speech was silence; the band with the pitch is the loudest.
    assert (features[:, 0] == features.min()).all()
