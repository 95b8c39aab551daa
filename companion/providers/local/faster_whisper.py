"""Speech to text by Whisper on CTranslate2: the sound of a route in, its words out."""

from __future__ import annotations

import logging
import time
from collections.abc import Generator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from companion.model import ModelReport
from companion.providers.heard import check_length, heard_stream
from companion.providers.local.resident import Later, Resident
from companion.providers.local.worker import Flow, Stop
from companion.stream import Stream, Text
from companion.voice.contract import RATE

if TYPE_CHECKING:
    from companion.providers.local.whisper_model import WhisperModel

logger = logging.getLogger(__name__)


class WhisperRecogniser:
    """A Transformer: PCM of a route (16 kHz mono) until its end; then one Text chunk, the end of text, the end.

    Words have the stream id, role, name and label of their sound; sound without a stream id gets a fresh
    one. The text is empty where nobody spoke. A route that ends with an error is passed on without text.
    A recogniser that fails ends the routes it was hearing, with the error, and then the stream.

    folder: CTranslate2's files. language: a BCP 47 tag, or "auto" to detect each route's.
    translate: whether it writes in English what is said in another language.
    threads: 0 takes all cores. idle_unload: seconds unused after which it leaves memory; 0 keeps it.
    """

    def __init__(
        self,
        folder: Path,
        *,
        language: str = "en",
        translate: bool = False,
        threads: int = 0,
        idle_unload: float = 0.0,
        later: Later | None = None,
    ) -> None:
        self._folder = folder
        self._language = language
        self._translate = translate
        self._threads = threads
        self._model: Resident[WhisperModel] = Resident(
            folder.name,
            load=self._load,
            unload=lambda model: model.close(),
            idle_unload=idle_unload,
            speed_unit="x real time",
            later=later,
        )

    @property
    def report(self) -> ModelReport:
        return self._model.report

    async def load(self) -> None:
        """Load the model and run it once, so that the first order is not the slowest.

        Raises:
            ModelBroken: the files do not load.
            SetupError: a library is missing.
            Unsupported: the model does not know the language, or cannot translate.
        """
        await self._model.load()

    async def close(self) -> None:
        """Free everything; running calls end with ModelDied."""
        await self._model.close()

    async def transform(self, source: Stream) -> Stream:
        hearing = _Hearing(self)
        return heard_stream(source, hearing)

    async def hear(self, sound: bytes) -> Text:
        """Recognise 16 kHz mono sound that is already there.

        Raises:
            Unsupported: it is longer than a route may be.
            ModelError: the model failed.
        """
        check_length(len(sound))
        return await _Hearing(self).hear(sound)

    def begin(self, sound: bytes) -> Flow[Text]:
        """Recognise ``sound`` as a flow of one text, for whoever may have to close it in the middle."""
        return self._model.stream(lambda stop: self._work(sound, stop), ahead=1)

    def in_use(self) -> AbstractContextManager[None]:
        """Keep the model in memory."""
        return self._model.in_use()

    def _load(self) -> WhisperModel:
        from companion.providers.local.whisper_model import WhisperModel

        model = WhisperModel(self._folder, language=self._language, translate=self._translate, threads=self._threads)
        model.warm_up()
        return model

    def _work(self, sound: bytes, stop: Stop) -> Generator[Text, None, None]:
        import numpy as np

        model = self._model.model()
        stop.check()
        began = time.perf_counter()
        samples = np.frombuffer(sound, np.dtype("<i2")).astype(np.float32) / np.float32(32768)
        heard = model.hear(samples, stop.check)
        seconds = time.perf_counter() - began
        self._model.note_speed(len(samples) / RATE / seconds)
        logger.debug("recognised %.1f s of sound in %.2f s", len(samples) / RATE, seconds)
        language = "en" if self._translate else heard.language
        yield Text(heard.text, language, heard.confidence if heard.text else None)


class _Hearing:
    """The recognition that a stream waits for; closing it ends the wait and the work."""

    def __init__(self, recogniser: WhisperRecogniser) -> None:
        self._recogniser = recogniser
        self._flow: Flow[Text] | None = None

    async def hear(self, sound: bytes) -> Text:
        self._flow = self._recogniser.begin(sound)
        try:
            with self._recogniser.in_use():
                return await self._flow.next()
        finally:
            await self._flow.close()

    async def close(self) -> None:
        if self._flow is not None:
            await self._flow.close()
