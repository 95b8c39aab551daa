"""The sound of a reply on its way to the loudspeaker."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable

from companion.errors import EndOfStream, StreamBusy, StreamError
from companion.stream import Blob, MessageChunk, State, Status, Stream, Text
from companion.stream.contract import iterate


class VoicedSound:
    """A Stream of captions and their sound, and nothing else.

    It can be filled up to its first sound before anybody may hear it. If its source breaks it ends
    normally, so that what was made is still played; ``failure`` keeps why.
    """

    def __init__(
        self, source: Stream, *, on_caption: Callable[[str], None], on_sound: Callable[[], None] = lambda: None
    ) -> None:
        self._source = source
        self._on_caption = on_caption
        self._on_sound = on_sound
        self._head: deque[MessageChunk] = deque()
        self._state: State | None = None
        self.captions: list[str] = []
        self.failure: StreamError | None = None

    @property
    def state(self) -> State | None:
        return self._state

    async def fill(self) -> bool:
        """Wait for the first sound, and say whether there is any."""
        while True:
            try:
                chunk = await self._pull()
            except EndOfStream:
                return False
            self._head.append(chunk)
            if isinstance(chunk.part, Blob):
                return True

    async def next(self) -> MessageChunk:
        if self._state is not None:
            raise self._state.error()
        try:
            chunk = self._head.popleft() if self._head else await self._pull()
        except EndOfStream:
            self._state = self._state or State(Status.DONE)
            raise self._state.error() from None
        if isinstance(chunk.part, Text):
            self._on_caption(chunk.part.text)
        else:
            self._on_sound()
        return chunk

    async def _pull(self) -> MessageChunk:
        while True:
            try:
                chunk = await self._source.next()
            except (EndOfStream, StreamBusy):
                raise
            except StreamError as error:
                self.failure = error
                raise EndOfStream from error
            if chunk.ctrl is not None and chunk.ctrl.error:
                self.failure = StreamError(chunk.ctrl.error)
            match chunk.part:
                case Text(text) if text:
                    self.captions.append(text)
                    return chunk
                case Blob(data=data) if data:
                    return chunk

    async def close(self) -> None:
        await self._end(State(Status.INTERRUPTED))

    async def close_with_error(self, error: BaseException) -> None:
        await self._end(State(Status.ERROR, cause=error))

    async def _end(self, state: State) -> None:
        self._state = self._state or state
        self._head.clear()
        await self._source.close()

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return iterate(self)
