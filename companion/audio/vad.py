"""Whether somebody speaks: a cheap gate first, Silero's network as the judge.

In a quiet room the gate keeps the network asleep. It is WebRTC's detector behind a plain loudness
threshold; in noise it opens often, and the network decides alone.
"""

from __future__ import annotations

import importlib.util
from collections import deque
from pathlib import Path

import numpy as np

from companion.audio.resample import Samples
from companion.errors import ModelBroken, SetupError
from companion.voice.contract import RATE

WINDOW = 512
"""Samples the network judges at a time."""
_CONTEXT = 64
QUIET_BELOW = -60.0
"""dBFS below which nobody speaks."""
_FRAME = 160
_HANGOVER_WINDOWS = 16
"""How long (half a second) the network stays awake after the gate last opened."""
_REMEMBERED = 8 * WINDOW
_STRICTEST = 3


class Silero:
    """Silero's voice detector, straight through ONNX Runtime on one thread."""

    def __init__(self, file: Path | None = None) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            self._session = onnxruntime.InferenceSession(
                str(file or silero_file()), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            raise ModelBroken("the voice detector does not load", mend="install faster-whisper afresh") from error
        self.reset()

    def reset(self) -> None:
        self._h = np.zeros((1, 1, 128), np.float32)
        self._c = np.zeros((1, 1, 128), np.float32)
        self._input = np.zeros((1, _CONTEXT + WINDOW), np.float32)

    def judge(self, window: Samples) -> float:
        """Probability that somebody speaks in the next 512 samples."""
        self._input[0, :_CONTEXT] = self._input[0, -_CONTEXT:]
        self._input[0, _CONTEXT:] = window * np.float32(1 / 32768)
        feed = {"input": self._input, "h": self._h, "c": self._c}
        probability, self._h, self._c = self._session.run(None, feed)
        return float(probability.item())


def silero_file() -> Path:
    """The network inside faster-whisper's package, found without importing that package, which is slow.

    Raises:
        SetupError: it is not there.
    """
    found = importlib.util.find_spec("faster_whisper")
    for folder in (found.submodule_search_locations or ()) if found else ():
        for file in sorted(Path(folder, "assets").glob("silero_vad*.onnx"), reverse=True):
            return file
    raise SetupError("the voice detector is not installed", mend="pip install --force-reinstall faster-whisper")


class VoiceDetector:
    """Hears every sample; its answer lags by at most one window (32 ms)."""

    def __init__(self, silero: Silero | None = None) -> None:
        import webrtcvad

        self._silero = silero or Silero()
        self._gate = webrtcvad.Vad(_STRICTEST)
        self._skipped: deque[Samples] = deque(maxlen=_REMEMBERED // WINDOW)
        self._held = np.empty(0, np.int16)
        self._voiced = False
        self._awake = 0
        self._probability = 0.0
        self.judged = 0
        """Windows the network was asked about."""

    def hear(self, samples: Samples, level: float) -> float:
        """Probability that somebody speaks. ``samples``: a multiple of 10 ms; ``level``: its dBFS."""
        self._voiced = self._voiced or (level >= QUIET_BELOW and self._gate_opens(samples))
        held = np.concatenate([self._held, samples])
        count = len(held) // WINDOW
        self._held = held[count * WINDOW :]
        if count:
            windows = held[: count * WINDOW].reshape(-1, WINDOW)
            self._probability = max(self._judge(window) for window in windows)
            self._voiced = False
        return self._probability

    def forget(self) -> None:
        self._silero.reset()
        self._skipped.clear()
        self._held = np.empty(0, np.int16)
        self._awake = 0
        self._probability = 0.0

    def _gate_opens(self, samples: Samples) -> bool:
        sound = samples.tobytes()
        return any(self._gate.is_speech(sound[at : at + 2 * _FRAME], RATE) for at in range(0, len(sound), 2 * _FRAME))

    def _judge(self, window: Samples) -> float:
        if self._voiced and not self._awake:
            # What came before tells the network how the room sounds, and holds the soft start of the word.
            self._silero.reset()
            for skipped in self._skipped:
                self._ask(skipped)
            self._skipped.clear()
        if self._voiced:
            self._awake = _HANGOVER_WINDOWS
        if not self._awake:
            self._skipped.append(window)
            return 0.0
        self._awake -= 1
        return self._ask(window)

    def _ask(self, window: Samples) -> float:
        self.judged += 1
        return self._silero.judge(window)
