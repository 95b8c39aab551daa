"""Speech to text by Whisper on CTranslate2: the sound of a route in, its words out."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import ModelError, SetupError, Unsupported
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
    new_stream_id,
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
    """The sound of one route so far. mark: whose it is; it has a stream id, if need be a fresh one."""

    mark: MessageChunk
    sound: bytearray = field(default_factory=bytearray)

    @classmethod
    def of(cls, chunk: MessageChunk) -> _Route:
        label = chunk.ctrl.label if chunk.ctrl else ""
        ctrl = StreamCtrl(chunk.stream_id or new_stream_id(), label)
        return cls(MessageChunk(chunk.role or Role.USER, chunk.name, ctrl=ctrl))

    def words(self, text: Text, *, is_end: bool = False) -> MessageChunk:
        return replace(self.mark, part=text, ctrl=replace(self._marks, end_of_stream=is_end))

    def boundary(self, like: StreamCtrl) -> MessageChunk:
        return replace(self.mark, ctrl=replace(like, stream_id=self._marks.stream_id, label=self._marks.label))

    @property
    def _marks(self) -> StreamCtrl:
        assert self.mark.ctrl is not None
        return self.mark.ctrl


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
        try:
            async for chunk in source:
                if chunk.part is not None:
                    _collect(routes, chunk)
                elif chunk.is_end or (chunk.is_begin and not chunk.stream_id):
                    for out in await self._take_boundary(hearing, routes, chunk):
                        yield out
                else:
                    yield chunk
            for route in routes.values():
                # Its maker has gone without a word; what was said is still worth hearing.
                for out in await self._heard(hearing, route, route.boundary(StreamCtrl(end_of_stream=True))):
                    yield out
        except (ModelError, SetupError) as error:
            for end in _broken_off(routes, error):
                yield end
            raise

    async def _take_boundary(
        self, hearing: _Hearing, routes: dict[str, _Route], chunk: MessageChunk
    ) -> tuple[MessageChunk, ...]:
        route = routes.setdefault(chunk.stream_id, _Route.of(chunk))
        named = chunk if chunk.stream_id else route.boundary(chunk.ctrl or StreamCtrl())
        if not chunk.is_end:
            return (named,)
        heard = await self._heard(hearing, route, named)
        del routes[chunk.stream_id]
        return heard

    async def _heard(self, hearing: _Hearing, route: _Route, end: MessageChunk) -> tuple[MessageChunk, ...]:
        """What comes of a route at its end."""
        if end.ctrl is not None and end.ctrl.error:
            return (end,)
        text = await hearing.hear(bytes(route.sound))
        return route.words(text), route.words(Text(""), is_end=True), end

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


def _collect(routes: dict[str, _Route], chunk: MessageChunk) -> None:
    """Keep the sound of ``chunk``; the begin and end of its channel stay here.

    Raises:
        Unsupported: it carries something a recogniser cannot hear, or too much of it.
    """
    route = routes.get(chunk.stream_id)
    if route is None:
        route = routes[chunk.stream_id] = _Route.of(chunk)
    match chunk.part:
        case Blob(mime_type, data):
            form = pcm_format(mime_type)
            if form is None or form.rate != RATE or form.channels != 1:
                raise Unsupported(f'a recogniser hears 16 kHz mono PCM, not "{mime_type}"', mend="resample it first")
            _check_length(len(route.sound) + len(data))
            route.sound += data
        case _:
            raise Unsupported("a recogniser hears sound, not text", mend="give text to the language model")


def _broken_off(routes: dict[str, _Route], error: Exception) -> Iterator[MessageChunk]:
    """The ends of the routes that ``error`` cuts off."""
    retryable = isinstance(error, ModelError) and error.retryable
    for route in routes.values():
        yield route.boundary(StreamCtrl(error=str(error), error_retryable=retryable, end_of_stream=True))


def _check_length(size: int) -> None:
    if size > LONGEST * RATE * 2:
        raise Unsupported(f"a recogniser hears at most {LONGEST} s at once", mend="cut it at a pause")
