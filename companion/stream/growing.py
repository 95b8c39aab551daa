"""The buffer for writers that cannot wait: it grows to a limit, and what would pass the limit is an error.

Where a writer can wait, ``stream.channel`` is the better buffer: it slows down instead of failing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from companion.errors import OutputLimit
from companion.stream.channel import Channel, StreamWriter
from companion.stream.chunk import Blob, MessageChunk, Text

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limit:
    """How much may wait unread."""

    items: int = 4096
    bytes: int = 16 * 1024 * 1024

    def __str__(self) -> str:
        return f"{self.items} items and {self.bytes} bytes"


ROOMY = Limit()


def weight(chunk: MessageChunk) -> int:
    """The bytes a chunk carries: its part, and the arguments of its tool call."""
    called = len(chunk.tool_call.func_call.arguments.encode(errors="replace")) if chunk.tool_call else 0
    match chunk.part:
        case Text(text):
            return called + len(text.encode(errors="replace"))
        case Blob(data=data):
            return called + len(data)
        case None:
            return called


class GrowingChannel(Channel[T]):
    """A Channel that is bounded in bytes too, and that nobody waits to write to."""

    def __init__(self, limit: Limit, weigh: Callable[[T], int]) -> None:
        super().__init__(limit.items)
        self._limit = limit
        self._weigh = weigh
        self._bytes = 0

    async def send(self, item: T) -> None:
        """Queue ``item``.

        Raises:
            OutputLimit: there is no room for it.
            StreamClosed: the channel has ended.
        """
        if not self.send_nowait(item):
            raise self.overflow()

    def send_nowait(self, item: T) -> bool:
        added = self._weigh(item)
        # One alone always fits, whatever it weighs: a reader that keeps up shall not fail.
        if self.is_open and self._items and self._bytes + added > self._limit.bytes:
            return False
        if not super().send_nowait(item):
            return False
        self._bytes += added
        return True

    async def receive(self) -> T:
        item = await super().receive()
        self._bytes -= self._weigh(item)
        return item

    def remove(self, is_unwanted: Callable[[T], bool]) -> list[T]:
        """Take out, in order, whatever waits unread and is not wanted."""
        marked = [(item, is_unwanted(item)) for item in self._items]
        self._items = deque(item for item, unwanted in marked if not unwanted)
        self._bytes = sum(map(self._weigh, self._items))
        return [item for item, unwanted in marked if unwanted]

    def discard(self, error: BaseException) -> None:
        super().discard(error)
        self._bytes = 0

    def overflow(self) -> OutputLimit:
        return OutputLimit(
            f"{len(self)} items of {self._bytes} bytes wait unread, and the limit is {self._limit}",
            mend="read it sooner, close it, or give it a larger limit",
        )


class GrowingStreamBuilder(StreamWriter):
    """The writing end of a Stream whose writer never waits.

    limit: what may wait unread. A chunk beyond it ends the stream: its reader drains what is queued and
        then gets StreamFailed, caused by the same OutputLimit that ``add`` raises.
    """

    def __init__(self, limit: Limit = ROOMY, *, on_close: Callable[[], None] | None = None) -> None:
        self._growing = GrowingChannel(limit, weight)
        super().__init__(self._growing, on_close)

    @property
    def is_awaited(self) -> bool:
        """A reader waits, and nothing has come for it yet."""
        return self._growing.is_awaited

    def __len__(self) -> int:
        """How many chunks wait unread."""
        return len(self._growing)

    def add(self, *chunks: MessageChunk) -> None:
        """Send chunks, at once.

        Raises:
            OutputLimit: the limit is reached; the stream has ended by it.
            StreamClosed: the stream has ended, or its reader has gone.
        """
        for chunk in chunks:
            if not self._growing.send_nowait(chunk):
                overflow = self._growing.overflow()
                self.abort(overflow)
                raise overflow

    def discard(self, is_unwanted: Callable[[MessageChunk], bool]) -> list[MessageChunk]:
        """Take back, in order, what was not pulled yet and is not wanted any more."""
        return self._growing.remove(is_unwanted)
