"""The one thread of one loaded model, and the loop-safe door to it.

Laws:

1. One job at a time, oldest first. A job that was cancelled before it started never runs.
2. A job is asked to end by its ``Stop``, which it looks at between tokens, segments or steps.
   Cancelling the task that awaits it, closing its flow and closing the worker all set it.
3. A flow never runs further ahead of its reader than it was told to. One that has run out of room
   is parked: it leaves the thread to the next job and goes on when its reader has taken something.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable, Generator
from typing import Any, Generic, Protocol, TypeVar

from companion.errors import EndOfStream, ModelDied, StreamBusy, StreamInterrupted
from companion.stream import Channel

T = TypeVar("T")


class Stop:
    """Asks the work on the thread to end. Set on any thread, never unset."""

    __slots__ = ("_is_set",)

    def __init__(self) -> None:
        self._is_set = False

    @property
    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        self._is_set = True

    def check(self) -> None:
        """Leave the work if it was asked to end.

        Raises:
            StreamInterrupted: it was.
        """
        if self._is_set:
            raise StreamInterrupted


class _Job(Protocol):
    stop: Stop

    def step(self) -> bool:
        """Work on the thread until it ends (True) or has to be parked (False)."""

    def refuse(self, error: BaseException) -> None:
        """Tell whoever waits for it, from any thread, that nothing more will come."""


class _Call(Generic[T]):
    """A job with one result."""

    def __init__(self, work: Callable[[Stop], T]) -> None:
        self.stop = Stop()
        self.result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._work = work

    def step(self) -> bool:
        try:
            result = self._work(self.stop)
        except BaseException as error:  # noqa: BLE001 - whatever it is belongs to the caller, not to this thread
            self.refuse(error)
        else:
            _post(self.result.get_loop(), self._settle, result)
        return True

    def refuse(self, error: BaseException) -> None:
        _post(self.result.get_loop(), self._fail, error)

    def _settle(self, result: T) -> None:
        if not self.result.done():
            self.result.set_result(result)

    def _fail(self, error: BaseException) -> None:
        if not self.result.done():
            self.result.set_exception(error)


class Flow(Generic[T]):
    """The reading end of a job that makes its items one by one, ``ahead`` of its reader at most.

    The work starts at the first ``next``. Closing it wakes a waiting reader and ends the work.
    """

    def __init__(self, worker: Worker, work: Callable[[Stop], Generator[T, None, None]], ahead: int) -> None:
        self.stop = Stop()
        self._worker = worker
        self._work = work
        self._items: Generator[T, None, None] | None = None
        self._made: Channel[T] = Channel(ahead)
        self._room = ahead
        self._parked = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._has_place = False

    async def next(self) -> T:
        """Return the next item.

        Raises:
            EndOfStream: the work has ended, or the flow was closed.
            StreamBusy: another reader is waiting.
            ModelDied: the worker is closed.
            Exception: what the work raised.
        """
        if self._loop is None:
            await self._start()
        try:
            item = await self._made.receive()
        except StreamBusy:
            raise
        except Exception:
            self._leave()
            raise
        self._worker.resume(self, self._grant)
        return item

    async def close(self) -> None:
        self.stop.set()
        self._made.discard(EndOfStream())
        self._leave()
        # Work that was begun is taken up once more, so that its clean-up runs on the thread it ran on.
        if self._items is not None or not self._worker.withdraw(self):
            self._worker.resume(self, self._unpark)

    def __aiter__(self) -> Flow[T]:
        return self

    async def __anext__(self) -> T:
        try:
            return await self.next()
        except EndOfStream:
            raise StopAsyncIteration from None

    async def _start(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._worker.places.acquire()
        self._has_place = True
        if self._made.is_open:
            self._worker.enter(self)

    def _leave(self) -> None:
        if self._has_place:
            self._has_place = False
            self._worker.places.release()

    def step(self) -> bool:
        if self._items is None:
            self._items = self._work(self.stop)
        try:
            while not self.stop.is_set:
                if not self._worker.locked(self._take_room):
                    return False
                self._tell(self._deliver, next(self._items))
            self._items.close()
        except StopIteration:
            pass
        except BaseException as error:  # noqa: BLE001 - whatever it is belongs to the reader, not to this thread
            self.refuse(error)
            return True
        self._tell(self._made.finish)
        return True

    def refuse(self, error: BaseException) -> None:
        self._tell(self._made.abort, error)

    def _tell(self, what: Callable[..., object], *arguments: Any) -> None:
        assert self._loop is not None
        _post(self._loop, what, *arguments)

    def _deliver(self, item: T) -> None:
        if self._made.is_open:
            self._made.send_nowait(item)

    def _take_room(self) -> bool:
        self._parked = self._room == 0
        if not self._parked:
            self._room -= 1
        return not self._parked

    def _grant(self) -> bool:
        self._room += 1
        return self._unpark()

    def _unpark(self) -> bool:
        was_parked, self._parked = self._parked, False
        return was_parked


class Worker:
    """Owns one thread and the queue of jobs before it.

    places: how many calls may wait or run at once; a call beyond that waits for a place.
    """

    def __init__(self, name: str, *, places: int = 16) -> None:
        self.places = asyncio.Semaphore(places)
        self._name = name
        self._door = threading.Condition()
        self._waiting: deque[_Job] = deque()
        self._flows: set[_Job] = set()
        self._running: _Job | None = None
        self._thread: threading.Thread | None = None  # noqa: TID251 - this is the owner of such threads
        self._is_closed = False

    async def run(self, work: Callable[[Stop], T], *, deadline: float | None = None) -> T:
        """Run ``work`` on the thread and return what it returns.

        deadline: seconds, waiting included.

        Raises:
            TimeoutError: the deadline passed; the work was told to stop.
            ModelDied: the worker is closed.
            Exception: what ``work`` raised.
        """
        async with asyncio.timeout(deadline), self.places:
            call = _Call(work)
            self.enter(call)
            try:
                return await call.result
            except asyncio.CancelledError:
                call.stop.set()
                self.withdraw(call)
                raise

    def stream(self, work: Callable[[Stop], Generator[T, None, None]], *, ahead: int) -> Flow[T]:
        """A flow of what the generator of ``work`` yields on the thread."""
        return Flow(self, work, ahead)

    async def close(self, *, deadline: float = 10.0) -> None:
        """End all jobs and the thread.

        Raises:
            ModelDied: the thread did not end within ``deadline`` seconds.
        """
        with self._door:
            self._is_closed = True
            dropped = {*self._waiting, *self._flows, *([self._running] if self._running else [])}
            self._waiting.clear()
            for job in dropped:
                job.stop.set()
            self._door.notify()
        for job in dropped:
            job.refuse(self._gone())
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, deadline)
            if self._thread.is_alive():
                raise ModelDied(f"{self._name} did not stop within {deadline:g} s", mend="restart the companion")

    def enter(self, job: _Job) -> None:
        """Queue ``job``.

        Raises:
            ModelDied: the worker is closed.
        """
        with self._door:
            if self._is_closed:
                raise self._gone()
            if isinstance(job, Flow):
                self._flows.add(job)
            self._waiting.append(job)
            if self._thread is None:
                # A daemon, so that a native call that never returns cannot keep the program from ending.
                self._thread = threading.Thread(  # noqa: TID251 - this is the owner of such threads
                    target=self._work, name=self._name, daemon=True
                )
                self._thread.start()
            self._door.notify()

    def withdraw(self, job: _Job) -> bool:
        """Take ``job`` out of the queue, and say whether it was still there."""
        with self._door:
            if job not in self._waiting:
                return False
            self._waiting.remove(job)
            self._flows.discard(job)
            return True

    def resume(self, job: _Job, is_due: Callable[[], bool]) -> None:
        """Queue a parked ``job`` again if ``is_due`` says so under the lock."""
        with self._door:
            if is_due() and not self._is_closed:
                self._waiting.append(job)
                self._door.notify()

    def locked(self, what: Callable[[], bool]) -> bool:
        """Call ``what`` under the lock."""
        with self._door:
            return what()

    def _work(self) -> None:
        while (job := self._next_job()) is not None:
            has_ended = job.step()
            with self._door:
                self._running = None
                if has_ended:
                    self._flows.discard(job)
        for flow in tuple(self._flows):
            flow.step()

    def _next_job(self) -> _Job | None:
        with self._door:
            while not self._waiting and not self._is_closed:
                self._door.wait()
            self._running = self._waiting.popleft() if self._waiting else None
            return self._running

    def _gone(self) -> ModelDied:
        return ModelDied(f"{self._name} has been closed", mend="restart the companion")


def _post(loop: asyncio.AbstractEventLoop, what: Callable[..., object], *arguments: Any) -> None:
    # A loop that is closed has no reader left to tell.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(what, *arguments)
