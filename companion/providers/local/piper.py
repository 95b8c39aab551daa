"""Text to speech by Piper: each piece's caption, then its sound as soon as the start of it is made."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from companion.errors import ModelMissing
from companion.model import ModelReport
from companion.providers.local.resident import Later, Resident
from companion.providers.local.worker import Stop
from companion.providers.spoken import slices, spoken_stream, words_to_say
from companion.settings.language import primary
from companion.stream import Blob, PulledStream, Stream, Text

if TYPE_CHECKING:
    from companion.providers.local.piper_voice import CutVoice, WholeVoice

logger = logging.getLogger(__name__)

_AHEAD = 600
"""Slices a piece may be made ahead of its reader: a minute."""
_HUSH = 200
"""Samples smaller than this (-44 dBFS) are not the voice yet."""
_LEAD_SECONDS = 0.008


class Speaker(Protocol):
    """Says single pieces, as every synthesiser here does."""

    def speak(self, text: Text) -> AsyncGenerator[Blob, None]: ...


class PiperSynthesiser:
    """A Transformer: pieces of text in; each as a caption, then as sound at its voice's own rate, out.

    voices: the ONNX file for each language (BCP 47 tag, as "en" or "pt-BR"); its settings lie beside it.
    language: of pieces that do not say theirs; empty takes the first voice.
    speed: 1 is as recorded. variation: how much its tone and pace vary by chance; 0 says the same words
    always the same way. threads: 0 takes all cores. idle_unload: seconds unused after which the
    voices leave memory; 0 keeps them. otherwise: says what there is no voice for.
    """

    def __init__(
        self,
        voices: Mapping[str, Path],
        *,
        language: str = "",
        speed: float = 1.0,
        variation: float = 1.0,
        threads: int = 0,
        idle_unload: float = 0.0,
        otherwise: Speaker | None = None,
        later: Later | None = None,
    ) -> None:
        if not voices:
            raise ModelMissing("there is no voice", mend="bring one: companion models pull")
        self._voices = {_tag(tag): file for tag, file in voices.items()}
        self._first = self._voices.get(_tag(language)) or next(iter(self._voices.values()))
        self._otherwise = otherwise
        self._model: Resident[_Voices] = Resident(
            self._first.stem,
            load=lambda: _Voices(self._first, speed, variation, threads),
            unload=lambda voices: voices.close(),
            idle_unload=idle_unload,
            speed_unit="x real time",
            later=later,
        )

    @property
    def report(self) -> ModelReport:
        return self._model.report

    async def load(self) -> None:
        """Load the first voice and let it say a word, so that the first reply is not the slowest.

        Raises:
            ModelBroken: its files do not load.
            SetupError: piper-tts is missing.
        """
        await self._model.load()

    async def close(self) -> None:
        """Free everything; replies on their way end with ModelDied."""
        await self._model.close()

    async def transform(self, source: Stream) -> PulledStream:
        return spoken_stream(source, self.speak)

    async def speak(self, text: Text) -> AsyncGenerator[Blob, None]:
        """The sound of one piece, slice by slice. Closing it stops the work after the window at hand.

        Raises:
            ModelMissing: there is no voice for its language.
            ModelError: the voice does not load, or failed.
        """
        file = self._voice_for(text.language)
        if file is None:
            async for blob in self._speak_otherwise(text):
                yield blob
            return
        flow = self._model.stream(lambda stop: self._make(file, words_to_say(text), stop), ahead=_AHEAD)
        try:
            with self._model.in_use():
                async for blob in flow:
                    yield blob
        finally:
            await flow.close()

    async def _speak_otherwise(self, text: Text) -> AsyncGenerator[Blob, None]:
        if self._otherwise is None:
            raise ModelMissing(
                f'there is no voice for "{text.language}"',
                mend="see which there are with: companion models list; or install espeak-ng",
            )
        async with aclosing(self._otherwise.speak(text)) as sound:
            async for blob in sound:
                yield blob

    def _voice_for(self, language: str) -> Path | None:
        if not language:
            return self._first
        tag = _tag(language)
        bare = primary(tag)
        near = next((file for known, file in self._voices.items() if primary(known) == bare), None)
        return self._voices.get(tag) or self._voices.get(bare) or near

    def _make(self, file: Path, words: str, stop: Stop) -> Generator[Blob, None, None]:
        began, seconds = time.perf_counter(), 0.0
        for sound, rate in self._model.model().say(file, words):
            if not seconds:
                sound = from_first_sound(sound, rate)
            seconds += len(sound) / 2 / rate
            self._model.note_speed(seconds / max(time.perf_counter() - began, 1e-6))
            yield from slices(sound, rate)
            stop.check()


class _Voices:
    """Loaded voices. Belongs to one thread."""

    def __init__(self, first: Path, speed: float, variation: float, threads: int) -> None:
        self._speed = speed
        self._variation = variation
        self._threads = threads
        self._loaded: dict[Path, CutVoice | WholeVoice] = {}
        for _ in self.say(first, "Hm."):
            pass

    def close(self) -> None:
        self._loaded.clear()

    def say(self, file: Path, words: str) -> Generator[tuple[bytes, int], None, None]:
        """16-bit sound and its rate, as it is made."""
        from companion.providers.local.piper_voice import load_voice

        voice = self._loaded.get(file) or load_voice(file, self._threads)
        self._loaded[file] = voice
        for sound in voice.say(words, self._speed, self._variation):
            yield sound, voice.rate


def from_first_sound(sound: bytes, rate: int) -> bytes:
    """Without the silence before the voice (20 to 50 ms), for which a listener would only wait."""
    import numpy as np

    loud = np.flatnonzero(np.abs(np.frombuffer(sound, np.int16).astype(np.int32)) > _HUSH)
    if not len(loud):
        return sound
    return sound[2 * max(int(loud[0]) - int(_LEAD_SECONDS * rate), 0) :]


def _tag(language: str) -> str:
    return language.replace("_", "-").lower()
