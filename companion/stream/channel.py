"""The one bounded buffer of the house, and the Stream a writer fills through it.

Full means wait: a writer that is ahead of its reader is held until there is room. Both ends live on
one event loop; a worker thread reaches it through its own loop-safe door (``providers.local.worker``).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from types import TracebackType
from typing import Any, Generic, TypeVar

from companion.errors import EndOfStream, StreamBlocked, StreamBusy, StreamClosed
from companion.stream.chunk import MessageChunk
from companion.stream.contract import State, Status, Usage, state_for

T = TypeVar("T")


class Channel(Generic[T]):
    """A bounded first-in first-out buffer with one reader and any number of writers.

    * ``finish`` and ``abort`` are the writer's ends: the reader drains what is queued, then sees them.
    * ``discard`` is the reader's end: what is queued is dropped, and writers get StreamClosed.

    Writers that wait are served in the order they came. Cancelling a ``send`` or ``receive`` that
    waits loses nothing and gives its turn to the next.
    """

    def __init__(self, size: int) -> None:
        if size < 1:
            raise ValueError("a channel holds at least one item")
        self._size = size
        self._items: deque[T] = deque()
        self._ending: BaseException | None = None
        self._traceback: TracebackType | None = None
        self._reader: asyncio.Future[None] | None = None
        self._writers: deque[asyncio.Future[None]] = deque()
        # Places promised to writers that were woken but have not run yet; nobody may take them meanwhile.
        self._promised = 0

    def __len__(self) -> int:
        return len(self._items)

    @property
    def is_open(self) -> bool:
        return self._ending is None

    @property
    def is_awaited(self) -> bool:
        """A reader waits, and nothing has come for it yet."""
        return self._reader is not None and not self._reader.done()

    async def send(self, item: T) -> None:
        """Queue ``item``, waiting for room.

        Raises:
            StreamClosed: the channel has ended.
        """
        if not self.send_nowait(item):
            await self._wait_for_room()
            self._put(item)

    def send_nowait(self, item: T) -> bool:
        """Queue ``item`` if there is room, and say whether there was.

        Raises:
            StreamClosed: the channel has ended.
        """
        if self._ending is None and len(self._items) + self._promised >= self._size:
            return False
        self._put(item)
        return True

    async def receive(self) -> T:
        """Return the oldest item, waiting for one.

        Raises:
            StreamBusy: another reader is waiting.
            EndOfStream: finished and drained.
            BaseException: what ``abort`` or ``discard`` was given.
        """
        if self._reader is not None:
            raise StreamBusy("this channel already has a reader")
        while not self._items:
            if self._ending is not None:
                # As it was given: raised again and again, its traceback would grow for ever.
                raise self._ending.with_traceback(self._traceback)
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        item = self._items.popleft()
        if self._writers:
            self._promise_room()
        return item

    def finish(self) -> None:
        """No more items; the reader drains and ends."""
        self.abort(EndOfStream())

    def abort(self, error: BaseException) -> None:
        """No more items; the reader drains, then gets ``error``. The first end counts."""
        if self._ending is None:
            self._ending, self._traceback = error, error.__traceback__
            self._wake_everybody()

    def discard(self, error: BaseException) -> None:
        """The reader has gone: drop what is queued and turn writers away. The first end's error stays."""
        self._items.clear()
        self.abort(error)

    def _put(self, item: T) -> None:
        if self._ending is not None:
            raise StreamClosed("written after the end of the stream")
        self._items.append(item)
        if self._reader is not None:
            self._wake_reader()

    async def _wait_for_room(self) -> None:
        room = asyncio.get_running_loop().create_future()
        self._writers.append(room)
        try:
            await room
        except asyncio.CancelledError:
            if room in self._writers:
                self._writers.remove(room)
            elif not room.cancelled():
                self._promised -= 1
                self._promise_room()
            raise
        self._promised -= 1

    def _promise_room(self) -> None:
        while self._writers and len(self._items) + self._promised < self._size:
            self._wake(self._writers.popleft())

    def _wake(self, writer: asyncio.Future[None]) -> None:
        # A writer that was cancelled, but has not run since, is done already.
        if not writer.done():
            self._promised += 1
            writer.set_result(None)

    def _wake_reader(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def _wake_everybody(self) -> None:
        self._wake_reader()
        while self._writers:
            self._wake(self._writers.popleft())


class BuiltStream:
    """The reading end of a StreamBuilder."""

    def __init__(self, channel: Channel[MessageChunk], on_close: Callable[[], None] | None) -> None:
        self._channel = channel
        self._on_close = on_close
        self._final = State(Status.DONE)
        self._state: State | None = None

    @property
    def state(self) -> State | None:
        return self._state

    def end_with(self, state: State) -> None:
        """The writer's last word: the state once what is queued has been read."""
        if self._channel.is_open:
            self._final = state
            self._channel.finish()

    def next(self) -> Coroutine[Any, Any, MessageChunk]:
        return self._pull(in_loop=False)

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return self

    def __anext__(self) -> Coroutine[Any, Any, MessageChunk]:
        return self._pull(in_loop=True)

    async def _pull(self, *, in_loop: bool) -> MessageChunk:
        if self._state is None:
            try:
                return await self._channel.receive()
            except EndOfStream:
                self._state = self._state or self._final
        # Out here, because "from None" would take the cause off the error.
        raise self._state.loop_end() if in_loop else self._state.error()

    async def close(self) -> None:
        self._end(State(Status.INTERRUPTED))

    async def close_with_error(self, error: BaseException) -> None:
        self._end(State(Status.ERROR, cause=error))

    def _end(self, state: State) -> None:
        if self._state is not None:
            return
        self._state = state
        self._channel.discard(EndOfStream())
        if self._on_close is not None:
            self._on_close()


class StreamWriter:
    """What every writing end has: its reading end ``stream``, and the ways to end it.

    on_close: tells the work that feeds this stream to end; called once, when the reader closes early.
        It must not raise or wait.

    Whoever writes ends the stream, whatever happens (``done`` or ``abort`` in a ``try``); a reader waits
    until then.
    """

    def __init__(self, channel: Channel[MessageChunk], on_close: Callable[[], None] | None) -> None:
        self._channel = channel
        self.stream = BuiltStream(channel, on_close)

    @property
    def is_open(self) -> bool:
        return self._channel.is_open

    def done(self, usage: Usage | None = None) -> None:
        """End normally, once the reader has drained what is queued."""
        self.stream.end_with(State(Status.DONE, usage or Usage()))

    def truncated(self, usage: Usage | None = None) -> None:
        """End normally, but cut short by a limit."""
        self.stream.end_with(State(Status.TRUNCATED, usage or Usage()))

    def blocked(self, refusal: str, usage: Usage | None = None) -> None:
        """End by refusal."""
        self.stream.end_with(State(Status.BLOCKED, usage or Usage(), cause=StreamBlocked(refusal)))

    def abort(self, error: BaseException) -> None:
        """End by failure, once the reader has drained what is queued."""
        self.stream.end_with(state_for(error))


class StreamBuilder(StreamWriter):
    """The writing end of a Stream that makes a writer wait who is ahead of its reader.

    size: how many chunks may wait unread.
    """

    def __init__(self, size: int = 64, *, on_close: Callable[[], None] | None = None) -> None:
        super().__init__(Channel(size), on_close)

    async def add(self, *chunks: MessageChunk) -> None:
        """Send chunks, waiting for room.

        Raises:
            StreamClosed: the stream has ended, or its reader has gone.
        """
        for chunk in chunks:
            if not self._channel.send_nowait(chunk):
                await self._channel.send(chunk)

    def add_nowait(self, chunk: MessageChunk) -> bool:
        """Send a chunk if there is room, and say whether there was.

        Raises:
            StreamClosed: the stream has ended, or its reader has gone.
        """
        return self._channel.send_nowait(chunk)
