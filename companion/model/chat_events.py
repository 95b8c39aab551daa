"""The events of a turn, pulled one at a time."""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Final

from companion.errors import EndOfStream, StreamInterrupted
from companion.model.events import Event
from companion.model.response import ChatResponse
from companion.model.turn import Tell
from companion.stream import Channel
from companion.stream.tasks import Tasks

AHEAD = 64
"""Events that may wait unread; the turn waits while there are more."""

_forgotten: Final[set[_Work]] = set()
"""Those that nobody reads any more, until they have ended: a loop alone keeps no task alive."""


class ChatEvents:
    """An async iterator over the events of one turn, none lost. The turn begins at the first one that is asked for.

    A turn that fails says so by Error and ResponseEnd, and then raises what it failed by. Whoever does not read to the
    end closes it, by ``aclose`` or ``async with``; that ends the work at once. So does cancelling a wait for an event,
    and forgetting it, as a ``break`` out of ``async for event in model.stream(...)`` does.

    ahead: how many events may wait unread.
    """

    def __init__(self, run: Callable[[Tell], Awaitable[ChatResponse]], *, ahead: int = AHEAD) -> None:
        # Apart, because whatever works may not keep this alive.
        self._work = _Work(run, ahead)
        self._has_begun = False

    @property
    def response(self) -> ChatResponse | None:
        """The whole answer; None until the turn has ended well."""
        return self._work.response

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
            self._work.begin()
            weakref.finalize(self, _forget, self._work, asyncio.get_running_loop()).atexit = False
        try:
            return await self._work.channel.receive()
        except EndOfStream:
            raise StopAsyncIteration from None
        except asyncio.CancelledError:
            await self.aclose()
            raise

    async def aclose(self) -> None:
        """End the work, and discard what was not read. Idempotent, never raises."""
        self._has_begun = True
        await self._work.close()

    async def __aenter__(self) -> ChatEvents:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()


class _Work:
    """The turn behind the events."""

    def __init__(self, run: Callable[[Tell], Awaitable[ChatResponse]], ahead: int) -> None:
        self._run = run
        self._tasks = Tasks()
        self._task: asyncio.Task[None] | None = None
        self.channel: Channel[Event] = Channel(ahead)
        self.response: ChatResponse | None = None

    def begin(self) -> None:
        self._task = self._tasks.start(self._work(), name="chat turn")

    async def close(self) -> None:
        self.channel.discard(StreamInterrupted())
        await self._tasks.close()

    def leave(self) -> None:
        """End it without waiting for its end."""
        if self._task is None or self._task.done():
            return
        _forgotten.add(self)
        self._task.add_done_callback(lambda _: _forgotten.discard(self))
        self._task.cancel()

    async def _work(self) -> None:
        try:
            self.response = await self._run(self.channel.send)
        except Exception as error:  # noqa: BLE001 - its reader gets it
            self.channel.abort(error)
        finally:
            self.channel.finish()


def _forget(work: _Work, loop: asyncio.AbstractEventLoop) -> None:
    """Garbage is collected in any thread, and after any loop."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(work.leave)
