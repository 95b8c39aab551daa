"""The source of an answer that one of several backends gives, with what it signs remembered as its own."""

from __future__ import annotations

from companion.compose.signatures import Signatures
from companion.model import ChatBackend
from companion.model.deltas import Delta, DeltaSource
from companion.model.request import answered_by


class SignedSource:
    """``source`` itself; ``giver``: by which ``signatures`` knows who gives it."""

    def __init__(self, source: DeltaSource, backend: ChatBackend, signatures: Signatures, giver: str) -> None:
        self._source = source
        self._backend = backend
        self._signatures = signatures
        self._giver = giver

    @property
    def answered_by(self) -> tuple[str, ...]:
        return answered_by(self._source, self._backend)

    async def next(self) -> Delta:
        delta = await self._source.next()
        self._signatures.note(self._giver, delta)
        return delta

    async def close(self) -> None:
        await self._source.close()
