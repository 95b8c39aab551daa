"""Where in a recording somebody speaks, by Silero (the model file of faster-whisper's wheel)."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnxruntime

from companion.errors import SetupError
from companion.providers.local.log_mel import RATE, Floats

FRAME = 512
"""Samples judged at a time, 32 ms."""
FRAME_SECONDS = FRAME / RATE

_CONTEXT = 64
"""Samples of the frame before, which the model wants in front of each frame."""
_STATE = (1, 1, 128)
_QUIETEST = 10 ** (-60 / 20)
"""Peak below which there is nothing worth asking the model about."""


class VoiceFinder:
    """Tells for each 32 ms of a whole recording how likely it holds a voice."""

    def __init__(self) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 4
        self._model = onnxruntime.InferenceSession(str(_model_file()), options, providers=["CPUExecutionProvider"])

    def __call__(self, sound: Floats) -> Floats:
        """Probabilities, 0 to 1, one a frame; the last frame is filled up with silence."""
        count = -(-len(sound) // FRAME)
        if count == 0 or float(np.abs(sound).max()) < _QUIETEST:
            return np.zeros(count, np.float32)
        padded = np.zeros(_CONTEXT + count * FRAME, np.float32)
        padded[_CONTEXT : _CONTEXT + len(sound)] = sound
        frames = np.lib.stride_tricks.sliding_window_view(padded, _CONTEXT + FRAME)[::FRAME]
        state = {"h": np.zeros(_STATE, np.float32), "c": np.zeros(_STATE, np.float32)}
        voice: Floats = self._model.run(None, {"input": np.ascontiguousarray(frames), **state})[0]
        return voice.reshape(-1)


def _model_file() -> Path:
    # Found, not imported: the package pulls in libraries that nobody here needs.
    package = find_spec("faster_whisper")
    for folder in package.submodule_search_locations or () if package else ():
        for file in sorted(Path(folder, "assets").glob("silero_vad*.onnx")):
            return file
    raise SetupError("faster-whisper's voice detector is not installed", mend="install the companion again")
