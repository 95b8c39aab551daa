"""What all synthesisers share: a stream of text pieces becomes a stream of captions and sound, one piece ahead."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass, field, replace

from companion.errors import RouteError, StreamClosed, is_retryable
from companion.stream import (
    Blob,
    MessageChunk,
    PulledStream,
    Stream,
    StreamBuilder,
    StreamCtrl,
    Text,
    new_stream_id,
    pcm,
)
from companion.stream.contract import state_for
from companion.stream.tasks import Tasks

Speak = Callable[[Text], AsyncGenerator[Blob, None]]
"""Makes the sound of one piece, slice by slice."""

SLICE_SECONDS = 0.1
"""Length of one chunk of sound."""
_MOST_CHUNKS = 4096
"""Of two pieces, before even the piece ahead has to wait for its reader."""


def words_to_say(text: Text) -> str:
    """What a voice says for a piece; empty for one that is silent."""
    return (text.spoken or text.text).strip()


def slices(sound: bytes, rate: int) -> Iterator[Blob]:
    """Mono 16-bit sound in chunks of a tenth of a second."""
    size = 2 * int(rate * SLICE_SECONDS)
    for place in range(0, len(sound), size):
        yield pcm(sound[place : place + size], rate)


def spoken_stream(source: Stream, speak: Speak) -> PulledStream:
    """Each Text chunk of ``source`` as it is (the caption), then its sound by ``speak``.

    Sound has the stream id, role, name and label of its captions; text without a stream id gets a fresh
    one. The first sound of a channel carries its begin, and its one end comes before the end of the text.
    While one piece is read the next is made, no more. Everything that is no text passes through.

    A voice that fails ends the routes that are open, with the error, and then the stream.
    """
    desk = _Desk(source, speak)
    return PulledStream(desk.read(), source, desk.made)


@dataclass(slots=True)
class _Route:
    """One route: what its sound is marked with, and which of its channels of sound are open."""

    mark: MessageChunk
    open: dict[str, Blob] = field(default_factory=dict)
    text_has_ended: bool = False


class _Desk:
    """One call: a task makes, the reader takes, and its taking of a caption lets the next piece be made."""

    def __init__(self, source: Stream, speak: Speak) -> None:
        self._source = source
        self._speak = speak
        self._builder = StreamBuilder(_MOST_CHUNKS)
        self._may_make = asyncio.Semaphore(0)
        self._routes: dict[str, _Route] = {}
        self._unnamed = ""
        self.made = self._builder.stream

    async def read(self) -> AsyncGenerator[MessageChunk, None]:
        tasks = Tasks()
        tasks.start(self._make(), name="speak")
        try:
            async for chunk in self.made:
                if _is_piece(chunk):
                    self._may_make.release()
                yield chunk
        finally:
            await tasks.close()

    async def _make(self) -> None:
        try:
            await self._speak_all()
        except StreamClosed:
            # The reader has gone.
            return

    async def _speak_all(self) -> None:
        try:
            async for chunk in self._source:
                await self._take(chunk)
        except StreamClosed:
            raise
        except Exception as error:  # noqa: BLE001 - told to the reader, who is the one to handle it
            await self._end_what_is_open(error)
            self._builder.abort(error)
        else:
            await self._end_what_is_open()
            self._builder.done()

    async def _take(self, chunk: MessageChunk) -> None:
        if isinstance(chunk.part, Text):
            await self._take_text(self._named(chunk))
        elif chunk.part is None and (chunk.is_begin or chunk.is_end):
            await self._take_boundary(self._named(chunk) if self._unnamed else chunk)
        else:
            await self._builder.add(chunk)

    async def _take_boundary(self, chunk: MessageChunk) -> None:
        if chunk.is_begin:
            self._routes.setdefault(chunk.stream_id, _Route(chunk))
        elif route := self._routes.pop(chunk.stream_id, None):
            await self._end_sound(route, chunk.ctrl)
        await self._builder.add(chunk)

    async def _take_text(self, chunk: MessageChunk) -> None:
        route = self._routes.setdefault(chunk.stream_id, _Route(chunk))
        if route.text_has_ended:
            raise RouteError(f"stream {chunk.stream_id!r}: text after the end of its text")
        route.text_has_ended = chunk.is_end
        if _is_piece(chunk):
            await self._builder.add(chunk)
            await self._say(route, chunk)
            await self._may_make.acquire()
        if chunk.is_end:
            await self._end_sound(route, chunk.ctrl)
        if not _is_piece(chunk):
            await self._builder.add(chunk)

    def _named(self, chunk: MessageChunk) -> MessageChunk:
        """``chunk`` with a stream id: one that has none belongs to the newest route without a name."""
        if chunk.stream_id:
            return chunk
        known = self._routes.get(self._unnamed)
        if known is None or (known.text_has_ended and chunk.part is not None):
            self._unnamed = new_stream_id()
        return replace(chunk, ctrl=replace(chunk.ctrl or StreamCtrl(), stream_id=self._unnamed))

    async def _say(self, route: _Route, caption: MessageChunk) -> None:
        assert isinstance(caption.part, Text)
        if not words_to_say(caption.part):
            return
        route.mark = caption
        ctrl = _marks(caption)
        sound = self._speak(caption.part)
        try:
            async for blob in sound:
                is_first = blob.mime_type not in route.open
                if is_first:
                    route.open[blob.mime_type] = replace(blob, data=b"")
                marks = replace(ctrl, begin_of_stream=True) if is_first else ctrl
                await self._builder.add(MessageChunk(caption.role, caption.name, blob, ctrl=marks))
        finally:
            await sound.aclose()

    async def _end_sound(self, route: _Route, like: StreamCtrl | None) -> None:
        """End each open channel of sound once. like: the end it comes before, whose error it shares."""
        told = like or StreamCtrl()
        marks = replace(
            _marks(route.mark),
            end_of_stream=True,
            error=told.error,
            error_code=told.error_code,
            error_retryable=told.error_retryable,
        )
        for mime_type in sorted(route.open):
            await self._builder.add(replace(route.mark, part=route.open[mime_type], ctrl=marks))
        route.open.clear()

    async def _end_what_is_open(self, error: Exception | None = None) -> None:
        """End the routes whose maker ended without ending them, or that our failure cuts off.

        Where the source itself broke, only what was begun here is ended.
        """
        source_broke = error is not None and self._source.state is not None
        for stream_id, route in self._routes.items():
            end = replace(_marks(route.mark), stream_id=stream_id, end_of_stream=True)
            if error is not None:
                state = state_for(error)
                end = replace(end, error=str(state.error()), error_retryable=is_retryable(state.cause))
            await self._end_sound(route, end)
            if not source_broke:
                await self._builder.add(replace(route.mark, part=None, ctrl=end))
        self._routes.clear()


def _is_piece(chunk: MessageChunk) -> bool:
    return isinstance(chunk.part, Text) and bool(chunk.part.text or chunk.part.spoken)


def _marks(chunk: MessageChunk) -> StreamCtrl:
    """Whose it is, without what it marks."""
    return StreamCtrl(chunk.stream_id, chunk.ctrl.label if chunk.ctrl else "")
