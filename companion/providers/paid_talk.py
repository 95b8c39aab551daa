"""A talk with a provider, speech to speech, within the month's budget."""

from __future__ import annotations

import asyncio

from companion.compose.breaker import Passage
from companion.compose.ledger import Reservation
from companion.compose.metered import Price
from companion.providers.paid import Till
from companion.stream import Usage


class TalkMeter:
    """A Meter of one call: the price of an answer is put down before it can be asked for, and settled once it came.

    most_tokens: that are put down for one answer, as if all were the dearer ones. How many it has cannot be told
    before; what they have cost in the end is what counts.
    """

    def __init__(self, till: Till, price: Price, *, most_tokens: int) -> None:
        self._till = till
        self._price = price
        self._worst = max(price.of(Usage(most_tokens, 0)), price.of(Usage(0, most_tokens)))
        self._passage: Passage | None = None
        self._reservation: Reservation | None = None
        self._putting_down = asyncio.Lock()

    async def open(self) -> None:
        """Put down the price of the first answer.

        Raises:
            Unreachable: the provider is left alone.
            OverBudget: the month's budget does not suffice.
            StorageError: what is put down cannot be kept.
        """
        self._passage = self._till.circuit.enter()
        await self.put_down()

    def ready(self) -> None:
        """The provider is there: whoever leaves it from now on says nothing against it."""
        if self._passage is not None:
            self._passage.begin()

    async def counted(self, usage: Usage) -> None:
        """Settle an answer."""
        if self._passage is not None:
            self._passage.succeed()
        await self._settle(self._price.of(usage))

    async def lost(self) -> None:
        """Settle an answer that was left in the middle: it has not told its price, and counts in full."""
        await self._settle(self._worst)

    async def put_down(self) -> None:
        """Put down the price of an answer, unless it is. Raises as ``open``."""
        async with self._putting_down:
            if self._reservation is None:
                self._reservation = await self._till.ledger.reserve(self._till.service, self._worst)

    async def close(self, fault: Exception | None, *, is_owed: bool) -> None:
        """Settle what is open; is_owed: an answer was under way."""
        if self._passage is not None and fault is not None:
            self._passage.fail(fault)
        elif self._passage is not None:
            self._passage.leave()
        await self._settle(self._worst if is_owed else 0.0)

    async def _settle(self, cost: float) -> None:
        reservation, self._reservation = self._reservation, None
        if reservation is not None:
            await self._till.ledger.settle_quietly(reservation, cost)
