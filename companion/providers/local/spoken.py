"""What all synthesisers share: a stream of text pieces becomes a stream of captions and sound, one piece ahead."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import replace

from companion.errors import StreamClosed
from companion.stream import (
    Blob,
    MessageChunk,
    PulledStream,
    State,
    Status,
    Stream,
    StreamBuilder,
    StreamCtrl,
    Text,
    end_of_stream,
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

    The sound of a route ends before the route does. While one piece is read the next is made, no more.
    Everything that is no text passes through.
    """
    desk = _Desk(source, speak)
    stream = PulledStream(desk.read(), source, desk.made)
    desk.tell = stream.finish
    return stream


class _Desk:
    """One call: a task makes, the reader takes, and its taking of a caption lets the next piece be made."""

    def __init__(self, source: Stream, speak: Speak) -> None:
        self._source = source
        self._speak = speak
        self._builder = StreamBuilder(_MOST_CHUNKS)
        self._may_make = asyncio.Semaphore(0)
        self._routes: dict[str, dict[str, MessageChunk]] = {}
        self.made = self._builder.stream
        self.tell: Callable[[State], None] = lambda state: None

    async def read(self) -> AsyncGenerator[MessageChunk, None]:
        tasks = Tasks()
        tasks.start(self._make(), name="speak")
        try:
            async for chunk in self.made:
                if _is_piece(chunk):
                    self._may_make.release()
                yield chunk
            self.tell(self.made.state or State(Status.DONE))
        finally:
            await tasks.close()

    async def _make(self) -> None:
        try:
            async for chunk in self._source:
                await self._take(chunk)
            await self._end_what_is_open()
        except StreamClosed:
            # The reader has gone.
            return
        except Exception as error:  # noqa: BLE001 - told to the reader, who is the one to handle it
            self._builder.abort(error)
        else:
            self._builder.stream.end_with(self._source.state or state_for(None))

    async def _take(self, chunk: MessageChunk) -> None:
        if chunk.is_end and chunk.part is None:
            await self._end_sound(chunk.stream_id)
            self._routes.pop(chunk.stream_id, None)
        elif chunk.is_begin and chunk.part is None:
            self._routes.setdefault(chunk.stream_id, {})
        await self._builder.add(chunk)
        if _is_piece(chunk):
            self._routes.setdefault(chunk.stream_id, {})
            assert isinstance(chunk.part, Text)
            await self._say(chunk, chunk.part)
            await self._may_make.acquire()

    async def _say(self, caption: MessageChunk, text: Text) -> None:
        if not words_to_say(text):
            return
        route = self._routes[caption.stream_id]
        label = caption.ctrl.label if caption.ctrl else ""
        ctrl = StreamCtrl(caption.stream_id, label)
        sound = self._speak(text)
        try:
            async for blob in sound:
                end = end_of_stream(caption.stream_id, role=caption.role, label=label, part=replace(blob, data=b""))
                route.setdefault(blob.mime_type, end)
                await self._builder.add(MessageChunk(caption.role, caption.name, blob, ctrl=ctrl))
        finally:
            await sound.aclose()

    async def _end_sound(self, stream_id: str) -> None:
        ends = self._routes.get(stream_id, {})
        await self._builder.add(*(ends[mime_type] for mime_type in sorted(ends)))
        ends.clear()

    async def _end_what_is_open(self) -> None:
        """Routes whose maker ended without ending them."""
        for stream_id, ends in list(self._routes.items()):
            mark = next(iter(ends.values()), None)
            await self._end_sound(stream_id)
            label = mark.ctrl.label if mark and mark.ctrl else ""
            await self._builder.add(end_of_stream(stream_id, role=mark.role if mark else None, label=label))


def _is_piece(chunk: MessageChunk) -> bool:
    return isinstance(chunk.part, Text) and bool(chunk.part.text or chunk.part.spoken)
