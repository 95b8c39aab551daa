"""Leaves an endpoint alone that keeps failing, and looks now and then whether it is well again.

::

    closed     requests pass; so many failures in a row open it
    open       requests fail at once; after a while it is half open
    half open  one request passes, as a probe: its success closes the circuit, its failure opens it again

A failure is one that asking later may mend: the line broke, the endpoint is overloaded or out of order, or it was
left because it said nothing for too long. An answer that was refused for what was asked shows that it is well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import StrEnum

from companion.compose.patience import has_run_out
from companion.errors import EndOfStream, InvalidAnswer, ModelDied, Refused, Throttled, Unreachable, is_retryable
from companion.model import ChatBackend, ChatRequest
from companion.model.deltas import Delta, DeltaSource, Finished, says_something
from companion.model.request import answered_by

TOO_LONG = 10.0
"""Seconds without a word, after which leaving an answer says something about who was to give it."""


class CircuitState(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half-open"


class Circuit:
    """Of one endpoint; all models that are reached by it share one.

    threshold: failures in a row. cooldown: seconds that it is left alone, or longer where it asks for that.
    clock: seconds that only grow; None for that of the event loop.
    """

    def __init__(
        self, name: str, *, threshold: int = 5, cooldown: float = 30.0, clock: Callable[[], float] | None = None
    ) -> None:
        self.name = name
        self._threshold = threshold
        self._cooldown = cooldown
        self._clock = clock
        self._failures = 0
        self._open_until: float | None = None
        self._probe: Passage | None = None

    @property
    def state(self) -> CircuitState:
        if self._open_until is None:
            return CircuitState.CLOSED
        return CircuitState.OPEN if self.now() < self._open_until else CircuitState.HALF_OPEN

    def now(self) -> float:
        """Seconds on its clock."""
        return asyncio.get_running_loop().time() if self._clock is None else self._clock()

    def enter(self) -> Passage:
        """Let a request pass.

        Raises:
            Unreachable: the endpoint is left alone; nothing was sent.
        """
        passage = Passage(self)
        match self.state:
            case CircuitState.CLOSED:
                pass
            case CircuitState.HALF_OPEN if self._probe is None:
                self._probe = passage
            case _:
                raise self._shut()
        return passage

    def note_success(self, passage: Passage) -> None:
        if passage is self._probe:
            self._open_until = self._probe = None
        if self._open_until is None:
            self._failures = 0

    def note_failure(self, passage: Passage, after: float) -> None:
        is_probe = passage is self._probe
        self._failures += 1
        if is_probe or (self._open_until is None and self._failures >= self._threshold):
            self._open_until = self.now() + max(self._cooldown, after)
        if is_probe:
            self._probe = None

    def note_nothing(self, passage: Passage) -> None:
        if passage is self._probe:
            self._probe = None

    def _shut(self) -> Unreachable:
        left = max((self._open_until or 0.0) - self.now(), 0.0)
        why = f"for another {left:.0f} s" if left else "until one question has been answered"
        return Unreachable(
            f"{self.name} has failed {self._failures} times and is left alone {why}",
            mend="Wait, or use another provider meanwhile.",
            retryable=False,
        )


class Passage:
    """One request on its way; what becomes of it first counts."""

    def __init__(self, circuit: Circuit) -> None:
        self._circuit = circuit
        self._entered = circuit.now()
        self._has_begun = False
        self._is_over = False

    def see(self, delta: Delta) -> None:
        if says_something(delta):
            self.begin()
        if isinstance(delta, Finished):
            self.succeed()

    def begin(self) -> None:
        """The first of what was asked for is there: whoever leaves it now says nothing against the endpoint."""
        self._has_begun = True

    def succeed(self) -> None:
        """It was served."""
        self._end(self._circuit.note_success)

    def fail(self, error: Exception) -> None:
        """It ended with an error."""
        if is_retryable(error) or isinstance(error, ModelDied):
            after = error.after if isinstance(error, Throttled) else None
            self._end(lambda passage: self._circuit.note_failure(passage, after or 0.0))
        elif isinstance(error, Refused | InvalidAnswer):
            self._end(self._circuit.note_success)
        else:
            self._end(self._circuit.note_nothing)

    def leave(self) -> None:
        """Nobody waits for the rest of it."""
        if has_run_out():
            self.fail(TimeoutError(f"{self._circuit.name} was waited for in vain"))
        elif self._has_begun:
            self._end(self._circuit.note_success)
        elif self._circuit.now() - self._entered >= TOO_LONG:
            self._end(lambda passage: self._circuit.note_failure(passage, 0.0))
        else:
            self._end(self._circuit.note_nothing)

    def drop(self) -> None:
        """Nothing was sent."""
        self._end(self._circuit.note_nothing)

    def _end(self, note: Callable[[Passage], None]) -> None:
        if not self._is_over:
            self._is_over = True
            note(self)


class Breaker:
    """A ChatBackend around one that is reached through ``circuit``."""

    def __init__(self, backend: ChatBackend, circuit: Circuit) -> None:
        self._backend = backend
        self._circuit = circuit

    @property
    def name(self) -> str:
        return self._backend.name

    @property
    def state(self) -> CircuitState:
        return self._circuit.state

    async def ask(self, request: ChatRequest) -> DeltaSource:
        """Ask, unless the endpoint is left alone.

        Raises:
            Unreachable: it is; nothing was sent, and asking again at once does not help.
            ModelError, TimeoutError: as the backend does.
        """
        passage = self._circuit.enter()
        try:
            return _Watched(await self._backend.ask(request), self._backend, passage)
        except Exception as error:
            passage.fail(error)
            raise
        except BaseException:
            passage.leave()
            raise


class _Watched:
    def __init__(self, source: DeltaSource, backend: ChatBackend, passage: Passage) -> None:
        self._source = source
        self._backend = backend
        self._passage = passage

    @property
    def answered_by(self) -> tuple[str, ...]:
        return answered_by(self._source, self._backend)

    async def next(self) -> Delta:
        try:
            delta = await self._source.next()
        except EndOfStream:
            # Once it was closed or has finished, this says nothing new.
            self._passage.fail(TimeoutError("the answer stopped before it had finished"))
            raise
        except Exception as error:
            self._passage.fail(error)
            raise
        except BaseException:
            # One that is called off may be asked for the same delta again, unless nobody had the patience for it.
            if has_run_out():
                self._passage.leave()
            raise
        self._passage.see(delta)
        return delta

    async def close(self) -> None:
        self._passage.leave()
        await self._source.close()
