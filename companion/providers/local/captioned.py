"""Pieces of text in, captioned sound out, one piece ahead of the reader: what every synthesiser does alike.

Order of what comes out: for each piece its Text as it came (the caption), then its sound; at the end
of the route the end of each channel of sound, then whatever ended the route. A piece whose spoken
form is only blank is a caption without sound.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass, field

from companion.errors import StreamClosed, Unsupported
from companion.stream import (
    Blob,
    MessageChunk,
    PulledStream,
    Role,
    Stream,
    StreamBuilder,
    StreamCtrl,
    Text,
    end_of_stream,
)
from companion.stream.tasks import Tasks

Synthesise = Callable[[Text], AsyncIterator[Blob]]
"""The sound of one piece, slice by slice. Closing the iterator ends the work."""

_WAITING_CHUNKS = 64
"""Slices that wait unread; at a quarter of a second each, more than any one piece."""


def words_to_say(piece: Text) -> str:
    """What a synthesiser shall say; empty for a caption without sound."""
    return (piece.spoken or piece.text).strip()


def captioned(source: Stream, synthesise: Synthesise, tasks: Tasks) -> PulledStream:
    """Speak ``source`` one piece ahead of its reader. ``tasks`` owns the work."""
    call = _Call(source, synthesise)

    async def read() -> AsyncGenerator[MessageChunk, None]:
        task = tasks.start(call.work(), name="synthesise ahead")
        try:
            async for chunk in call.builder.stream:
                if isinstance(chunk.part, Text):
                    call.piece_begun()
                yield chunk
        finally:
            task.cancel()

    return PulledStream(read(), call.builder.stream, source)


@dataclass(slots=True)
class _Route:
    """The channels of sound a route has opened, by their MIME type, and whose sound it is."""

    role: Role | None
    label: str
    channels: dict[str, None] = field(default_factory=dict)


class _Call:
    """One transform: reads pieces, makes sound, and stops where its reader is a piece behind."""

    def __init__(self, source: Stream, synthesise: Synthesise) -> None:
        self.builder = StreamBuilder(_WAITING_CHUNKS)
        self._source = source
        self._synthesise = synthesise
        self._routes: dict[str, _Route] = {}
        self._unread = 0
        self._read = asyncio.Event()

    def piece_begun(self) -> None:
        """The reader has come to the next piece."""
        self._unread -= 1
        self._read.set()

    async def work(self) -> None:
        """Speak all of the source; whatever breaks it is the end of the stream."""
        try:
            async for chunk in self._source:
                await self._take(chunk)
            for stream_id in tuple(self._routes):
                await self._end_channels(stream_id)
        except StreamClosed:
            return
        except Exception as error:  # noqa: BLE001 - it is the reader's to see
            self.builder.abort(error)
        else:
            self.builder.done()

    async def _take(self, chunk: MessageChunk) -> None:
        match chunk.part:
            case Text() as piece if not chunk.is_end:
                await self._say(chunk, piece)
            case Text():
                pass  # the end of the text is not the end of its sound
            case Blob() as blob:
                raise Unsupported(f'a synthesiser speaks text, not "{blob.mime_type}"', mend="give it text")
            case None:
                if chunk.is_end:
                    await self._end_channels(chunk.stream_id, chunk.ctrl.error if chunk.ctrl else "")
                await self.builder.add(chunk)

    async def _say(self, chunk: MessageChunk, piece: Text) -> None:
        await self._reader_near()
        self._unread += 1
        await self.builder.add(chunk)
        if not words_to_say(piece):
            return
        label = chunk.ctrl.label if chunk.ctrl else ""
        route = self._routes.setdefault(chunk.stream_id, _Route(chunk.role, label))
        async for sound in self._synthesise(piece):
            route.channels[sound.mime_type] = None
            ctrl = StreamCtrl(chunk.stream_id, label)
            await self.builder.add(MessageChunk(chunk.role, chunk.name, sound, ctrl=ctrl))

    async def _reader_near(self) -> None:
        while self._unread > 1:
            self._read.clear()
            await self._read.wait()

    async def _end_channels(self, stream_id: str, error: str = "") -> None:
        route = self._routes.pop(stream_id, None)
        for mime_type in sorted(route.channels) if route else ():
            assert route is not None
            part = Blob(mime_type, b"")
            await self.builder.add(end_of_stream(stream_id, role=route.role, label=route.label, part=part, error=error))
