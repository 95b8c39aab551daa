"""Threads for what plugins do that is not async: a few for each, so that one which hangs holds up nobody but itself.

A thread that hangs cannot be ended. Its plugin has one less from then on, and none when all of its own hang; the
threads that everybody else shares are never among them.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Generic, TypeVar

from companion.errors import PluginError

T = TypeVar("T")

EACH = 2
"""Threads that one plugin may have at once."""
MOST = 32
"""Of all plugins."""


class GuestThreads:
    """All threads of plugins. The pool is made when the first is needed."""

    def __init__(self, *, each: int = EACH, most: int = MOST) -> None:
        self._each = each
        self._most = most
        self._pool: ThreadPoolExecutor | None = None
        self._busy: Counter[str] = Counter()
        self._counting = threading.Lock()

    async def call(self, owner: str, work: Callable[[], T]) -> T:
        """What ``work`` gives, which sees the context of its caller.

        Raises:
            PluginError: all threads of ``owner`` are busy.
            RuntimeError: it wanted to end the program.
            BaseException: what it raised otherwise.
        """
        give_back = self._taken(owner)
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._most, thread_name_prefix="plugin")
        call = _Call(work, give_back)
        job = asyncio.get_running_loop().run_in_executor(self._pool, copy_context().run, call.run)
        job.add_done_callback(call.called_off)
        return await job

    def _taken(self, owner: str) -> Callable[[], None]:
        """Count a thread of ``owner``, and give what counts it as free again."""
        with self._counting:
            if self._busy[owner] >= self._each:
                raise PluginError(f"{self._each} of its calls still run", plugin=owner)
            self._busy[owner] += 1

        def give_back() -> None:
            with self._counting:
                self._busy[owner] -= 1

        return give_back


class _Call(Generic[T]):
    """One call, whose thread is given back once: when it ends, or when it is called off before it began."""

    def __init__(self, work: Callable[[], T], give_back: Callable[[], None]) -> None:
        self._work = work
        self._give_back = give_back
        self._has_begun = threading.Event()

    def run(self) -> T:
        self._has_begun.set()
        try:
            return self._work()
        except (KeyboardInterrupt, SystemExit) as error:
            # Handed on, it would end the loop, and all of us with it.
            raise RuntimeError("it wanted to end the program") from error
        except StopIteration as error:
            raise RuntimeError("it ended what nobody had begun") from error
        finally:
            self._give_back()

    def called_off(self, job: asyncio.Future[T]) -> None:
        if job.cancelled() and not self._has_begun.is_set():
            self._has_begun.set()
            self._give_back()
