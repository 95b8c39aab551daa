"""The text of a reply while it is being written: it can be read, left, and read on from any place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from companion.errors import StreamClosed, StreamError
from companion.stream import (
    MessageChunk,
    Role,
    Stream,
    StreamBuilder,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
    new_stream_id,
)

LONGEST = 100_000
"""Characters of one reply; beyond, it is cut."""


class Script:
    """Remembers what was written, so that a reply which was interrupted by a mere noise can go on.

    A reader that leaves (closes its stream) does not end the writer: it waits until somebody reads on,
    or until ``close``. A writer that breaks ends the text normally, so that what it wrote is still said;
    ``failure`` keeps why.
    """

    def __init__(
        self,
        source: Stream,
        language: str,
        *,
        on_first_words: Callable[[], None],
        on_words: Callable[[str], None] = lambda words: None,
    ) -> None:
        self._source = source
        self._language = language
        self._on_first_words = on_first_words
        self._on_words = on_words
        self._reader: StreamBuilder | None = None
        self._route = ""
        self._read_on = asyncio.Event()
        self.written = ""
        self.is_finished = False
        self.failure: StreamError | None = None

    def read(self, behind: int = 0) -> Stream:
        """The text from character ``behind`` on, as one route of role ``model``."""
        self._reader = reader = StreamBuilder()
        self._route = new_stream_id()
        reader.add_nowait(begin_of_stream(self._route, role=Role.MODEL))
        if self.written[behind:]:
            reader.add_nowait(self._chunk(self.written[behind:]))
        if self.is_finished:
            self._end(reader)
        self._read_on.set()
        return reader.stream

    async def write(self) -> None:
        """Pass the source on to whoever reads, until it ends. Run it as a task."""
        try:
            async for chunk in self._source:
                if isinstance(chunk.part, Text) and chunk.part.text:
                    await self._take(chunk.part)
                if len(self.written) > LONGEST:
                    break
        except StreamError as error:
            self.failure = error
        finally:
            await self._source.close()
        self.is_finished = True
        if self._reader is not None and self._reader.is_open:
            await self._finish(self._reader)

    async def _take(self, text: Text) -> None:
        if not self.written:
            self._on_first_words()
        self._language = text.language or self._language
        self.written += text.text
        self._on_words(text.text)
        reader = self._reader
        if reader is None:
            return
        try:
            await reader.add(self._chunk(text.text, text.spoken))
        except StreamClosed:
            # The reader has left. Who reads on begins where he wants, so nothing is lost by waiting for him;
            # and if he is there already, he has these words.
            if self._reader is reader:
                self._read_on.clear()
                await self._read_on.wait()

    async def _finish(self, reader: StreamBuilder) -> None:
        try:
            await reader.add(*self._ends())
        except StreamClosed:
            return
        reader.done()

    def _end(self, reader: StreamBuilder) -> None:
        for end in self._ends():
            reader.add_nowait(end)
        reader.done()

    def _chunk(self, text: str, spoken: str = "") -> MessageChunk:
        part = Text(text, self._language, spoken=spoken)
        return MessageChunk(role=Role.MODEL, part=part, ctrl=StreamCtrl(self._route))

    def _ends(self) -> tuple[MessageChunk, MessageChunk]:
        return (
            end_of_stream(self._route, role=Role.MODEL, part=Text("")),
            end_of_stream(self._route, role=Role.MODEL),
        )

    async def close(self) -> None:
        """Nobody will read on: end the work behind it."""
        await self._source.close()
