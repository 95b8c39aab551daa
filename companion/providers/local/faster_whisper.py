"""Speech to text by Whisper on CTranslate2: the sound of a route in, its words out."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import Unsupported
from companion.model import ModelReport
from companion.providers.local.resident import Later, Resident
from companion.providers.local.worker import Flow, Stop
from companion.stream import (
    Blob,
    MessageChunk,
    PulledStream,
    Role,
    Stream,
    StreamCtrl,
    Text,
    end_of_stream,
    pcm_format,
)

if TYPE_CHECKING:
    from companion.providers.local.whisper_model import WhisperModel

logger = logging.getLogger(__name__)

RATE = 16_000
LONGEST = 60
"""Seconds of sound one route may carry."""


@dataclass(slots=True)
class _Route:
    """The sound of one route so far."""

    label: str
    sound: bytearray = field(default_factory=bytearray)


class WhisperRecogniser:
    """A Transformer: PCM of a route (16 kHz mono) until its end; then one Text chunk, the end of text, the end.

    The text is empty where nobody spoke. A route that ends with an error is passed on without text.

    folder: CTranslate2's files. language: a BCP 47 tag, or "auto" to detect each route's.
    threads: 0 takes all cores. idle_unload: seconds unused after which it leaves memory; 0 keeps it.
    """

    def __init__(
        self,
        folder: Path,
        *,
        language: str = "en",
        threads: int = 0,
        idle_unload: float = 0.0,
        later: Later | None = None,
    ) -> None:
        self._folder = folder
        self._language = language
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
            Unsupported: the model does not know the language.
        """
        await self._model.load()

    async def close(self) -> None:
        """Free everything; running calls end with ModelDied."""
        await self._model.close()

    async def transform(self, source: Stream) -> Stream:
        hearing = _Hearing(self)
        return PulledStream(self._recognise(source, hearing), source, hearing)

    async def hear(self, sound: bytes) -> Text:
        """Recognise 16 kHz mono sound that is already there.

        Raises:
            Unsupported: it is longer than a route may be.
            ModelError: the model failed.
        """
        _check_length(len(sound))
        return await _Hearing(self).hear(sound)

    def begin(self, sound: bytes) -> Flow[Text]:
        """Recognise ``sound`` as a flow of one text, for whoever may have to close it in the middle."""
        return self._model.stream(lambda stop: self._work(sound, stop), ahead=1)

    def in_use(self) -> AbstractContextManager[None]:
        """Keep the model in memory."""
        return self._model.in_use()

    async def _recognise(self, source: Stream, hearing: _Hearing) -> AsyncGenerator[MessageChunk, None]:
        routes: dict[str, _Route] = {}
        async for chunk in source:
            if _carries_sound(chunk):
                _collect(routes, chunk)
            elif chunk.part is not None:
                # Begin or end of the channel of sound, which stays here.
                continue
            elif chunk.is_end:
                async for out in self._end_route(hearing, routes.pop(chunk.stream_id, None), chunk):
                    yield out
            else:
                yield chunk
        for stream_id, route in routes.items():
            # Its maker has gone without a word; what was said is still worth hearing.
            end = end_of_stream(stream_id, role=Role.USER, label=route.label)
            async for out in self._end_route(hearing, route, end):
                yield out

    async def _end_route(
        self, hearing: _Hearing, route: _Route | None, end: MessageChunk
    ) -> AsyncGenerator[MessageChunk, None]:
        if end.ctrl is not None and not end.ctrl.error:
            sound = bytes(route.sound) if route else b""
            text = await hearing.hear(sound)
            ctrl = StreamCtrl(end.stream_id, end.ctrl.label)
            yield MessageChunk(role=Role.USER, part=text, ctrl=ctrl)
            yield end_of_stream(end.stream_id, role=Role.USER, label=end.ctrl.label, part=Text(""))
        yield end

    def _load(self) -> WhisperModel:
        from companion.providers.local.whisper_model import WhisperModel

        model = WhisperModel(self._folder, language=self._language, threads=self._threads)
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
        yield Text(heard.text, heard.language, heard.confidence if heard.text else None)


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


def _carries_sound(chunk: MessageChunk) -> bool:
    """Whether it is sound to collect.

    Raises:
        Unsupported: it carries something a recogniser cannot hear.
    """
    match chunk.part:
        case None:
            return False
        case Blob(mime_type, data):
            form = pcm_format(mime_type)
            if form is None or form.rate != RATE or form.channels != 1:
                raise Unsupported(f'a recogniser hears 16 kHz mono PCM, not "{mime_type}"', mend="resample it first")
            return bool(data)
        case Text():
            raise Unsupported("a recogniser hears sound, not text", mend="give text to the language model")


def _collect(routes: dict[str, _Route], chunk: MessageChunk) -> None:
    assert isinstance(chunk.part, Blob)
    route = routes.setdefault(chunk.stream_id, _Route(chunk.ctrl.label if chunk.ctrl else ""))
    _check_length(len(route.sound) + len(chunk.part.data))
    route.sound += chunk.part.data


def _check_length(size: int) -> None:
    if size > LONGEST * RATE * 2:
        raise Unsupported(f"a recogniser hears at most {LONGEST} s at once", mend="cut it at a pause")
