"""A companion without a window: it owns its data folder, opens its control socket and lives until it is ended."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from companion.app.build import build
from companion.app.companion import Companion
from companion.app.control import Answer, ControlServer
from companion.app.engine import Engine
from companion.app.events import Telling
from companion.app.lock import Lock
from companion.app.orders import STARTING, Order
from companion.app.paths import Paths
from companion.errors import ControlError
from companion.settings.schema import Settings

Build = Callable[[Callable[[], None]], Awaitable[Companion]]


class Headless:
    """The life an engine runs.

    build: makes the companion; is handed what ends the engine.
    """

    def __init__(self, paths: Paths, build: Build, stop: Callable[[], None]) -> None:
        self._build = build
        self._stop = stop
        self._companion: Companion | None = None
        self._control = ControlServer(paths.control_socket, self._perform)

    async def run(self) -> None:
        # The door first: who asks meanwhile hears that it is starting.
        await self._control.open()
        self._companion = await self._build(self._stop)
        await self._companion.run()

    async def close(self) -> None:
        await self._control.close()
        if self._companion is not None:
            await self._companion.close()

    async def _perform(self, order: Order) -> Answer:
        if self._companion is None:
            raise ControlError(STARTING, mend="Try again in a moment.")
        return await self._companion.perform(order)


def live(settings: Settings, paths: Paths, telling: Telling) -> None:
    """Start a companion here and live until it is ended by a signal or an order.

    Raises:
        AlreadyRunning: another one owns the data folder.
        CompanionError: it cannot be built; see ``build``.
    """
    lock = Lock.take(paths.lock_file)
    engine = Engine()
    try:
        engine.run(lambda: Headless(paths, lambda stop: build(settings, paths, telling, stop=stop), engine.stop))
    finally:
        lock.release()
