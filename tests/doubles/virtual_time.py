"""An event loop whose clock jumps to the next thing to do: a minute of talk runs in milliseconds, always alike."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _JumpingSelector(selectors.DefaultSelector):
    """Never waits: it moves the clock instead."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready or not timeout:
            if timeout is None and not ready:
                raise RuntimeError("nothing will ever happen again: every task waits for another")
            return ready
        self.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:
        """At once, on this thread: work elsewhere would take no time here, and every deadline would pass meanwhile."""
        done: asyncio.Future[T] = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:  # noqa: BLE001
            done.set_exception(error)
        return done


def run(scene: Coroutine[Any, Any, T]) -> T:
    """Run to the end in virtual time; a task left behind is an error."""
    loop = VirtualLoop()

    async def watched() -> T:
        result = await scene
        left = [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        assert not left, f"tasks left behind: {left}"
        return result

    try:
        return loop.run_until_complete(watched())
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
