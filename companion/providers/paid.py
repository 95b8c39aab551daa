"""A recogniser or a voice that costs money, behind its provider's circuit and within the month's budget."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

from companion.compose.breaker import Circuit, Passage
from companion.compose.ledger import Ledger
from companion.compose.owed import is_owed
from companion.providers.spoken import words_to_say
from companion.providers.stand_in import Hears, Speaks
from companion.stream import Blob, Text
from companion.voice.contract import RATE

_BYTES_PER_MINUTE = RATE * 2 * 60
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Till:
    """Where calls of one service are paid for. service: as the ledger shall name it."""

    ledger: Ledger
    circuit: Circuit
    service: str

    @asynccontextmanager
    async def pays(self, cost: float) -> AsyncIterator[Passage]:
        """Put down ``cost`` around one call; one that the provider did not serve costs nothing.

        Raises:
            OverBudget: the month's budget does not suffice.
            Unreachable: the provider has failed again and again, and is left alone.
            StorageError: what is put down cannot be kept. In all of these nothing is sent.
        """
        passage = self.circuit.enter()
        try:
            reservation = await self.ledger.reserve(self.service, cost)
        except BaseException:
            passage.drop()
            raise
        paid = cost
        try:
            try:
                yield passage
            except BaseException as error:
                paid = cost if is_owed(error) else 0.0
                raise
            finally:
                await self.ledger.settle_quietly(reservation, paid)
        except Exception as error:
            passage.fail(error)
            raise
        except BaseException:
            passage.leave()
            raise
        passage.succeed()


class PaidRecogniser:
    """price: of a minute of sound."""

    def __init__(self, recogniser: Hears, till: Till, *, price: float) -> None:
        self._recogniser = recogniser
        self._till = till
        self._price = price

    async def hear(self, sound: bytes) -> Text:
        """Raises as ``Till.pays`` and the recogniser do."""
        async with self._till.pays(len(sound) / _BYTES_PER_MINUTE * self._price):
            return await self._recogniser.hear(sound)


class PaidVoice:
    """price: of a million letters."""

    def __init__(self, voice: Speaks, till: Till, *, price: float) -> None:
        self._voice = voice
        self._till = till
        self._price = price

    async def speak(self, text: Text) -> AsyncGenerator[Blob, None]:
        """Raises as ``Till.pays`` and the voice do."""
        cost = len(words_to_say(text)) / _MILLION * self._price
        async with self._till.pays(cost) as passage, aclosing(self._voice.speak(text)) as sound:
            async for blob in sound:
                passage.begin()
                yield blob
