"""The wake word: a tiny detector that hears everything, and a careful one that checks what it found."""

from __future__ import annotations

import asyncio
import ctypes
import logging
import threading
from collections import deque
from typing import Any, get_args

import numpy as np

from companion.audio.resample import samples_of
from companion.errors import ModelBroken, ModelMissing
from companion.settings.schema import WakeWord
from companion.voice.contract import BYTES_PER_SECOND, RATE

logger = logging.getLogger(__name__)

WORDS: tuple[str, ...] = get_args(WakeWord)
_FRAME_BYTES = 320
_FEATURES = 40
_REARM_FRAMES = 100
"""10 ms frames after which a detector that still fires may say so again."""


class WakeDetector:
    """Hears every sample; says when the word may have just ended (microWakeWord, a few ms a second).

    The library's own per-frame path costs twice as much in Python as in the network, so its interpreter
    is driven here directly.
    """

    def __init__(self, word: str, *, threshold: float) -> None:
        from pymicro_features import MicroFrontend

        self.word = word
        self.threshold = threshold
        self._frontend = MicroFrontend()
        self._model = self._load(word)
        self._row = np.zeros(self._model.stride * _FEATURES, self._model.input_dtype)
        self._output = ctypes.create_string_buffer(1)
        self._scores: deque[float] = deque(maxlen=self._model.sliding_window_size)
        self._features: list[float] = []
        self._waiting = 0
        self.score = 0.0
        """How sure it is now, 0 to 1."""

    @staticmethod
    def _load(word: str) -> Any:
        from pymicro_wakeword import MicroWakeWord, Model

        if word not in WORDS:
            raise ModelMissing(f"there is no wake word {word!r}", mend="choose one of " + ", ".join(WORDS))
        try:
            return MicroWakeWord.from_builtin(Model(word))
        except Exception as error:
            raise ModelBroken(
                f"the wake word {word!r} does not load", mend="pip install --force-reinstall pymicro-wakeword"
            ) from error

    def hear(self, sound: bytes) -> bool:
        """Take the next samples (a multiple of 10 ms); whether the word may have ended here."""
        fired = False
        for start in range(0, len(sound), _FRAME_BYTES):
            self._features += self._frontend.process_samples(sound[start : start + _FRAME_BYTES]).features
            self._waiting -= 1
            if len(self._features) >= len(self._row):
                fired = self._step() or fired
        return fired

    def forget(self) -> None:
        """Start afresh."""
        self._frontend.reset()
        self._model.reset()
        self._scores.clear()
        self._features.clear()
        self._waiting = 0
        self.score = 0.0

    def _step(self) -> bool:
        self._scores.append(self._infer())
        self._features.clear()
        full = len(self._scores) == self._scores.maxlen
        self.score = sum(self._scores) / len(self._scores) if full else 0.0
        if self.score <= self.threshold:
            self._waiting = 0
            return False
        if self._waiting > 0:
            return False
        self._waiting = _REARM_FRAMES
        return True

    def _infer(self) -> float:
        model, lib, row = self._model, self._model.lib, self._row
        scaled = np.array(self._features, np.float32) / model.input_scale + model.input_zero_point
        limits = np.iinfo(row.dtype)
        row[:] = np.clip(np.rint(scaled), limits.min, limits.max)
        lib.TfLiteTensorCopyFromBuffer(model.input_tensor, ctypes.c_void_p(row.ctypes.data), row.nbytes)
        lib.TfLiteInterpreterInvoke(model.interpreter)
        lib.TfLiteTensorCopyToBuffer(model.output_tensor, self._output, 1)
        value = float(np.frombuffer(self._output.raw, model.output_dtype)[0])
        score: float = (value - model.output_zero_point) * model.output_scale
        return score


class WakeVerifier:
    """Hears two seconds again, with an unrelated network (openWakeWord). About 0.15 s of a core."""

    def __init__(self, word: str, *, threshold: float, deadline: float = 2.0) -> None:
        self._word = word
        self.threshold = threshold
        self._deadline = deadline
        self._ears: _Ears | None = None
        self._lock = threading.Lock()

    async def prepare(self) -> None:
        """Load now, rather than at the first wake word."""
        if self.threshold > 0:
            await asyncio.to_thread(self._loaded)

    async def verify(self, sound: bytes) -> bool:
        """Whether ``sound`` holds the word. True if it takes too long: the first detector has heard it."""
        if self.threshold <= 0:
            return True
        try:
            async with asyncio.timeout(self._deadline):
                score = await asyncio.to_thread(self._judge, sound)
        except TimeoutError:
            logger.warning("the wake word could not be verified within %.1f s", self._deadline)
            return True
        logger.debug("wake word verified with %.2f", score)
        return score >= self.threshold

    def _judge(self, sound: bytes) -> float:
        with self._lock:
            return self._loaded().highest(sound)

    def _loaded(self) -> _Ears:
        if self._ears is None:
            self._ears = _Ears(self._word)
        return self._ears


_PADDING = bytes(BYTES_PER_SECOND * 3 // 10)


class _Ears:
    """openWakeWord, put back to its fresh state from a copy: its own reset costs half a second."""

    def __init__(self, word: str) -> None:
        from pyopen_wakeword import Model, OpenWakeWord, OpenWakeWordFeatures

        try:
            self._word = OpenWakeWord.from_builtin(Model(word))
            self._features = OpenWakeWordFeatures.from_builtin()
            for _ in self._features.process_streaming(bytes(_FRAME_BYTES)):
                pass
        except Exception as error:
            raise ModelBroken(
                "the wake word verifier does not load", mend="pip install --force-reinstall pyopen-wakeword"
            ) from error
        features = self._features
        self._fresh = (features.audio.copy(), features.new_audio_samples, features.mels.copy(), features.new_mels)

    def highest(self, sound: bytes) -> float:
        """The best score anywhere in the sound and shortly after it."""
        self._word.reset()
        audio, samples, mels, rows = self._fresh
        features = self._features
        features.audio, features.new_audio_samples = audio.copy(), samples
        features.mels, features.new_mels = mels.copy(), rows
        best = 0.0
        for embedding in self._embeddings(sound[-4 * RATE :] + _PADDING):
            best = max(best, *self._word.process_streaming(embedding), 0.0)
        return best

    def _embeddings(self, sound: bytes) -> Any:
        yield from self._features.process_streaming(samples_of(sound).tobytes())
