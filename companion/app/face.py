"""The companion behind a window: the same life as without one, on a thread of its own, begun anew when asked.

Callable from any thread; nothing here waits for the engine but ``stop``. Where the companion cannot be built, as on a
machine without models, the house is kept without it, so that a window can mend what is missing.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from companion.app.control import Answer, ControlServer
from companion.app.engine import EngineThread, aside
from companion.app.events import EngineEnded, EngineStarted, Listener, Problem, Pulse, Raised, Telling
from companion.app.live import Change, Live, no_changes
from companion.app.lock import Lock
from companion.app.orders import STARTING, Order, Raise, patience
from companion.app.paths import Paths
from companion.app.quiet import Wishes
from companion.app.spare_memory import give_back
from companion.errors import CompanionError, ControlError, one_line
from companion.settings.store import SettingsStore
from companion.stream.tasks import Tasks

if TYPE_CHECKING:
    from companion.app.companion import Companion
    from companion.settings.schema import Settings

logger = logging.getLogger(__name__)

BEAT = 0.5
"""Seconds from one sign of life to the next."""
GRACE = 3.0
"""Seconds an engine has to end; then it is left behind."""

Make: TypeAlias = "Callable[[Settings, Telling, Callable[[], None]], Awaitable[Companion]]"
"""Makes the companion of settings; the last is handed what ends it."""


class Tenant(Protocol):
    """Who lives in the house."""

    async def run(self) -> None: ...

    async def perform(self, order: Order) -> Answer: ...

    async def close(self) -> None: ...


class FaceLife:
    """The life behind a window. Implements ``engine.Life``."""

    def __init__(
        self, paths: Paths, make: Make, telling: Telling, stop: Callable[[], None], changes: deque[Change] | None = None
    ) -> None:
        self._paths = paths
        self._changes = changes
        self._make = make
        self._telling = telling
        self._stop = stop
        self._tasks = Tasks()
        self._tenant: Tenant | None = None
        self._why_not: CompanionError | None = None
        """What keeps the companion from talking."""
        self._control = ControlServer(paths.control_socket, self.perform)

    async def run(self) -> None:
        self._tasks.start(self._beat(), name="pulse")
        # The door first: who asks meanwhile hears that it is starting.
        await self._control.open()
        self._tenant = await self._moved_in()
        if self._why_not is not None:
            self._telling.tell(Problem("start", str(self._why_not), self._why_not.mend))
        await self._tenant.run()

    async def close(self) -> None:
        await self._control.close()
        await self._tasks.close()
        if self._tenant is not None:
            await self._tenant.close()

    async def perform(self, order: Order) -> Answer:
        """Carry out one order of the window, or of a second process.

        Raises:
            CompanionError: it cannot be carried out.
        """
        if isinstance(order, Raise):
            self._telling.tell(Raised())
            return {"raised": True}
        if self._tenant is None:
            raise ControlError(STARTING, mend="Try again in a moment.")
        return await self._tenant.perform(order)

    async def _moved_in(self) -> Tenant:
        loaded = await asyncio.to_thread(SettingsStore(self._paths.settings_file).load)
        for problem in loaded.problems:
            self._telling.tell(Problem("settings", str(problem), problem.mend))
        try:
            return await self._make(loaded.settings, self._telling, self._stop)
        except CompanionError as fault:
            logger.warning("nobody can talk here: %s", fault)
            self._why_not = fault
            live = Live(loaded.settings, self._telling, changes=self._changes)
            return await _kept(live, self._paths, self._telling, fault, self._stop)

    async def _beat(self) -> None:
        while True:
            self._telling.tell(Pulse())
            await asyncio.sleep(BEAT)


@dataclass(slots=True)
class _Run:
    """One engine, from its start to its end."""

    telling: Telling = field(default_factory=Telling)
    thread: EngineThread | None = None
    life: FaceLife | None = None
    is_ordered_to_end: bool = False


class Face:
    """What a window holds of the companion. ``make``: builds it; by default from what is on this machine."""

    def __init__(self, paths: Paths, make: Make | None = None) -> None:
        self._paths = paths
        self._changes = no_changes()
        self._make = make or _of_this_machine(paths, self._changes)
        self._listeners: list[Listener] = []
        self._lock: Lock | None = None
        self._run: _Run | None = None
        self._turning = threading.Lock()
        """Held by whoever starts or ends an engine."""

    def own(self) -> None:
        """Own the data folder. May be called twice.

        Raises:
            AlreadyRunning: another companion owns it.
            StorageError: the lock file cannot be opened.
        """
        with self._turning:
            if self._lock is None:
                self._lock = Lock.take(self._paths.lock_file)

    def start(self) -> None:
        """Own the data folder, and begin to live.

        Raises: as ``own``.
        """
        self.own()
        with self._turning:
            self._begin()

    def stop(self, within: float = GRACE) -> bool:
        """End it, and wait so many seconds at most; whether nothing hangs."""
        with self._turning:
            ended = self._end(within)
            if self._lock is not None:
                self._lock.release()
                self._lock = None
            return ended

    def restart(self) -> None:
        """End it and begin anew with the settings as they are now, beside the caller. One that hangs is left."""
        aside(self._begin_anew, name="restart")

    def order(self, order: Order) -> Future[Answer]:
        """Have an order carried out. The future fails with a CompanionError; callbacks run on the engine's thread."""
        run = self._run
        life = run.life if run is not None else None
        if run is None or run.thread is None or life is None:
            refused: Future[Answer] = Future()
            refused.set_exception(ControlError("the companion does not run", mend="Start it again."))
            return refused
        return run.thread.post(lambda: _in_time(life, order))

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Hear every event from now on, through all restarts, until the returned function is called.

        The listener is called on the engine's thread and must return at once.
        """
        self._listeners.append(listener)

        def forget() -> None:
            with contextlib.suppress(ValueError):
                self._listeners.remove(listener)

        return forget

    def _begin(self) -> None:
        run = _Run()
        run.telling.subscribe(lambda event: self._tell(run, event))
        run.thread = EngineThread(lambda: self._born(run), lambda failure: self._ended(run, failure))
        self._run = run
        self._tell(run, EngineStarted())
        run.thread.start()

    def _born(self, run: _Run) -> FaceLife:
        run.life = FaceLife(self._paths, self._make, run.telling, lambda: _order_to_end(run), self._changes)
        return run.life

    def _end(self, within: float) -> bool:
        """End the present engine. What an engine that hangs may still tell is not heard any more."""
        run, self._run = self._run, None
        if run is None or run.thread is None:
            return True
        _order_to_end(run)
        ended = run.thread.join(within)
        if not ended:
            logger.error("the engine did not end within %.1f s, and is left behind", within)
        return ended

    def _begin_anew(self) -> None:
        with self._turning:
            if self._lock is not None:  # else it was stopped for good meanwhile
                self._end(GRACE)
                give_back()
                self._begin()

    def _ended(self, run: _Run, failure: Exception | None) -> None:
        if failure is not None:
            logger.error("the engine failed", exc_info=failure)
            mend = failure.mend if isinstance(failure, CompanionError) else "Start it again. The log tells more."
            self._tell(run, EngineEnded(one_line(failure), mend))
        elif run.is_ordered_to_end:
            self._tell(run, EngineEnded())
        else:
            self._tell(run, EngineEnded("the companion has stopped listening", "Start it again."))

    def _tell(self, run: _Run, event: object) -> None:
        if run is not self._run:
            return
        for listener in list(self._listeners):
            try:
                listener(event)
            except Exception:
                logger.exception("a face failed at %s", type(event).__name__)


def _order_to_end(run: _Run) -> None:
    run.is_ordered_to_end = True
    if run.thread is not None:
        run.thread.stop()


async def _in_time(life: FaceLife, order: Order) -> Answer:
    try:
        async with asyncio.timeout(patience(order)):
            return await life.perform(order)
    except TimeoutError as error:
        raise ControlError("the companion did not get to it in time", mend="Try again.") from error


async def _kept(live: Live, paths: Paths, telling: Telling, why: CompanionError, stop: Callable[[], None]) -> Tenant:
    from companion.app.housekeeper import Housekeeper
    from companion.app.mind import build_mind

    settings = live.settings
    return Housekeeper(await build_mind(settings, paths, None, telling=telling, live=live), settings, why, stop)


def _builder() -> Callable[..., Awaitable[Companion]]:
    """What builds: importing it takes a moment, in which the engine shall give signs of life."""
    from companion.app.build import build

    return build


def _of_this_machine(paths: Paths, changes: deque[Change]) -> Make:
    wishes = Wishes()  # a microphone that was closed stays closed when the engine begins anew

    async def make(settings: Settings, telling: Telling, stop: Callable[[], None]) -> Companion:
        build = await asyncio.to_thread(_builder)
        return await build(settings, paths, telling, stop=stop, wishes=wishes, changes=changes)

    return make
