"""Asks a second backend where the first lets one wait, and takes whoever begins first.

Off unless a delay is given: every hedged question may cost twice, and goes to two places.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from companion.compose.begun import begun
from companion.compose.signatures import Signatures
from companion.compose.signed import SignedSource
from companion.model import ChatBackend, ChatRequest
from companion.model.deltas import DeltaSource

logger = logging.getLogger(__name__)


class Hedge:
    """A ChatBackend of two.

    delay: seconds without a word of ``first`` before ``second`` is asked too; None: it never is.
    """

    def __init__(self, first: ChatBackend, second: ChatBackend, *, delay: float | None = None) -> None:
        self._backends = (first, second)
        self._delay = delay
        self._signatures = Signatures()

    @property
    def name(self) -> str:
        first, second = self._backends
        return first.name if self._delay is None else f"{first.name} | {second.name}"

    async def ask(self, request: ChatRequest) -> DeltaSource:
        """Ask until one of them has begun to answer.

        Raises:
            ModelError, TimeoutError: as the first does, before the second was asked or where both failed.
        """
        if self._delay is None:
            return await self._backends[0].ask(request)
        race: list[asyncio.Task[DeltaSource | Exception]] = []
        winner: DeltaSource | None = None
        try:
            async with asyncio.TaskGroup() as tasks:
                for place, delay in enumerate((self._delay, None)):
                    race.append(tasks.create_task(self._begin(place, request), name=f"hedge {place}"))
                    winner = await _first_of(race, delay)
                    if winner is not None or (place == 0 and race[0].done()):
                        break
                for one in race:
                    one.cancel()
        except BaseException:
            winner = None
            raise
        finally:
            for one in race:
                await _close_loser(one, winner)
        if winner is None:
            raise _failure(race[0])
        return winner

    async def _begin(self, place: int, request: ChatRequest) -> DeltaSource | Exception:
        reader = str(place)
        try:
            source = await begun(self._backends[place], self._signatures.for_reader(reader, request))
        except Exception as error:  # noqa: BLE001 - it is raised where the other fails too
            return error
        return SignedSource(source, self._backends[place], self._signatures, reader)


async def _first_of(race: Sequence[asyncio.Task[DeltaSource | Exception]], delay: float | None) -> DeltaSource | None:
    """The first answer that has begun; None where it is too late for that, or all have failed."""
    waiting = set(race)
    while waiting:
        done, waiting = await asyncio.wait(waiting, timeout=delay, return_when=asyncio.FIRST_COMPLETED)
        for one in race:
            if one in done and not isinstance(result := one.result(), Exception):
                return result
        if not done:
            return None
    return None


async def _close_loser(one: asyncio.Task[DeltaSource | Exception], winner: DeltaSource | None) -> None:
    if one.cancelled() or not one.done():
        return
    result = one.result()
    if not isinstance(result, Exception) and result is not winner:
        await result.close()


def _failure(first: asyncio.Task[DeltaSource | Exception]) -> Exception:
    error = first.result()
    assert isinstance(error, Exception)
    return error
