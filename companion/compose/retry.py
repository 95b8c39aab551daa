"""Asks again where that may help, as long as nothing of an answer was handed out.

The pauses grow: a tenth of a second, doubled each time up to ten seconds, and up to half as much again by chance, so
that many who failed together do not come back together. A provider that says how long it wants to be left alone is
left alone for that long.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NoReturn

from companion.compose.begun import begun
from companion.compose.patience import patience
from companion.errors import InvalidAnswer, Throttled, is_retryable
from companion.model import ChatBackend, ChatRequest
from companion.model.backends import ReadySource
from companion.model.deltas import DeltaSource
from companion.model.gathered import Gathered, gather
from companion.model.request import answered_by

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """max_retries: further tries behind the first. pause, longest_pause, deadline: seconds.

    jitter: the most that chance adds to a pause, as a share of it. deadline: for all tries together, up to the first
    words.
    """

    max_retries: int = 2
    pause: float = 0.1
    longest_pause: float = 10.0
    jitter: float = 0.5
    deadline: float = 60.0

    def pause_behind(self, attempt: int, chance: float) -> float:
        """Seconds before the next try. attempt: from 1 on. chance: 0 to 1."""
        # 2 to the power of so many tries would be no float.
        pause = min(self.pause * 2.0 ** min(attempt - 1, 64), self.longest_pause)
        return pause * (1 + self.jitter * chance)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try. number: from 1 on. Either it failed with ``error``, or ``answer`` is all that came."""

    number: int
    request: ChatRequest
    error: Exception | None = None
    answer: Gathered | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a try.

    is_retried: whether it counts as failed and shall be made again.
    error: in place of the one it failed with. request: in place of the one that was made; both None to leave it.
    """

    is_retried: bool
    error: Exception | None = None
    request: ChatRequest | None = None


Judge = Callable[[Attempt], Verdict]


def retry_what_may_help(attempt: Attempt) -> Verdict:
    """Retryable errors are, and nothing else is."""
    return Verdict(attempt.error is not None and is_retryable(attempt.error))


class _Failed(Exception):
    def __init__(self, error: Exception, verdict: Verdict) -> None:
        super().__init__()
        self.error = verdict.error or error
        self.cause = error
        self.verdict = verdict

    def tell(self) -> NoReturn:
        """Raise what it failed with; what that came of stays with it."""
        if self.error is self.cause:
            raise self.error
        raise self.error from self.cause


class Retry:
    """A ChatBackend around one that may fail.

    should_retry: judges failed tries. sees_answers: it judges answers too; each is then held back until it is whole.
    clock: seconds that only grow; None for that of the event loop. chance: 0 to 1.
    """

    def __init__(
        self,
        backend: ChatBackend,
        policy: RetryPolicy | None = None,
        *,
        should_retry: Judge = retry_what_may_help,
        sees_answers: bool = False,
        clock: Callable[[], float] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._backend = backend
        self._policy = policy or RetryPolicy()
        self._should_retry = should_retry
        self._sees_answers = sees_answers
        self._clock = clock
        self._sleep = sleep
        self._chance = chance

    @property
    def name(self) -> str:
        return self._backend.name

    async def ask(self, request: ChatRequest) -> DeltaSource:
        """Ask until an answer has begun.

        Raises:
            ModelError, TimeoutError: what the last try failed with.
            InvalidAnswer: the last answer was rejected, and nothing else was said of why.
        """
        ends = self._now() + self._policy.deadline
        number = 1
        while True:
            try:
                return await self._try(Attempt(number, request), ends)
            except _Failed as failure:
                failed = failure
            pause = self._pause(number, failed.cause)
            is_last = number > self._policy.max_retries or self._now() + pause >= ends
            if is_last or not failed.verdict.is_retried:
                failed.tell()
            request = failed.verdict.request or request
            logger.info("%s failed (try %d); it is asked again in %.1f s", self.name, number, pause)
            await self._sleep(pause)
            number += 1

    def _now(self) -> float:
        return asyncio.get_running_loop().time() if self._clock is None else self._clock()

    def _pause(self, number: int, error: Exception) -> float:
        pause = self._policy.pause_behind(number, self._chance())
        wanted = error.after if isinstance(error, Throttled) else None
        return max(pause, wanted or 0.0)

    async def _try(self, attempt: Attempt, ends: float) -> DeltaSource:
        try:
            async with patience(max(ends - self._now(), 0.0)) as limit:
                source = await begun(self._backend, attempt.request)
                if not self._sees_answers:
                    return source
                return await self._judged(source, attempt)
        except _Failed:
            raise
        except Exception as error:
            cause = self._late() if limit.expired() else error
            judged = Attempt(attempt.number, attempt.request, cause)
            raise _Failed(cause, self._should_retry(judged)) from error

    def _late(self) -> TimeoutError:
        return TimeoutError(f"{self.name} did not begin to answer within {self._policy.deadline:g} s")

    async def _judged(self, source: DeltaSource, attempt: Attempt) -> DeltaSource:
        """The whole answer, where it is accepted."""
        try:
            # The deadline of all tries is above it.
            answer = await gather(source, silence=self._policy.deadline)
            names = answered_by(source, self._backend)
        finally:
            await source.close()
        verdict = self._should_retry(Attempt(attempt.number, attempt.request, answer=answer))
        if verdict.is_retried or verdict.error is not None:
            raise _Failed(InvalidAnswer(f"the answer of {self.name} was rejected"), verdict)
        return ReadySource(answer.deltas(), names)
