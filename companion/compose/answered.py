"""Who has answered: where several may, the source of an answer says which of them did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.model import ChatBackend, ChatRequest
from companion.model.deltas import Delta, DeltaSource
from companion.model.request import answered_by


@dataclass(frozen=True, slots=True)
class Answered:
    """``name`` has begun to answer ``request``, or has gone on with the answer of another."""

    request: ChatRequest
    name: str


class Told:
    """A ChatBackend around one that is a choice among several.

    on_answer: called on the loop, before the words it tells of are handed out; it must not raise.
    """

    def __init__(self, backend: ChatBackend, on_answer: Callable[[Answered], None]) -> None:
        self._backend = backend
        self._on_answer = on_answer

    @property
    def name(self) -> str:
        return self._backend.name

    async def ask(self, request: ChatRequest) -> DeltaSource:
        """Raises as the backend does."""
        source = await self._backend.ask(request)
        return _ToldSource(source, self._backend, lambda name: self._on_answer(Answered(request, name)))


class _ToldSource:
    def __init__(self, source: DeltaSource, backend: ChatBackend, tell: Callable[[str], None]) -> None:
        self._source = source
        self._backend = backend
        self._tell = tell
        self._told = 0

    @property
    def answered_by(self) -> tuple[str, ...]:
        return answered_by(self._source, self._backend)

    async def next(self) -> Delta:
        delta = await self._source.next()
        for name in self.answered_by[self._told :]:
            self._told += 1
            self._tell(name)
        return delta

    async def close(self) -> None:
        await self._source.close()
