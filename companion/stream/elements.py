"""A stream read as elements: each tool call by itself, and the bytes of one speaker and kind together.

Elements and their bytes are pulled: the source is read only while the iteration or one of its elements is
waited for. What the others are to get meanwhile is kept for them, up to a limit; one that falls behind by
more ends there, by OutputLimit, after what was kept, and the others go on. An element knows no routes: it
is fed until the whole source ends. Begins and ends without a part, and empty ends, are skipped.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from companion.errors import EndOfStream, OutputLimit, StreamInterrupted
from companion.stream.chunk import Blob, MessageChunk, Part, Role, Text, ToolCall, canonical_mime
from companion.stream.contract import State, Stream
from companion.stream.growing import ROOMY, GrowingChannel, Limit
from companion.stream.shared import SharedSource

logger = logging.getLogger(__name__)

T = TypeVar("T")


class _Kept(GrowingChannel[T]):
    """What one reader has not read yet. Where there is nothing, reading it reads the source."""

    def __init__(self, name: str, source: SharedSource, limit: Limit, weigh: Callable[[T], int]) -> None:
        super().__init__(limit, weigh)
        self._name = name
        self._source = source

    async def receive(self) -> T:
        if self.is_open and not len(self):
            self._source.want()
        return await super().receive()

    def put(self, item: T) -> None:
        if self.is_open and not self.send_nowait(item):
            overflow = self.overflow()
            logger.warning("%s fell behind and ends: %s", self._name, overflow)
            self.abort(overflow)


@dataclass(frozen=True, slots=True)
class ToolCallElement:
    """A call of a tool, and who makes it."""

    name: str
    role: Role | None
    tool_call: ToolCall


class Writer(Protocol):
    """Takes bytes at once, as ``io.BytesIO`` does."""

    def write(self, data: bytes, /) -> object: ...


class StreamElement:
    """The bytes of one name, role and MIME type, for one reader. Words are UTF-8.

    mime_type: canonical, or as it was written where it does not parse.
    """

    def __init__(self, name: str, role: Role | None, mime_type: str, kept: _Kept[bytes]) -> None:
        self.name = name
        self.role = role
        self.mime_type = mime_type
        self._kept = kept

    async def read(self) -> bytes:
        """Return the next bytes, waiting for them; none at the normal end of the source.

        Raises:
            StreamError: why the source ended, if not normally.
            OutputLimit: this element fell behind.
            StreamInterrupted: it was closed.
            StreamBusy: another reader is waiting.
        """
        try:
            return await self._kept.receive()
        except EndOfStream:
            return b""

    async def read_all(self) -> bytes:
        """Return all that is unread, up to the end of the source. Raises what ``read`` raises."""
        return b"".join([data async for data in self])

    async def write_to(self, writer: Writer) -> int:
        """Write all that is unread as it comes, and return how many bytes. Raises what ``read`` raises."""
        written = 0
        async for data in self:
            writer.write(data)
            written += len(data)
        return written

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        if data := await self.read():
            return data
        raise StopAsyncIteration

    def close(self) -> None:
        """Discard what is unread and what is still to come. The other elements go on."""
        self._kept.discard(StreamInterrupted())


Element = ToolCallElement | StreamElement


class Elements:
    """The elements of a stream, in the order of their first chunks. Its loop ends where the stream ends normally.

    limit: of elements not taken yet, and of the bytes unread of each; also of how many there may be that
        carry bytes. More of them than that end the whole.
    """

    def __init__(self, source: Stream, *, limit: Limit = ROOMY) -> None:
        self._sorter = _Sorter(source, limit)

    def __aiter__(self) -> AsyncIterator[Element]:
        return self

    async def __anext__(self) -> Element:
        """Return the next element, waiting for it.

        Raises:
            StreamError: why the source ended, if not normally, or that too many elements carry bytes.
            OutputLimit: too many elements wait to be taken.
            StreamInterrupted: the elements were closed.
            StreamBusy: another reader is waiting.
        """
        try:
            return await self._sorter.new.receive()
        except EndOfStream:
            raise StopAsyncIteration from None

    def where(self, is_wanted: Callable[[Element], bool]) -> AsyncIterator[Element]:
        """Iterate over the elements that are wanted; the others are closed."""
        return _Wanted(self, is_wanted)

    async def first_where(self, is_wanted: Callable[[Element], bool]) -> Element | None:
        """Return the first element that is wanted, closing those before it; None where there is none."""
        async for element in self.where(is_wanted):
            return element
        return None

    async def write_to(self, mime_type: str, writer: Writer) -> int:
        """Write the bytes of the first element of that MIME type, close the rest, and return how many bytes: 0 of none.

        Raises what ``read`` of an element raises.
        """
        kind = canonical_mime(mime_type) or mime_type
        try:
            found = await self.first_where(lambda each: isinstance(each, StreamElement) and each.mime_type == kind)
            return await found.write_to(writer) if isinstance(found, StreamElement) else 0
        finally:
            await self.close()

    async def close(self) -> None:
        """Close every element and the source. Idempotent, never raises."""
        await self._sorter.close()


class _Sorter:
    """Gives each chunk to the element it belongs to."""

    def __init__(self, source: Stream, limit: Limit) -> None:
        self._source = SharedSource(source, self)
        self._limit = limit
        self._fed: dict[tuple[str, Role | None, str], _Kept[bytes]] = {}
        self.new: _Kept[Element] = _Kept("the list of elements", self._source, limit, _weight)

    @property
    def are_waiting(self) -> bool:
        return self.new.is_awaited or any(kept.is_awaited for kept in self._fed.values())

    @property
    def are_gone(self) -> bool:
        return not (self.new.is_open or any(kept.is_open for kept in self._fed.values()))

    def take(self, chunk: MessageChunk) -> None:
        if chunk.tool_call is not None:
            self.new.put(ToolCallElement(chunk.name, chunk.role, chunk.tool_call))
        if chunk.part is not None:
            self._take_part(chunk, chunk.part)

    def _take_part(self, chunk: MessageChunk, part: Part) -> None:
        data = part.text.encode(errors="replace") if isinstance(part, Text) else part.data
        # The end of a channel brings nothing; it shall not make an element of its own.
        if data or not chunk.is_end:
            kept = self._kept_for(chunk, part)
            if data:
                kept.put(data)

    def _kept_for(self, chunk: MessageChunk, part: Part) -> _Kept[bytes]:
        kind = chunk.mime_type or (part.mime_type if isinstance(part, Blob) else "")
        key = (chunk.name, chunk.role, kind)
        if key not in self._fed:
            if len(self._fed) >= self._limit.items:
                raise OutputLimit(f"more than {self._limit.items} elements carry bytes, the last one {kind!r}")
            self._fed[key] = _Kept(f"an element of {kind!r}", self._source, self._limit, len)
            self.new.put(StreamElement(*key, self._fed[key]))
        return self._fed[key]

    def end(self, state: State) -> None:
        self.new.abort(state.error())
        for kept in self._fed.values():
            kept.abort(state.error())

    async def close(self) -> None:
        self.new.discard(StreamInterrupted())
        for kept in self._fed.values():
            kept.discard(StreamInterrupted())
        await self._source.close()


class _Wanted:
    """The loop over some of the elements. No generator: one that is left half-way needs a task to be cleaned up."""

    def __init__(self, elements: Elements, is_wanted: Callable[[Element], bool]) -> None:
        self._elements = elements
        self._is_wanted = is_wanted

    def __aiter__(self) -> AsyncIterator[Element]:
        return self

    async def __anext__(self) -> Element:
        while True:
            element = await anext(self._elements)
            if self._is_wanted(element):
                return element
            if isinstance(element, StreamElement):
                element.close()


def _weight(element: Element) -> int:
    match element:
        case ToolCallElement(tool_call=call):
            return len(call.func_call.arguments.encode(errors="replace"))
        case StreamElement():
            return 0
