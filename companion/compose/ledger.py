"""What the services that cost money have cost, by month, and the limit that the user has set.

A price is put down before anything is sent and settled once the answer has ended. What was put down when the
program was killed counts in full: the service may have done its work.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.errors import OverBudget, StorageError
from companion.settings.atomic import write_atomically
from companion.stream.threads import finish_in_thread

logger = logging.getLogger(__name__)

MONTHS_KEPT = 24

Spent = Mapping[str, Mapping[str, float]]
"""Cost by month ("2026-11") and service."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """A price put down for one call of ``service``."""

    number: int
    month: str
    service: str
    cost: float


class Ledger:
    """One file, of one writer.

    budget: most that a month may cost, in the currency of the prices; 0: nothing may be spent.
    clock: local time.

    Raises:
        StorageError: the file is there, but cannot be read. Without it nobody knows what was spent.
    """

    def __init__(self, file: Path, *, budget: float, clock: Callable[[], datetime]) -> None:
        self._file = file
        self._budget = budget
        self._clock = clock
        self._spent: dict[str, dict[str, float]] = spent_in(file)
        self._open: dict[int, Reservation] = {}
        self._count = 0
        self._writing = asyncio.Lock()

    @property
    def spent(self) -> Spent:
        """What is settled, and what is put down at present."""
        return {month: dict(costs) for month, costs in self._spent.items()}

    @property
    def left(self) -> float:
        """What this month may still cost."""
        return max(self._budget - sum(self._spent.get(self._month(), {}).values()), 0.0)

    async def reserve(self, service: str, cost: float) -> Reservation:
        """Put down the most that a call may cost.

        Raises:
            OverBudget: it would pass the month's limit.
            StorageError: it could not be written down; nothing may be sent then.
        """
        if cost > self.left:
            raise OverBudget(
                f"{service} may cost {cost:.4f}, and {self.left:.4f} of this month's {self._budget:g} are left",
                mend="Raise cloud.monthly_budget, or wait for the next month.",
            )
        self._count += 1
        reservation = Reservation(self._count, self._month(), service, cost)
        self._open[reservation.number] = reservation
        self._add(reservation.month, service, cost)
        try:
            await self._write()
        except BaseException:
            # Whoever was called off pays nothing either: nothing was sent.
            self._add(reservation.month, service, -cost)
            del self._open[reservation.number]
            raise
        return reservation

    async def settle(self, reservation: Reservation, cost: float) -> None:
        """Say what the call has cost in the end. Only the first word counts.

        Raises:
            StorageError: it could not be written down; the file holds what was put down.
        """
        if self._open.pop(reservation.number, None) is None:
            return
        self._add(reservation.month, reservation.service, cost - reservation.cost)
        await self._write()

    async def settle_quietly(self, reservation: Reservation, cost: float) -> None:
        """As ``settle``; where it cannot be written down, what was put down counts in full, and what was paid for is
        not lost."""
        try:
            await self.settle(reservation, cost)
        except StorageError as error:
            logger.warning("what %s has cost was not written down: %s", reservation.service, error)

    def _add(self, month: str, service: str, cost: float) -> None:
        costs = self._spent.setdefault(month, {})
        costs[service] = max(costs.get(service, 0.0) + cost, 0.0)
        for old in sorted(self._spent)[:-MONTHS_KEPT]:
            del self._spent[old]

    def _month(self) -> str:
        return self._clock().strftime("%Y-%m")

    async def _write(self) -> None:
        # What is written is what stands when its turn has come, so that no older state follows a newer one.
        async with self._writing:
            text = json.dumps(self._spent, indent=2, sort_keys=True) + "\n"
            await finish_in_thread(lambda: write_atomically(self._file, text))


def spent_in(file: Path) -> dict[str, dict[str, float]]:
    """What a ledger's file holds; nothing where there is none.

    Raises:
        StorageError: it cannot be read.
    """
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        return {str(month): {str(name): _cost(cost) for name, cost in costs.items()} for month, costs in kept.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError, TypeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no list of costs"
        raise StorageError(
            f"{file}: what was spent cannot be read: {reason}",
            file=str(file),
            mend="Mend the file, or remove it to begin at nothing.",
        ) from error


def _cost(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise ValueError("no cost")
    return float(value)
