"""Text to speech by Piper: each language in its own voice, sentence by sentence."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Generator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from companion.model import ModelReport
from companion.providers.local.captioned import captioned, words_to_say
from companion.providers.local.resident import Later, Resident
from companion.providers.local.worker import Stop
from companion.stream import Blob, Stream, Text, pcm
from companion.stream.tasks import Tasks

if TYPE_CHECKING:
    from piper import PiperVoice

_SLICE_SECONDS = 0.25
_QUIET = 200
"""Samples smaller than this (-44 dBFS) before a piece's first sound are not worth waiting for."""
_LEAD_SECONDS = 0.01
_WARM_UP = "Hello, how are you today?"


class PiperSynthesiser:
    """A Transformer: pieces of text in, captions and their PCM out (see ``captioned``), at the voice's own rate.

    voices: the ONNX file for each bare language tag, its settings beside it as ``.json``; a language
        that is not there is spoken by the first one.
    speed: 1 is as recorded. threads: 0 takes all cores. idle_unload: seconds; 0 keeps it in memory.
    """

    def __init__(
        self,
        voices: Mapping[str, Path],
        *,
        speed: float = 1.0,
        threads: int = 0,
        idle_unload: float = 0.0,
        later: Later | None = None,
    ) -> None:
        if not voices:
            raise ValueError("a synthesiser needs a voice")
        self._files = dict(voices)
        self._speed = speed
        self._threads = threads
        self._tasks = Tasks()
        self._model: Resident[dict[Path, PiperVoice]] = Resident(
            next(iter(self._files.values())).stem,
            load=self._load,
            unload=lambda loaded: loaded.clear(),
            idle_unload=idle_unload,
            speed_unit="x real time",
            later=later,
        )

    @property
    def report(self) -> ModelReport:
        return self._model.report

    async def load(self) -> None:
        """Load the first voice and let it speak once, so that the first reply is not the slowest.

        Raises:
            ModelBroken: the files do not load.
            SetupError: the library is missing.
        """
        await self._model.load()

    async def unload(self) -> None:
        """Free its memory until it is used again."""
        await self._model.unload()

    async def close(self) -> None:
        """Free everything; running calls end."""
        await self._tasks.close()
        await self._model.close()

    async def transform(self, source: Stream) -> Stream:
        return captioned(source, self._say, self._tasks)

    async def _say(self, piece: Text) -> AsyncIterator[Blob]:
        file = self._file(piece.language)
        flow = self._model.stream(lambda stop: self._speak(file, words_to_say(piece), stop), ahead=64)
        with self._model.in_use():
            try:
                async for sound in flow:
                    yield sound
            finally:
                await flow.close()

    def _file(self, language: str) -> Path:
        bare = language.replace("_", "-").partition("-")[0].lower()
        return self._files.get(bare) or next(iter(self._files.values()))

    # -- on the worker's thread

    def _load(self) -> dict[Path, PiperVoice]:
        file = next(iter(self._files.values()))
        voice = _open(file, self._threads)
        for _ in voice.synthesize(_WARM_UP):
            pass
        return {file: voice}

    def _speak(self, file: Path, text: str, stop: Stop) -> Generator[Blob, None, None]:
        from piper import SynthesisConfig

        loaded = self._model.model()
        voice = loaded.get(file) or loaded.setdefault(file, _open(file, self._threads))
        length_scale = (voice.config.length_scale or 1.0) / self._speed
        began, spoken = time.perf_counter(), 0.0
        for number, sentence in enumerate(voice.synthesize(text, SynthesisConfig(length_scale=length_scale))):
            spoken += len(sentence.audio_float_array) / sentence.sample_rate
            self._model.note_speed(spoken / (time.perf_counter() - began))
            sound = sentence.audio_int16_bytes
            if number == 0:
                sound = _from_first_sound(sound, sentence.sample_rate)
            yield from _slices(sound, sentence.sample_rate)
            stop.check()


def _open(file: Path, threads: int) -> PiperVoice:
    """Like the library's own loading, but with as many threads as were asked for."""
    import onnxruntime
    from piper import PiperConfig, PiperVoice

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    config = json.loads(file.with_name(f"{file.name}.json").read_text(encoding="utf-8"))
    session = onnxruntime.InferenceSession(str(file), sess_options=options, providers=["CPUExecutionProvider"])
    return PiperVoice(session=session, config=PiperConfig.from_dict(config))


def _from_first_sound(sound: bytes, rate: int) -> bytes:
    """Without the silence before the voice, which a listener would only wait for."""
    import numpy as np

    samples = np.frombuffer(sound, np.int16)
    loud = np.flatnonzero(np.abs(samples.astype(np.int32)) > _QUIET)
    if not len(loud):
        return sound
    return sound[2 * max(int(loud[0]) - round(_LEAD_SECONDS * rate), 0) :]


def _slices(sound: bytes, rate: int) -> Generator[Blob, None, None]:
    size = 2 * round(_SLICE_SECONDS * rate)
    for start in range(0, len(sound), size):
        yield pcm(sound[start : start + size], rate)
