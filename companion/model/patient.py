"""How long a provider is waited for, and how its answer has ended."""

from __future__ import annotations

import asyncio

from companion.errors import EndOfStream, ModelDied, StreamBlocked
from companion.model.deltas import Counted, Delta, DeltaSource, Finish, Finished, says_something
from companion.stream import State, Status, Usage

SILENCE = 60.0
"""Seconds a provider may say nothing before it has finished."""
TRAILING = 5.0
"""Seconds it is waited for after that; the counts come then, if they come."""


def refusal_of(finished: Finished | None) -> StreamBlocked | None:
    """The error of an answer that was refused; None where it was not."""
    if finished is None or finished.why is not Finish.REFUSED:
        return None
    return StreamBlocked(finished.refusal or "no reason given")


class PatientReader:
    """Reads a source to its end, and waits for it no longer than a provider may be waited for.

    silence: seconds of waiting before the finish signal in which nothing new comes.
    trailing: seconds of waiting behind it in all.
    usage: what is counted so far. finished: the newest finish signal.
    """

    def __init__(self, source: DeltaSource, silence: float = SILENCE, trailing: float = TRAILING) -> None:
        self._source = source
        self._silence = silence
        self._trailing = trailing
        self._left = silence
        """Seconds it may still be waited for; a slow reader does not use them up."""
        self.usage = Usage()
        self.finished: Finished | None = None

    async def next(self) -> Delta | None:
        """The next delta; None at the end.

        Raises:
            TimeoutError: nothing came for too long before the finish signal.
            ModelError: as the source.
        """
        try:
            delta = await self._waited_for()
        except EndOfStream:
            return None
        except TimeoutError as error:
            if self.finished is not None:
                return None
            if self._left > 0:
                # A deadline of the source itself, which says more.
                raise
            raise TimeoutError(f"the model said nothing for {self._silence:g} s") from error
        if self.finished is None and self._is_new(delta):
            self._left = self._silence
        self._note(delta)
        return delta

    def state(self) -> State:
        """How it ended.

        Raises:
            ModelDied: it ended without a finish signal.
        """
        match self.finished:
            case None:
                raise ModelDied("the answer ended without a finish signal", mend="ask again", retryable=True)
            case Finished(Finish.REFUSED):
                return State(Status.BLOCKED, self.usage, refusal_of(self.finished))
            case Finished(Finish.LENGTH):
                return State(Status.TRUNCATED, self.usage)
            case Finished():
                return State(Status.DONE, self.usage)

    async def _waited_for(self) -> Delta:
        if self._left <= 0:
            raise TimeoutError
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            async with asyncio.timeout(self._left):
                return await self._source.next()
        finally:
            self._left -= clock() - began

    def _note(self, delta: Delta) -> None:
        match delta:
            case Counted(usage):
                self.usage = self.usage.most(usage)
            case Finished():
                self._left = self._trailing if self.finished is None else self._left
                self.finished = delta

    def _is_new(self, delta: Delta) -> bool:
        """Whether it says something; some providers send empty pieces to keep a line open."""
        return says_something(delta) or (isinstance(delta, Counted) and self.usage.most(delta.usage) != self.usage)
