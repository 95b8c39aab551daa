"""An answer whose first words are there: until then it can be given up without anybody noticing."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from companion.errors import EndOfStream, WireBroken
from companion.model import ChatBackend, ChatRequest
from companion.model.deltas import Delta, DeltaSource, says_something
from companion.model.request import answered_by

MOST_BEFORE = 256
"""Deltas that say nothing, before an answer counts as begun."""


async def begun(backend: ChatBackend, request: ChatRequest) -> DeltaSource:
    """Ask, and wait until the answer says something.

    Raises:
        WireBroken: it ended before.
        ModelError, TimeoutError: as the backend and its answer do.
    """
    source = await backend.ask(request)
    read: list[Delta] = []
    try:
        while len(read) < MOST_BEFORE:
            read.append(await source.next())
            if says_something(read[-1]):
                break
    except EndOfStream as error:
        await source.close()
        raise WireBroken(f"{backend.name} ended its answer before it had begun") from error
    except BaseException:
        await source.close()
        raise
    return BegunSource(read, source, backend)


class BegunSource:
    """A DeltaSource of what was read already and of what is still to come of ``rest``, which ``backend`` gave."""

    def __init__(self, read: Iterable[Delta], rest: DeltaSource, backend: ChatBackend) -> None:
        self._read = deque(read)
        self._rest = rest
        self._backend = backend
        self._is_closed = False

    @property
    def answered_by(self) -> tuple[str, ...]:
        # It may change while the answer goes on.
        return answered_by(self._rest, self._backend)

    async def next(self) -> Delta:
        if self._is_closed:
            raise EndOfStream
        return self._read.popleft() if self._read else await self._rest.next()

    async def close(self) -> None:
        self._is_closed = True
        await self._rest.close()
