"""The events of a turn, pulled one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType

from companion.errors import EndOfStream, StreamInterrupted
from companion.model.events import Event
from companion.model.response import ChatResponse
from companion.model.turn import Tell
from companion.stream import Channel
from companion.stream.tasks import Tasks

AHEAD = 64
"""Events that may wait unread; the turn waits while there are more."""


class ChatEvents:
    """An async iterator over the events of one turn, none lost. The turn begins at the first one that is asked for.

    A turn that fails says so by Error and ResponseEnd, and then raises what it failed by. Whoever does not read to the
    end closes it, by ``aclose`` or ``async with``; that ends the work at once. So does cancelling a wait for an event.

    ahead: how many events may wait unread.
    """

    def __init__(self, run: Callable[[Tell], Awaitable[ChatResponse]], *, ahead: int = AHEAD) -> None:
        self._run = run
        self._channel: Channel[Event] = Channel(ahead)
        self._tasks = Tasks()
        self._has_begun = False
        self._response: ChatResponse | None = None

    @property
    def response(self) -> ChatResponse | None:
        """The whole answer; None until the turn has ended well."""
        return self._response

    def __aiter__(self) -> ChatEvents:
        return self

    async def __anext__(self) -> Event:
        """The next event.

        Raises:
            StreamInterrupted: it was closed.
            StreamBusy: another reader is waiting.
            ModelError, StreamBlocked, TimeoutError: the turn has failed; all its events have been read.
        """
        if not self._has_begun:
            self._has_begun = True
            self._tasks.start(self._work(), name="chat turn")
        try:
            return await self._channel.receive()
        except EndOfStream:
            raise StopAsyncIteration from None
        except asyncio.CancelledError:
            await self.aclose()
            raise

    async def aclose(self) -> None:
        """End the work, and discard what was not read. Idempotent, never raises."""
        self._has_begun = True
        self._channel.discard(StreamInterrupted())
        await self._tasks.close()

    async def __aenter__(self) -> ChatEvents:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _work(self) -> None:
        try:
            self._response = await self._run(self._channel.send)
        except Exception as error:  # noqa: BLE001 - its reader gets it
            self._channel.abort(error)
        finally:
            self._channel.finish()
