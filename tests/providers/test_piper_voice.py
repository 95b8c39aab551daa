"""A voice in two halves: the same sound as in one run, in windows that leave time for the next one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from companion.providers.local.onnx_cut import Halves, NotCuttable, cut
from companion.providers.local.piper_voice import CutVoice, Vocoder, WholeVoice, bent, load_voice

RATE = 22_050


@pytest.fixture(scope="module")
def joe(shelf_folder: Path) -> Path:
    return shelf_folder / "piper-en_US-joe-medium" / "en_US-joe-medium.onnx"


@pytest.fixture(scope="module")
def halves(joe: Path) -> Halves:
    return cut(memoryview(joe.read_bytes()))


def ran(model: str | bytes, feed: dict[str, np.ndarray]) -> np.ndarray:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"]).run(None, feed)[0]


class Blurred:
    """A stand-in for a session: every frame is one sample, the mean of it and its neighbours."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def run(self, _: None, feed: dict[str, np.ndarray]) -> list[np.ndarray]:
        (frames,) = feed.values()
        self.sizes.append(frames.shape[2])
        return [np.convolve(frames[0, 0], [1 / 3] * 3, mode="same")]


def vocoder(session: object, pace: float) -> Vocoder:
    made = Vocoder(session, Halves(b"", b"", "z", hop=1, context=1), rate=86)  # type: ignore[arg-type]
    made._note = lambda *_: None  # type: ignore[method-assign]
    made.pace = pace
    return made


def test_both_halves_together_are_the_voice(joe: Path, halves: Halves) -> None:
    ids = np.array([[1, 0, 20, 0, 18, 0, 24, 0, 59, 0, 14, 0, 2]], np.int64)
    feed = {
        "input": ids,
        "input_lengths": np.array([ids.shape[1]], np.int64),
        "scales": np.array([0, 1, 0], np.float32),
    }
    frames = ran(halves.front, feed)
    sound = ran(halves.vocoder, {halves.latent: frames})
    assert np.abs(sound - ran(str(joe), feed)).max() < 1e-4
    assert sound.size == frames.shape[2] * halves.hop


def test_the_windows_joined_are_the_sound_of_one_run(halves: Halves) -> None:
    session = onnxruntime.InferenceSession(halves.vocoder, providers=["CPUExecutionProvider"])
    frames = np.random.default_rng(7).standard_normal((1, 192, 150)).astype(np.float32)
    maker = Vocoder(session, halves, RATE)
    maker.pace = 0.2
    parts = list(maker.windows(frames))
    assert len(parts) > 1
    assert np.abs(np.concatenate(parts) - maker.whole(frames)).max() < 1e-4


@pytest.mark.parametrize("length", [1, 23, 24, 25, 47, 48, 49, 130, 1000])
@pytest.mark.parametrize("pace", [0.0, 0.05, 0.2, 0.5, 3.0])
def test_no_frame_is_lost_or_made_twice(length: int, pace: float) -> None:
    frames = np.random.default_rng(3).standard_normal((1, 1, length)).astype(np.float32)
    maker = vocoder(Blurred(), pace)
    assert np.allclose(np.concatenate(list(maker.windows(frames))), maker.whole(frames))


def test_a_quick_machine_makes_a_short_window_and_then_all_the_rest() -> None:
    session = Blurred()
    list(vocoder(session, 0.03).windows(np.zeros((1, 1, 300), np.float32)))
    assert session.sizes == [25, 277]


def test_a_slower_machine_makes_windows_that_are_ready_in_time() -> None:
    pace, session = 0.2, Blurred()
    parts = [len(part) for part in vocoder(session, pace).windows(np.zeros((1, 1, 900), np.float32))]
    heard_until = parts[0]
    worked = 0.0
    for part, size in zip(parts[1:], session.sizes[1:], strict=True):
        worked += size * pace
        assert worked < heard_until
        heard_until += part
    assert len(parts) > 2


def test_a_machine_that_gets_slower_is_believed_sooner_than_one_that_gets_quicker() -> None:
    maker = Vocoder(Blurred(), Halves(b"", b"", "z", hop=1, context=1), rate=1)  # type: ignore[arg-type]
    paces = []
    for seconds in (1, 3, 1):
        maker._note(seconds, frames=10)
        paces.append(maker.pace)
    assert paces == pytest.approx([0.1, 0.3, 0.25])


def test_a_machine_that_is_too_slow_makes_it_in_one_run() -> None:
    session = Blurred()
    list(vocoder(session, 0.9).windows(np.zeros((1, 1, 300), np.float32)))
    assert session.sizes == [300]


def test_a_voice_that_is_built_another_way_is_spoken_in_one_run(joe: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: memoryview) -> Halves:
        raise NotCuttable("another way")

    monkeypatch.setattr("companion.providers.local.piper_voice.cut", refuse)
    voice = load_voice(joe, threads=2)
    assert isinstance(voice, WholeVoice)
    assert len(list(voice.say("Sure.", 1.0, 0.0))) == 1


@pytest.mark.parametrize("damage", [b"", b"not a model", b"\x3a\xff\xff", b"\x3a\x02\x0a\x00", b"\x80" * 20, b"\x3b"])
def test_what_is_no_voice_is_not_cut(damage: bytes) -> None:
    with pytest.raises(NotCuttable):
        cut(memoryview(damage))


def test_a_voice_cut_off_anywhere_is_not_cut_in_two(joe: Path) -> None:
    model = memoryview(joe.read_bytes())
    for size in (1000, 100_000, len(model) // 2, len(model) - 1):
        with pytest.raises(NotCuttable):
            cut(model[:size])


def test_every_sentence_is_as_loud_as_the_voice_was_measured(joe: Path) -> None:
    voice = load_voice(joe, threads=2)
    assert isinstance(voice, CutVoice)
    for words in ("Sure.", "The kettle is boiling and the tea is nearly ready."):
        samples = np.frombuffer(b"".join(voice.say(words, 1.0, 0.0)), np.int16)
        assert 10_000 < np.abs(samples.astype(np.int32)).max() < 32_767


def test_loud_moments_are_bent_and_quiet_ones_are_left_alone() -> None:
    sound = np.array([-3, -1, -0.8, 0, 0.5, 0.8, 0.9, 2], np.float32)
    bound = bent(sound)
    assert np.array_equal(bound[2:6], sound[2:6])
    assert np.all(np.diff(bound) >= 0)
    assert np.abs(bound).max() <= 1
