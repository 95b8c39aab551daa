"""Runs what plugins have brought: with a time limit, failures noted, and who keeps failing left alone for a while."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, overload

from companion.agent.guest_threads import GuestThreads
from companion.compose.breaker import Circuit, CircuitState, Passage
from companion.errors import PluginError, Unreachable, one_line
from companion.model.tool import is_async
from companion.stream.overdue import Overdue

logger = logging.getLogger(__name__)

A = TypeVar("A")
T = TypeVar("T")

THRESHOLD = 3
"""Failures in a row, after which a plugin is left alone."""
COOLDOWN = 60.0
"""Seconds for which it is."""
LONGEST_REASON = 300
"""Characters."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong with a plugin. where: a stage, an event or a tool. reason: in one line."""

    owner: str
    where: str
    reason: str


class GuestFailed(PluginError):
    """A plugin failed. failure: None where it was not even asked, because it is left alone."""

    def __init__(self, message: str, *, plugin: str, failure: Failure | None = None) -> None:
        super().__init__(message, plugin=plugin)
        self.failure = failure


class Guests:
    """All plugins, by their names; one circuit for each, over all that it does.

    clock: seconds that only grow; None for that of the event loop.
    """

    def __init__(
        self, *, threshold: int = THRESHOLD, cooldown: float = COOLDOWN, clock: Callable[[], float] | None = None
    ) -> None:
        self._threshold = threshold
        self._cooldown = cooldown
        self._clock = clock
        self._circuits: dict[str, Circuit] = {}
        self._watchers: list[Callable[[Failure], None]] = []
        self._overdue = Overdue()
        self._threads = GuestThreads()

    def watch(self, watcher: Callable[[Failure], None]) -> None:
        """Have every failure told, at once; the watcher must not raise."""
        self._watchers.append(watcher)

    def is_left_alone(self, owner: str) -> bool:
        circuit = self._circuits.get(owner)
        return circuit is not None and circuit.state is CircuitState.OPEN

    def forget(self, owner: str) -> None:
        """It begins anew."""
        self._circuits.pop(owner, None)

    async def run(
        self, owner: str, where: str, function: Callable[[A], Awaitable[None] | None], argument: A, *, seconds: float
    ) -> Failure | bool:
        """Call ``function``, sync (on a thread) or async: True where it ended well, False where its owner is left
        alone, and else what went wrong. Never raises but what cancels the caller.
        """
        try:
            await self.ask(owner, where, partial(function, argument), seconds=seconds)
        except GuestFailed as error:
            return error.failure or False
        return True

    @overload
    async def ask(self, owner: str, where: str, call: Callable[[], Coroutine[Any, Any, T]], *, seconds: float) -> T: ...
    @overload
    async def ask(self, owner: str, where: str, call: Callable[[], T], *, seconds: float) -> T: ...
    async def ask(self, owner: str, where: str, call: Callable[[], Any], *, seconds: float) -> Any:
        """What ``call``, sync (on a thread) or async, gives.

        Raises:
            GuestFailed: it failed or took too long, or its owner is left alone.
        """
        circuit = self._circuit(owner)
        try:
            passage = circuit.enter()
        except Unreachable:
            raise GuestFailed(f"{owner} has failed too often and is left alone for a while", plugin=owner) from None
        clock = asyncio.get_running_loop().time
        began = clock()
        work = self._called(owner, call)
        try:
            task = await self._overdue.ended(work, name=f"{where} of {owner}", seconds=seconds)
        except TimeoutError as error:
            raise self._failed(circuit, passage, Failure(owner, where, _words(error))) from error
        except BaseException:
            circuit.note_nothing(passage)
            raise
        # Where it has cancelled itself, nobody has cancelled the turn; whatever it raised ends nothing but itself.
        raised = asyncio.CancelledError() if task.cancelled() else task.exception()
        if raised is not None:
            raise self._failed(circuit, passage, Failure(owner, where, _words(raised))) from raised
        if (took := clock() - began) > seconds:
            raise self._failed(circuit, passage, Failure(owner, where, f"it held up everything for {took:.1f} s"))
        circuit.note_success(passage)
        return task.result()

    async def _called(self, owner: str, call: Callable[[], Any]) -> Any:
        try:
            if is_async(call.func if isinstance(call, partial) else call):
                return await call()
            # What is not async may block, and the loop must go on.
            result = await self._threads.call(owner, call)
            return (await result) if inspect.isawaitable(result) else result
        except (KeyboardInterrupt, SystemExit) as error:
            # A task that raises it ends the loop, and all of us with it.
            raise RuntimeError("it wanted to end the program") from error

    async def on_thread(self, owner: str, work: Callable[[], T]) -> T:
        """What ``work`` gives, on one of the owner's threads; within ``ask`` only, which has a limit.

        Raises:
            PluginError: they are all busy.
            BaseException: what it raised.
        """
        return await self._threads.call(owner, work)

    def _circuit(self, owner: str) -> Circuit:
        if owner not in self._circuits:
            self._circuits[owner] = Circuit(
                owner, threshold=self._threshold, cooldown=self._cooldown, clock=self._clock
            )
        return self._circuits[owner]

    def _failed(self, circuit: Circuit, passage: Passage, failure: Failure) -> GuestFailed:
        circuit.note_failure(passage, 0.0)
        # Its reason may quote what was said, which the log must not.
        logger.warning("%s failed at %s", failure.owner, failure.where)
        for watcher in self._watchers:
            watcher(failure)
        return GuestFailed(f"{failure.owner}: {failure.reason}", plugin=failure.owner, failure=failure)


def _words(error: BaseException) -> str:
    try:
        words = one_line(error)
    except Exception:  # noqa: BLE001 - an error of a plugin's own may not even say what it is
        words = type(error).__name__
    return words[:LONGEST_REASON]
