"""What the services that cost money have cost, by month, and the limit that the user has set.

A price is put down before anything is sent and settled once the answer has ended. What was put down when the
program was killed counts in full: the service may have done its work.
"""

from __future__ import annotations

import json
import logging
import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from weakref import WeakValueDictionary

from companion.errors import OverBudget, StorageError, reason_of
from companion.settings.atomic import write_atomically
from companion.stream.threads import finish_in_thread

logger = logging.getLogger(__name__)

MONTHS_KEPT = 24
"""Up to this one; so many later ones stay too, of a clock that was wrong once."""

Spent = Mapping[str, Mapping[str, float]]
"""Cost by month ("2026-11") and service."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """A price put down for one call of ``service``."""

    number: int
    month: str
    service: str
    cost: float


class _Book:
    """What one file holds. All ledgers of this program on that file share it, so that none undoes what another wrote.

    Raises:
        StorageError: the file is there, but cannot be read.
    """

    def __init__(self, file: Path) -> None:
        self.spent = spent_in(file)
        self._file = file
        self._version = 0
        self._written = 0
        self._writing = threading.Lock()

    def add(self, month: str, service: str, cost: float, now: str) -> None:
        costs = self.spent.setdefault(month, {})
        costs[service] = max(costs.get(service, 0.0) + cost, 0.0)
        past = [one for one in sorted(self.spent) if one <= now]
        future = [one for one in sorted(self.spent) if one > now]
        for old in (*past[:-MONTHS_KEPT], *future[MONTHS_KEPT:]):
            del self.spent[old]

    async def write(self) -> None:
        """Raises StorageError where it cannot be kept."""
        self._version += 1
        version, text = self._version, json.dumps(self.spent, indent=2, sort_keys=True) + "\n"
        await finish_in_thread(lambda: self._replace(version, text))

    def _replace(self, version: int, text: str) -> None:
        with self._writing:
            # No older state follows a newer one, which holds it.
            if version > self._written:
                write_atomically(self._file, text)
                self._written = version


_books: WeakValueDictionary[Path, _Book] = WeakValueDictionary()


def _book_of(file: Path) -> _Book:
    place = file.absolute()
    book = _books.get(place)
    if book is None:
        book = _books[place] = _Book(place)
    return book


class Ledger:
    """One file, of one program at a time.

    budget: most that a month may cost, in the currency of the prices; 0: nothing may be spent.
    clock: local time.

    Raises:
        StorageError: the file is there, but cannot be read. Without it nobody knows what was spent.
    """

    def __init__(self, file: Path, *, budget: float, clock: Callable[[], datetime]) -> None:
        self._budget = budget
        self._clock = clock
        self._book = _book_of(file)
        self._open: dict[int, Reservation] = {}
        self._count = 0

    @property
    def spent(self) -> Spent:
        """What is settled, and what is put down at present."""
        return {month: dict(costs) for month, costs in self._book.spent.items()}

    @property
    def left(self) -> float:
        """What this month may still cost."""
        return max(self._budget - sum(self._book.spent.get(self._month(), {}).values()), 0.0)

    async def reserve(self, service: str, cost: float) -> Reservation:
        """Put down the most that a call may cost.

        Raises:
            OverBudget: it would pass the month's limit, or is no cost.
            StorageError: it could not be written down; nothing may be sent then.
        """
        if not 0.0 <= cost <= self.left:
            raise OverBudget(
                f"{service} may cost {cost:.4f}, and {self.left:.4f} of this month's {self._budget:g} are left",
                mend="Raise cloud.monthly_budget, or wait for the next month.",
            )
        self._count += 1
        reservation = Reservation(self._count, self._month(), service, cost)
        self._open[reservation.number] = reservation
        self._add(reservation.month, service, cost)
        try:
            await self._book.write()
        except BaseException:
            # Whoever was called off pays nothing either: nothing was sent.
            await self.settle_quietly(reservation, 0.0)
            raise
        return reservation

    async def settle(self, reservation: Reservation, cost: float) -> None:
        """Say what the call has cost in the end; what is no cost leaves what was put down. Only the first word counts.

        Raises:
            StorageError: it could not be written down; the file holds what was put down.
        """
        if self._open.pop(reservation.number, None) is None:
            return
        if not 0.0 <= cost < math.inf:
            cost = reservation.cost
        self._add(reservation.month, reservation.service, cost - reservation.cost)
        await self._book.write()

    async def settle_quietly(self, reservation: Reservation, cost: float) -> None:
        """As ``settle``; where it cannot be written down, what was put down counts in full, and what was paid for is
        not lost."""
        try:
            await self.settle(reservation, cost)
        except StorageError as error:
            logger.warning("what %s has cost was not written down: %s", reservation.service, error)

    def _add(self, month: str, service: str, cost: float) -> None:
        self._book.add(month, service, cost, self._month())

    def _month(self) -> str:
        return self._clock().strftime("%Y-%m")


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
        reason = reason_of(error) if isinstance(error, OSError) else "it is no list of costs"
        raise StorageError(
            f"{file}: what was spent cannot be read: {reason}",
            file=str(file),
            mend="Mend the file, or remove it to begin at nothing.",
        ) from error


def _cost(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise ValueError("no cost")
    return float(value)
