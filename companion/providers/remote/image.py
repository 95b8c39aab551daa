"""Pictures from a provider, waited for where it takes its time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any

from companion.dialects.contract import WireCall
from companion.dialects.images import ImageDialect, ImageTask, choose_image_dialect
from companion.errors import CompanionError, ModelError, Throttled
from companion.model import Kind
from companion.model.pictures import ImageAnswer, ImageRequest
from companion.providers.remote.provider_link import ProviderLink, through
from companion.stream.tasks import Tasks

logger = logging.getLogger(__name__)

GOODBYE = 5.0
"""Seconds a provider may take to hear that a task is given up."""
_NOTHING: frozenset[Kind] = frozenset()


@dataclass(frozen=True, slots=True)
class Patience:
    """How to wait for a task; seconds.

    first: before the first question; each pause is ``growth`` times the one before, and ``longest`` at most.
    total: until it is given up, its first exchange included. failures: questions in a row that may fail.
    """

    first: float = 1.0
    growth: float = 1.5
    longest: float = 10.0
    total: float = 300.0
    failures: int = 5


class RemoteImages:
    """An ImageBackend at an endpoint.

    A task that is not waited for any longer, because its time is over or its caller has gone, is given up with the
    provider where its protocol has a word for it; ``close`` waits until that has been said.

    model: where a request names none. dialect: None for what the endpoint speaks.
    clock: seconds, None for the event loop's. pause: waits.

    Raises:
        Unsupported: the endpoint speaks no dialect of making pictures.
    """

    def __init__(
        self,
        line: ProviderLink,
        model: str,
        *,
        dialect: ImageDialect | None = None,
        patience: Patience = Patience(),
        clock: Callable[[], float] | None = None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._line, self._dialect = (
            (line, dialect) if dialect else through(line, choose_image_dialect, "making pictures")
        )
        self._model = model
        self._patience = patience
        self._clock = clock or (lambda: asyncio.get_running_loop().time())
        self._pause = pause
        self._tasks = Tasks()
        self._open: set[asyncio.Task[None]] = set()

    @property
    def name(self) -> str:
        return f"{self._line.endpoint.name}/{self._model}"

    async def make(self, request: ImageRequest) -> ImageAnswer:
        """Raises as the contract says, and MissingKey where there is no key."""
        request = replace(request, model=request.model or self._model)
        until = self._clock() + self._patience.total
        call = self._dialect.encode(request, self._base_url)
        answer = await self._begun(call, until, frozenset({Kind.TEXT, *([Kind.IMAGE] if request.images else [])}))
        return await self._wait(answer, until) if isinstance(answer, ImageTask) else answer

    async def close(self) -> None:
        """Wait until providers were told of the tasks that were given up."""
        while self._open:
            await asyncio.wait(set(self._open))
        await self._tasks.close()

    @property
    def _base_url(self) -> str:
        return self._line.endpoint.door.base_url

    async def _begun(self, call: WireCall, until: float, kinds: frozenset[Kind]) -> ImageAnswer | ImageTask:
        """What the first exchange brings. A caller who goes away meanwhile has the task given up once it has a name."""
        if not self._dialect.begins_tasks:
            return await self._ask(call, until, kinds)
        outcome: asyncio.Future[ImageAnswer | ImageTask] = asyncio.get_running_loop().create_future()
        self._later(self._begin(call, until, kinds, outcome), f"begin a task of {self.name}")
        try:
            return await asyncio.shield(outcome)
        except asyncio.CancelledError:
            outcome.add_done_callback(self._unwanted)
            raise

    async def _begin(
        self, call: WireCall, until: float, kinds: frozenset[Kind], outcome: asyncio.Future[ImageAnswer | ImageTask]
    ) -> None:
        try:
            outcome.set_result(await self._ask(call, until, kinds))
        except Exception as error:  # noqa: BLE001 - whatever it is belongs to whoever waits for the pictures
            outcome.set_exception(error)

    def _unwanted(self, outcome: asyncio.Future[ImageAnswer | ImageTask]) -> None:
        if outcome.exception() is None and isinstance(task := outcome.result(), ImageTask):
            self._give_up(task)

    async def _wait(self, task: ImageTask, until: float) -> ImageAnswer:
        try:
            answer = await self._finished(task, until)
        except BaseException:
            self._give_up(task)
            raise
        if isinstance(answer, ImageTask):
            assert answer.error is not None
            raise answer.error
        return answer

    async def _finished(self, task: ImageTask, until: float) -> ImageAnswer | ImageTask:
        """Ask until there are pictures; a question that fails is asked again, since the task goes on."""
        pause, failed = self._patience.first, 0
        answer: ImageAnswer | ImageTask = task
        while isinstance(answer, ImageTask) and answer.error is None:
            await self._rest(pause, until)
            pause = min(pause * self._patience.growth, self._patience.longest)
            try:
                answer = await self._ask(self._dialect.poll(task, self._base_url), until, _NOTHING)
                failed = 0
            except (ModelError, TimeoutError) as error:
                failed += 1
                if failed > self._patience.failures or (isinstance(error, ModelError) and not error.retryable):
                    raise
                if isinstance(error, Throttled) and error.after is not None:
                    pause = max(pause, error.after)
                logger.info("%s: asking for a task failed, and is tried again: %s", self.name, type(error).__name__)
        return answer

    async def _rest(self, pause: float, until: float) -> None:
        left = until - self._clock()
        if left > 0:
            await self._pause(min(pause, left))
        if left <= pause:
            raise TimeoutError(f"{self.name} did not finish its pictures within {self._patience.total:g} s")

    async def _ask(self, call: WireCall, until: float, kinds: frozenset[Kind]) -> ImageAnswer | ImageTask:
        within = max(until - self._clock(), 0.0)
        return await self._line.ask(call, self._dialect, self._dialect.read, kinds=kinds, within=within)

    def _give_up(self, task: ImageTask) -> None:
        call = self._dialect.cancel(task, self._base_url)
        if call is not None:
            self._later(self._say_goodbye(call), f"give up a task of {self.name}")

    def _later(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = self._tasks.start(work, name=name)
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _say_goodbye(self, call: WireCall) -> None:
        try:
            async with asyncio.timeout(GOODBYE):
                await self._line.ask(call, self._dialect, lambda answer: None, kinds=_NOTHING, within=GOODBYE)
        except (CompanionError, TimeoutError) as error:
            # Work that runs already often cannot be given up; nobody waits for its pictures any more.
            logger.info("%s: a task could not be given up: %s", self.name, type(error).__name__)
