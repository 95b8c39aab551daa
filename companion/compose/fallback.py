"""Asks one backend after another until one has answered to the end; what they say together is one answer.

Laws:

1. What was handed out is never said again. Where a backend breaks in the middle, the next one is shown the answer so
   far and asked to go on, and what it repeats is cut.
2. A tool call is handed out when the answer has finished, so that half a call never is.
3. What one backend has signed is not shown to another.
4. Who is cancelled, or closes the answer, stops it at once; nobody else is asked.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TypeVar

from companion.compose.one_answer import OneAnswer
from companion.compose.patience import patience
from companion.compose.signatures import Signatures
from companion.errors import BadInput, CompanionError, EndOfStream, NobodyAnswered, WireBroken, is_retryable
from companion.model import ChatBackend, ChatRequest
from companion.model.deltas import Delta, DeltaSource, says_something
from companion.model.request import answered_by
from companion.stream.wakeable import Wakeable

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Order(StrEnum):
    """Who is asked first."""

    FIXED = "fixed"
    """As they were given."""
    LAST_GOOD = "last-good"
    """Whoever has answered last; the others as they were given."""


@dataclass(frozen=True, slots=True)
class Failure:
    """``backend`` failed with ``error``; ``text``: what was handed out of the answer by then, whoever said it."""

    backend: str
    error: Exception
    text: str = ""


ShouldFailover = Callable[[Failure], bool]


def whatever_has_a_name(failure: Failure) -> bool:
    """Every error of the house, as of a provider, an answer or a budget; a mistake in the program is none."""
    return isinstance(failure.error, CompanionError | TimeoutError)


class Failover:
    """A ChatBackend of several.

    patience: seconds that a backend may say nothing while another one could be asked; None: for ever.
    rounds: how often each may be asked for one answer; one that says asking again is of no use is asked once.
    """

    def __init__(
        self,
        backends: Sequence[ChatBackend],
        *,
        name: str = "",
        order: Order = Order.FIXED,
        should_failover: ShouldFailover = whatever_has_a_name,
        patience: float | None = None,
        rounds: int = 2,
    ) -> None:
        """Raises BadInput where there is no backend."""
        if not backends:
            raise BadInput("a chain of fallbacks needs at least one backend")
        self.backends = tuple(backends)
        self.should_failover = should_failover
        self.patience = patience
        self.signatures = Signatures()
        self._name = name or " > ".join(backend.name for backend in backends)
        self._order = order
        self._rounds = rounds
        self._last_good = 0

    @property
    def name(self) -> str:
        return self._name

    async def ask(self, request: ChatRequest) -> DeltaSource:
        """Ask the first that takes the question.

        Raises:
            ModelError, TimeoutError: as the only one that was asked does, or the one that ``should_failover`` stops at.
            NobodyAnswered: all failed.
        """
        answer = _Source(self, request, self._candidates())
        await answer.begin()
        return answer

    def note_good(self, place: int) -> None:
        """The backend at that place has answered to the end."""
        self._last_good = place

    def _candidates(self) -> list[int]:
        places = list(range(len(self.backends)))
        if self._order is Order.LAST_GOOD:
            places.sort(key=lambda place: place != self._last_good)
        return places * self._rounds


class _Source:
    """One answer, whoever gives it."""

    def __init__(self, chain: Failover, request: ChatRequest, candidates: list[int]) -> None:
        self._chain = chain
        self._candidates = candidates
        self._answer = OneAnswer(request)
        self._failures: dict[int, Exception] = {}
        self._wakeable = Wakeable()
        self._source: DeltaSource | None = None
        self._place = 0
        self._left = 0.0
        """Seconds it may still be waited for; a slow reader does not use them up."""
        self._names: tuple[str, ...] = ()
        self._names_before: tuple[str, ...] = ()

    @property
    def answered_by(self) -> tuple[str, ...]:
        return self._names

    async def begin(self) -> None:
        """Ask the next of the candidates that takes the question. Raises as ``Failover.ask``."""
        while True:
            if not self._candidates:
                raise self._gave_up()
            self._place = self._candidates.pop(0)
            self._left = self._chain.patience or 0.0
            request = self._chain.signatures.for_reader(str(self._place), self._answer.request())
            try:
                self._source = await self._waited(partial(self._backend.ask, request))
            except EndOfStream:
                raise
            except Exception as error:  # noqa: BLE001 - raised again unless another one is to be asked
                self._note(error)
            else:
                return

    async def next(self) -> Delta:
        while not self._answer.ready:
            self._wakeable.demand_open()
            if self._source is None:
                raise EndOfStream
            try:
                delta = await self._waited(self._source.next)
            except EndOfStream:
                await self._ended(WireBroken(f"{self._backend.name} stopped in the middle of its answer"))
            except Exception as error:  # noqa: BLE001 - raised again unless another one is to be asked
                await self._ended(error)
            else:
                self._take(delta)
        return self._answer.ready.popleft()

    async def close(self) -> None:
        await self._wakeable.close()
        self._answer.ready.clear()
        if self._source is not None:
            await self._source.close()

    @property
    def _backend(self) -> ChatBackend:
        return self._chain.backends[self._place]

    def _take(self, delta: Delta) -> None:
        if says_something(delta):
            self._left = self._chain.patience or 0.0
        self._chain.signatures.note(str(self._place), delta)
        self._answer.take(delta)
        if self._answer.is_finished:
            self._chain.note_good(self._place)
        if self._source is not None and any(map(says_something, self._answer.ready)):
            names = answered_by(self._source, self._backend)
            goes_on = names[:1] == self._names_before[-1:]
            self._names = self._names_before + names[1 if goes_on else 0 :]

    async def _ended(self, error: Exception) -> None:
        """The backend gives no more: the answer has finished, or the next one has to go on."""
        self._wakeable.demand_open()
        source, self._source = self._source, None
        if source is not None:
            await source.close()
        if self._answer.is_finished:
            return
        self._note(error)
        self._answer.break_off(error)
        self._names_before = self._names
        await self.begin()

    def _note(self, error: Exception) -> None:
        """Remember the failure. Raises it where nobody else is to be asked."""
        failure = Failure(self._backend.name, error, self._answer.text)
        if not self._chain.should_failover(failure):
            raise error
        self._failures[self._place] = error
        if not is_retryable(error):
            self._candidates = [place for place in self._candidates if place != self._place]
        logger.warning("%s failed: %s", failure.backend, type(error).__name__)

    def _gave_up(self) -> Exception:
        if len(self._failures) == 1:
            return next(iter(self._failures.values()))
        failed = tuple((self._chain.backends[place].name, error) for place, error in self._failures.items())
        return NobodyAnswered(failed, mend="Look at what each of them says.")

    async def _waited(self, wait: Callable[[], Awaitable[T]]) -> T:
        """What ``wait`` gives.

        Raises:
            EndOfStream: this was closed meanwhile, or as it does.
            TimeoutError: the backend's patience is used up, and there is another one.
        """
        is_limited = self._chain.patience is not None and bool(self._candidates) and not self._answer.is_finished
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            async with patience(max(self._left, 0.0) if is_limited else None) as limit:
                return await self._wakeable.unless_closed(wait)
        except TimeoutError as error:
            if limit.expired():
                raise TimeoutError(f"{self._backend.name} said nothing for {self._chain.patience:g} s") from error
            raise
        finally:
            self._left -= clock() - began
