"""The engine: the one place an event loop is born, and the one way it ends.

Headless it runs on the main thread; where a window has that, on a thread of its own (``EngineThread``).
SIGTERM, SIGINT, SIGHUP or ``stop`` end it in
order within ``ORDERLY`` seconds. If something hangs (a library that does not come back), the process is gone after
``AT_LAST``, and the log holds where each thread stood. All that must survive is on the disk before:
timers, turns, settings.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import logging
import os
import signal
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from companion.app.log import log_stream
from companion.errors import ControlError
from companion.stream.tasks import Tasks

T = TypeVar("T")

logger = logging.getLogger(__name__)

ORDERLY = 2.0
"""Seconds for everything to close."""
STRAGGLERS = 0.2
"""Seconds for tasks that nobody closed."""
AT_LAST = 2.8
"""Seconds after which the process is gone, whatever hangs."""


class Life(Protocol):
    """What an engine runs."""

    async def run(self) -> None:
        """Live until cancelled, or until there is nothing left to do."""

    async def close(self) -> None:
        """Give everything back. Called once, after ``run`` has ended."""


class Engine:
    """Runs one life on one event loop."""

    def __init__(self, *, orderly: float = ORDERLY, at_last: float = AT_LAST) -> None:
        self._orderly = orderly
        self._at_last = at_last
        self._stop: Callable[[], None] | None = None
        self.event_loop: asyncio.AbstractEventLoop | None = None
        """The loop, while the life goes on."""

    def run(self, birth: Callable[[], Life]) -> None:
        """Build the life on the new loop, and live it until it ends, a signal comes or ``stop`` is called.

        Raises:
            Exception: what ``birth`` or ``run`` of the life raised.
        """
        with Path(os.devnull).open("w") as self._nowhere:
            try:
                _run(self._live(birth))
            finally:
                faulthandler.cancel_dump_traceback_later()

    def stop(self) -> None:
        """End the life. From the loop's own thread; has no effect before ``run`` or after it."""
        if self._stop is not None:
            self._stop()

    async def _live(self, birth: Callable[[], Life]) -> None:
        tasks, stopped = Tasks(), asyncio.Event()
        self._stop, self.event_loop = stopped.set, asyncio.get_running_loop()
        signals = self._watch_signals(stopped)
        life = birth()
        failures: list[Exception] = []
        living = tasks.start(_lived(life, failures), name="life")
        watching = tasks.start(_until(stopped), name="stop")
        try:
            await asyncio.wait({living, watching}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._stop = self.event_loop = None
            await self._end(life, tasks)
            for number in signals:
                asyncio.get_running_loop().remove_signal_handler(number)
        if failures:
            raise failures[0]

    async def _end(self, life: Life, tasks: Tasks) -> None:
        self._doom()
        try:
            async with asyncio.timeout(self._orderly):
                await asyncio.gather(tasks.close(), return_exceptions=True)
                await life.close()
        except TimeoutError:
            logger.warning("closing took longer than %.1f s; leaving what hangs", self._orderly)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=STRAGGLERS)

    def _watch_signals(self, stopped: asyncio.Event) -> list[signal.Signals]:
        """``ending_signals`` stop the life; returns those that could be watched (none off the main thread)."""
        watched: list[signal.Signals] = []
        if threading.current_thread() is not threading.main_thread():
            return watched
        for number in ending_signals():
            try:
                asyncio.get_running_loop().add_signal_handler(number, stopped.set)
            except NotImplementedError:  # Windows: Ctrl-C arrives as KeyboardInterrupt instead
                return watched
            watched.append(number)
        return watched

    def _doom(self) -> None:
        """From now on a clock runs that needs neither the loop nor a free interpreter to end us."""
        if threading.current_thread() is threading.main_thread():
            faulthandler.dump_traceback_later(self._at_last, exit=True, file=log_stream() or self._nowhere)


def ending_signals() -> tuple[signal.Signals, ...]:
    """What asks a program to end. SIGHUP comes when its terminal has gone, unless somebody has it ignored, as nohup."""
    hangup = getattr(signal, "SIGHUP", None)  # there is none on Windows
    if hangup is None or signal.getsignal(hangup) is signal.SIG_IGN:
        return (signal.SIGTERM, signal.SIGINT)
    return (signal.SIGTERM, signal.SIGINT, hangup)


class EngineThread:
    """One engine on a thread of its own, which runs one life. For a face whose main thread belongs to the window.

    birth: makes the life, on the engine's thread. ended: called there at last, with what the life failed with.
    """

    def __init__(self, birth: Callable[[], Life], ended: Callable[[Exception | None], None]) -> None:
        self._birth = birth
        self._ended = ended
        self._engine = Engine()
        self._is_unwanted = False
        self._thread: threading.Thread | None = None  # noqa: TID251 - this is the owner of the engine's thread

    def start(self) -> None:
        """Begin to live; returns at once."""
        self._thread = aside(self._run, name="engine")

    def post(self, work: Callable[[], Coroutine[Any, Any, T]]) -> Future[T]:
        """Have the engine do something. From any thread; the future fails where no engine runs."""
        loop = self._engine.event_loop
        if loop is not None:
            coroutine = work()
            try:
                return asyncio.run_coroutine_threadsafe(coroutine, loop)
            except RuntimeError:  # it was closed this moment
                coroutine.close()
        refused: Future[T] = Future()
        refused.set_exception(ControlError("the engine does not run", mend="Start it again."))
        return refused

    def stop(self) -> None:
        """Have the life end. From any thread; returns at once."""
        self._is_unwanted = True
        loop = self._engine.event_loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._engine.stop)

    def join(self, within: float) -> bool:
        """Wait for the end, so many seconds at most; whether it came."""
        if self._thread is not None:
            self._thread.join(within)
        return self._thread is None or not self._thread.is_alive()

    def _run(self) -> None:
        failure: Exception | None = None
        try:
            self._engine.run(self._born)
        except Exception as error:  # noqa: BLE001 - it is told, by whoever knows to whom
            failure = error
        self._ended(failure)

    def _born(self) -> Life:
        life = self._birth()
        if self._is_unwanted:  # it was stopped before there was a loop
            self._engine.stop()
        return life


def aside(work: Callable[[], None], *, name: str) -> threading.Thread:  # noqa: TID251
    """Run blocking work on a thread that does not keep the process alive."""
    thread = threading.Thread(target=work, name=name, daemon=True)  # noqa: TID251
    thread.start()
    return thread


class _Task(Generic[T]):
    """A life with one piece of work."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self._work = work
        self.result: list[T] = []

    async def run(self) -> None:
        self.result.append(await self._work())

    async def close(self) -> None:
        """The work gives back what it took."""


def complete(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run one piece of work on an engine, and return its result.

    Raises:
        KeyboardInterrupt: a signal ended it first.
    """
    life = _Task(work)
    Engine().run(lambda: life)
    if not life.result:
        raise KeyboardInterrupt
    return life.result[0]


async def _lived(life: Life, failures: list[Exception]) -> None:
    """Live, and keep what it failed with for whoever runs the engine: it is told there, once."""
    try:
        await life.run()
    except Exception as failure:  # noqa: BLE001
        failures.append(failure)


def _run(life: Coroutine[Any, Any, None]) -> None:
    """As ``asyncio.run``, but that waits for every thread of its pool, and one of them may never come back."""
    loop = asyncio.new_event_loop()
    try:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(life)
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        asyncio.set_event_loop(None)
        loop.close()


async def _until(stopped: asyncio.Event) -> None:
    await stopped.wait()
