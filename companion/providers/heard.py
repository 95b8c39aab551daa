"""What all recognisers share: the sound of a route is gathered until its end, and becomes its words."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

from companion.errors import (
    EndOfStream,
    ModelError,
    SettingsError,
    SetupError,
    StorageError,
    Unsupported,
    is_retryable,
    one_line,
)
from companion.stream import (
    Blob,
    Channel,
    MessageChunk,
    PulledStream,
    Role,
    Stream,
    StreamCtrl,
    Text,
    new_stream_id,
    pcm_format,
)
from companion.stream.tasks import Tasks
from companion.voice.contract import RATE

LONGEST = 60
"""Seconds of sound one route may carry."""
_OWN_FAULTS = (ModelError, SettingsError, SetupError, StorageError, TimeoutError)


class Hearing(Protocol):
    """The recognition of one call, which its stream waits for."""

    async def hear(self, sound: bytes) -> Text:
        """What 16 kHz mono sound says; empty where nobody spoke.

        Raises:
            ModelError: the recogniser failed.
            SettingsError, SetupError: it cannot be used as it is set up.
            StorageError: what it costs cannot be written down.
            TimeoutError: it did not answer in time.
        """

    async def close(self) -> None:
        """End the work and wake whoever waits for it."""


class TaskHearing:
    """A Hearing whose work is a task: ``hear`` does it, and closing ends it."""

    def __init__(self, hear: Callable[[bytes], Awaitable[Text]]) -> None:
        self._hear = hear
        self._heard: Channel[Text] = Channel(1)
        self._tasks = Tasks()

    async def hear(self, sound: bytes) -> Text:
        if self._heard.is_open:
            self._tasks.start(self._work(sound), name="hear")
        return await self._heard.receive()

    async def close(self) -> None:
        self._heard.discard(EndOfStream())
        await self._tasks.close()

    async def _work(self, sound: bytes) -> None:
        """Whatever ends it is told to the reader, who would wait for ever else."""
        try:
            text = await self._hear(sound)
        except Exception as error:  # noqa: BLE001 - it is raised by ``hear``
            self._heard.abort(error)
        else:
            if self._heard.is_open:
                self._heard.send_nowait(text)


def heard_stream(source: Stream, hearing: Hearing) -> PulledStream:
    """PCM of a route (16 kHz mono) until its end; then one Text chunk, the end of text, the end.

    Words have the stream id, role, name and label of their sound; sound without a stream id gets a fresh
    one. A route that ends with an error is passed on without text. A recogniser that fails ends the routes it was
    hearing, with the error, and then the stream.
    """
    return PulledStream(_recognise(source, hearing), source, hearing)


def check_length(size: int) -> None:
    """See to it that ``size`` bytes of sound are not too many.

    Raises:
        Unsupported: they are longer than a route may be.
    """
    if size > LONGEST * RATE * 2:
        raise Unsupported(f"a recogniser hears at most {LONGEST} s at once", mend="cut it at a pause")


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


async def _recognise(source: Stream, hearing: Hearing) -> AsyncGenerator[MessageChunk, None]:
    routes: dict[str, _Route] = {}
    try:
        async for chunk in source:
            if chunk.part is not None:
                _collect(routes, chunk)
            elif chunk.is_end or (chunk.is_begin and not chunk.stream_id):
                for out in await _take_boundary(hearing, routes, chunk):
                    yield out
            else:
                yield chunk
        for route in routes.values():
            # Its maker has gone without a word; what was said is still worth hearing.
            for out in await _heard(hearing, route, route.boundary(StreamCtrl(end_of_stream=True))):
                yield out
    except _OWN_FAULTS as error:
        for end in _broken_off(routes, error):
            yield end
        raise


async def _take_boundary(hearing: Hearing, routes: dict[str, _Route], chunk: MessageChunk) -> tuple[MessageChunk, ...]:
    route = routes.setdefault(chunk.stream_id, _Route.of(chunk))
    named = chunk if chunk.stream_id else route.boundary(chunk.ctrl or StreamCtrl())
    if not chunk.is_end:
        return (named,)
    heard = await _heard(hearing, route, named)
    del routes[chunk.stream_id]
    return heard


async def _heard(hearing: Hearing, route: _Route, end: MessageChunk) -> tuple[MessageChunk, ...]:
    """What comes of a route at its end."""
    if end.ctrl is not None and end.ctrl.error:
        return (end,)
    text = await hearing.hear(bytes(route.sound))
    return route.words(text), route.words(Text(""), is_end=True), end


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
            check_length(len(route.sound) + len(data))
            route.sound += data
        case _:
            raise Unsupported("a recogniser hears sound, not text", mend="give text to the language model")


def _broken_off(routes: dict[str, _Route], error: Exception) -> Iterator[MessageChunk]:
    """The ends of the routes that ``error`` cuts off."""
    retryable = is_retryable(error)
    for route in routes.values():
        yield route.boundary(StreamCtrl(error=one_line(error), error_retryable=retryable, end_of_stream=True))
