"""An answer whose first words are there: until then it can be given up without anybody noticing."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import assert_never

from companion.compose.answered import answered_by
from companion.errors import EndOfStream, WireBroken
from companion.model import ChatBackend, ChatRequest
from companion.model.calls import CallDelta
from companion.model.deltas import BlobDelta, Counted, Delta, DeltaSource, Finished, RawDelta, TextDelta, ThoughtDelta

MOST_BEFORE = 256
"""Deltas that say nothing, before an answer counts as begun."""


def says_something(delta: Delta) -> bool:
    """Whether an answer has begun by it; counts, unnamed events and empty pieces may come of one that never does."""
    match delta:
        case TextDelta(text):
            return bool(text)
        case ThoughtDelta(text, signature, redacted):
            return bool(text or signature or redacted)
        case CallDelta() | BlobDelta() | Finished():
            return True
        case Counted() | RawDelta():
            return False
        case _:
            assert_never(delta)


class BegunSource:
    """A DeltaSource of what was read already and what is still to come; ``rest`` None: nothing is."""

    def __init__(self, read: Iterable[Delta], rest: DeltaSource | None, names: tuple[str, ...]) -> None:
        self._read = deque(read)
        self._rest = rest
        self._names = names
        self._is_closed = False

    @property
    def answered_by(self) -> tuple[str, ...]:
        return self._names

    async def next(self) -> Delta:
        if self._is_closed:
            raise EndOfStream
        if self._read:
            return self._read.popleft()
        if self._rest is None:
            raise EndOfStream
        return await self._rest.next()

    async def close(self) -> None:
        self._is_closed = True
        if self._rest is not None:
            await self._rest.close()


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
    return _Rest(read, source, backend)


class _Rest(BegunSource):
    """Whose answer it is may change while it goes on."""

    def __init__(self, read: Iterable[Delta], rest: DeltaSource, backend: ChatBackend) -> None:
        super().__init__(read, rest, ())
        self._source = rest
        self._backend = backend

    @property
    def answered_by(self) -> tuple[str, ...]:
        return answered_by(self._source, self._backend)
