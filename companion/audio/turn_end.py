"""Whether a spoken sentence sounds finished: smart-turn v3, a small network on Whisper's features."""

from __future__ import annotations

import asyncio
import threading
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.audio.resample import samples_of
from companion.errors import ModelBroken
from companion.voice.contract import RATE
from companion.voice.mel import mel_filters

SECONDS = 8
_SAMPLES = RATE * SECONDS
_FFT = 400
_HOP = 160
_MELS = 80


class SmartTurn:
    """Implements ``voice.contract.TurnJudge``: about 50 ms of one core a sentence, off the event loop.

    file: ``smart-turn-v3*.onnx``; loaded at the first judgement, or by ``load``.
    """

    def __init__(self, file: Path, *, threads: int = 1) -> None:
        self._file = file
        self._threads = threads
        self._session: Any = None
        self._lock = threading.Lock()

    async def load(self) -> None:
        """Load now.

        Raises:
            ModelBroken: the file is not this network.
        """
        await asyncio.to_thread(self._loaded)

    async def judge(self, sound: bytes) -> float:
        """See ``voice.contract.TurnJudge``. Only the last eight seconds count.

        Raises:
            ModelBroken: the network does not load.
        """
        return await asyncio.to_thread(self._judge, sound)

    def _judge(self, sound: bytes) -> float:
        features = log_mel(last_seconds(sound))
        with self._lock:
            (said,) = self._loaded().run(None, {"input_features": features[None]})
        return min(max(float(said[0, 0]), 0.0), 1.0)

    def _loaded(self) -> Any:
        if self._session is None:
            self._session = self._open()
        return self._session

    def _open(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = self._threads, 1
        options.log_severity_level = 4
        try:
            session = onnxruntime.InferenceSession(str(self._file), options, providers=["CPUExecutionProvider"])
            shape = session.get_inputs()[0].shape
        except Exception as error:
            raise ModelBroken(
                f"{self._file.name} does not load", mend="companion models verify, then pull it again"
            ) from error
        if shape[1:] != [_MELS, _SAMPLES // _HOP]:
            raise ModelBroken(f"{self._file.name} is another kind of network: its input is {shape}")
        return session


def last_seconds(sound: bytes) -> npt.NDArray[np.float32]:
    """The last eight seconds, -1 to 1, with silence before them where there is less."""
    samples = samples_of(sound)[-_SAMPLES:]
    padded = np.zeros(_SAMPLES, np.float32)
    if len(samples):
        padded[-len(samples) :] = samples / np.float32(32768)
    return padded


def log_mel(samples: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Whisper's input (Radford et al. 2022, 2.2): 80 mel bands by 10 ms, in decades, from about -1 to 1.

    The sound is first brought to zero mean and unit variance, as the network was trained.
    """
    level = (samples - samples.mean()) / np.sqrt(samples.var() + 1e-7)
    around = np.pad(level.astype(np.float64), _FFT // 2, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(around, _FFT)[::_HOP][: len(samples) // _HOP]
    window = np.hanning(_FFT + 1)[:-1]
    power = np.abs(np.fft.rfft(frames * window)) ** 2
    decades = np.log10(np.maximum(power @ _filters(), 1e-10))
    raised = (np.maximum(decades, decades.max() - 8.0) + 4.0) / 4.0
    transposed: npt.NDArray[np.float32] = np.ascontiguousarray(raised.T, np.float32)
    return transposed


@lru_cache(maxsize=1)
def _filters() -> npt.NDArray[np.float64]:
    """Frequency bins by bands."""
    return np.ascontiguousarray(np.array(mel_filters(_MELS, _FFT, RATE)).T)
