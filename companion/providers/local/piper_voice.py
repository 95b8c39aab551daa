"""One loaded Piper voice: a sentence's frames at once, then their sound window by window, so that it starts early.

Laws:

1. The windows joined are the sound of one run: each is made with as many frames on both sides as its samples depend on.
2. The work of a window takes half the time at most for which the sound before it lasts. Where the machine is
   too slow for that, and for a voice that cannot be cut, a sentence is made in one run.
3. How loud a voice is was measured when it was loaded, and is the same for all that it says: nobody knows the loudest
   moment of a sentence whose end is not made yet.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from companion.errors import ModelBroken
from companion.providers.local.log_mel import Floats
from companion.providers.local.onnx_cut import Halves, NotCuttable, cut

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from piper import PiperVoice, SynthesisConfig

logger = logging.getLogger(__name__)

_FIRST = 24
"""Frames of the first window; a frame is 12 ms with most voices."""
_PART_OF_TIME = 0.5
_RELIEF = 0.25
"""How much of a gain in pace is believed at once; a loss is believed whole, for a gap is worse than more windows."""
_MEASURED_BY = "1 2 3 4 5 6 7 8 9."
"""Every language has words for it. Fewer of them find no loud moment, and make all else too loud."""
_KNEE = 0.8
"""Samples beyond this are bent so that they stay below 1."""
_MOST_GAIN = 8.0
_NEEDS_DOWNLOADS = ("pinyin",)
"""Ways of spelling for which the library would fetch more from the net."""


class Vocoder:
    """Makes sound of frames. Belongs to one thread.

    pace: seconds of work for a second of sound, rather too many than too few.
    """

    def __init__(self, session: InferenceSession, halves: Halves, rate: int) -> None:
        self.pace = 0.0
        self._session = session
        self._latent = halves.latent
        self._hop = halves.hop
        self._side = halves.context
        self._frame_seconds = halves.hop / rate

    def windows(self, frames: Floats) -> Generator[Floats, None, None]:
        """The sound of ``frames`` (1, channels, time), as long as there is more of it."""
        total = frames.shape[2]
        start, in_hand, size = 0, 0.0, _FIRST if self._fits(_FIRST) >= _FIRST else total
        while start < total:
            # A rest that is shorter than the first window is not worth a run of its own.
            end = start + size if start + size + _FIRST < total else total
            yield self._run(frames, start, end)
            in_hand += end - start - (self._work(size) if start else 0)
            start, size = end, max(self._fits(in_hand), _FIRST)

    def whole(self, frames: Floats) -> Floats:
        return self._run(frames, 0, frames.shape[2])

    def _fits(self, in_hand: float) -> int:
        """Frames that can be made in time, while the sound of ``in_hand`` frames is heard."""
        return int(_PART_OF_TIME * in_hand / max(self.pace, 0.01)) - 2 * self._side

    def _work(self, size: int) -> float:
        """The time that a window takes, in frames."""
        return (size + 2 * self._side) * self.pace

    def _run(self, frames: Floats, start: int, end: int) -> Floats:
        left, right = max(start - self._side, 0), min(end + self._side, frames.shape[2])
        began = time.perf_counter()
        sound = self._session.run(None, {self._latent: frames[:, :, left:right]})[0].reshape(-1)
        self._note(time.perf_counter() - began, right - left)
        part: Floats = sound[(start - left) * self._hop : (end - left) * self._hop]
        return part

    def _note(self, seconds: float, frames: int) -> None:
        pace = seconds / (frames * self._frame_seconds)
        self.pace = max(pace, self.pace + _RELIEF * (pace - self.pace))


class CutVoice:
    """A voice in two halves."""

    def __init__(self, front: PiperVoice, vocoder: Vocoder) -> None:
        self.rate: int = front.config.sample_rate
        self._front = front
        self._vocoder = vocoder
        loudest = max(
            (float(np.abs(self._vocoder.whole(made)).max()) for made in self._frames(_MEASURED_BY)), default=0
        )
        self._gain = min(1 / max(loudest, 1e-6), _MOST_GAIN)

    def say(self, words: str, speed: float, variation: float) -> Generator[bytes, None, None]:
        """16-bit sound, window by window."""
        for frames in self._frames(words, _manner(self._front, speed, variation)):
            for sound in self._vocoder.windows(frames):
                yield (bent(sound * self._gain) * 32767).astype(np.int16).tobytes()

    def _frames(self, words: str, manner: SynthesisConfig | None = None) -> Generator[Floats, None, None]:
        """Those of each sentence: (1, channels, time)."""
        for phonemes in self._front.phonemize(words):
            if phonemes:
                made = np.asarray(self._front.phoneme_ids_to_audio(self._front.phonemes_to_ids(phonemes), manner))
                yield made.reshape(1, len(made), -1)


class WholeVoice:
    """A voice that makes a sentence in one run."""

    def __init__(self, voice: PiperVoice) -> None:
        self.rate: int = voice.config.sample_rate
        self._voice = voice

    def say(self, words: str, speed: float, variation: float) -> Generator[bytes, None, None]:
        """16-bit sound, sentence by sentence."""
        for chunk in self._voice.synthesize(words, _manner(self._voice, speed, variation)):
            yield chunk.audio_int16_bytes


def load_voice(file: Path, threads: int) -> CutVoice | WholeVoice:
    """The voice of an ONNX file, its settings beside it. threads: 0 takes all cores.

    Raises:
        ModelBroken: it needs more than its files.
    """
    from piper import PiperConfig, PiperVoice

    config = PiperConfig.from_dict(json.loads(Path(f"{file}.json").read_text(encoding="utf-8")))
    if config.phoneme_type.value in _NEEDS_DOWNLOADS:
        raise ModelBroken(
            f"{file.name} needs more files than a voice has", mend="take another voice: companion models list"
        )
    halves = _halves(file)
    if halves is None:
        voice = PiperVoice(session=_session(str(file), threads), config=config, download_dir=file.parent)
        return WholeVoice(voice)
    vocoder = Vocoder(_session(halves.vocoder, threads), halves, config.sample_rate)
    front = PiperVoice(session=_session(halves.front, threads), config=config, download_dir=file.parent)
    return CutVoice(front, vocoder)


def _halves(file: Path) -> Halves | None:
    try:
        return cut(np.memmap(file, np.uint8, "r").data)
    except NotCuttable as reason:
        logger.info("%s makes each sentence in one run: %s", file.name, reason)
        return None


def _session(model: str | bytes, threads: int) -> InferenceSession:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or os.cpu_count() or 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # A thread that spins takes the processor from the language model, which writes the next piece meanwhile.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Memory planned for the length before helps nobody: every piece has another length.
    options.enable_mem_pattern = False
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    # It would keep the file's bytes beside the weights, to load them again on another device.
    session._model_bytes = None  # noqa: SLF001 - there is no other way to let go of them
    return session


def _manner(voice: PiperVoice, speed: float, variation: float) -> SynthesisConfig:
    from piper import SynthesisConfig

    return SynthesisConfig(
        length_scale=voice.config.length_scale / speed,
        noise_scale=voice.config.noise_scale * variation,
        noise_w_scale=voice.config.noise_w_scale * variation,
    )


def bent(sound: Floats) -> Floats:
    """The same below the knee; beyond it, as much less loud as it takes to stay within 1."""
    over = np.maximum(np.abs(sound) - _KNEE, 0)
    bound: Floats = np.where(over > 0, np.sign(sound) * (_KNEE + (1 - _KNEE) * np.tanh(over / (1 - _KNEE))), sound)
    return bound
