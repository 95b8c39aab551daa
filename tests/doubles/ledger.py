"""Writes down what became of each chunk that was emitted."""

from __future__ import annotations

from companion.stream import MessageChunk


class Ledger:
    """A DeliveryObserver. got: what was delivered; lost: what was abandoned."""

    def __init__(self) -> None:
        self.got: list[MessageChunk] = []
        self.lost: list[MessageChunk] = []

    def delivered(self, chunk: MessageChunk) -> None:
        self.got.append(chunk)

    def abandoned(self, chunk: MessageChunk) -> None:
        self.lost.append(chunk)
