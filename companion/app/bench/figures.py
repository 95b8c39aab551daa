"""Numbers with their spread, as a bench reports them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import assert_never

_Z = 1.96
"""Standard deviations on each side of 95 % of a normal distribution."""
_DOUBT = 0.025
"""What is left out on each side of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A sample of measurements, all in ``unit``."""

    unit: str
    count: int
    median: float
    p95: float
    lowest: float
    highest: float

    @classmethod
    def of(cls, values: Iterable[float], unit: str) -> Spread:
        """The spread of ``values``; all zeros where there are none."""
        ordered = sorted(values)
        if not ordered:
            return cls(unit, 0, 0.0, 0.0, 0.0, 0.0)
        return cls(unit, len(ordered), quantile(ordered, 0.5), quantile(ordered, 0.95), ordered[0], ordered[-1])

    def __str__(self) -> str:
        if not self.count:
            return "nothing to measure"
        return (
            f"median {self.median:.3f}, p95 {self.p95:.3f}, {self.lowest:.3f} to {self.highest:.3f} {self.unit}"
            f" (n={self.count})"
        )


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many, with the 95 % interval of Wilson (1927)."""

    hits: int
    total: int

    @property
    def percent(self) -> float:
        return 100 * self.hits / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper bound in percent."""
        if not self.total:
            return 0.0, 100.0
        share, n = self.hits / self.total, self.total
        middle = (share + _Z * _Z / (2 * n)) / (1 + _Z * _Z / n)
        half = _Z * math.sqrt(share * (1 - share) / n + _Z * _Z / (4 * n * n)) / (1 + _Z * _Z / n)
        return max(0.0, 100 * (middle - half)), min(100.0, 100 * (middle + half))

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.percent:.1f} % ({self.hits} of {self.total}; {low:.1f} to {high:.1f})"


@dataclass(frozen=True, slots=True)
class Rate:
    """Events in so many hours, with the exact 95 % interval of a Poisson process (Garwood 1936)."""

    events: int
    hours: float

    @property
    def per_hour(self) -> float:
        return self.events / self.hours if self.hours else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper bound in events an hour."""
        if not self.hours:
            return 0.0, math.inf
        low = _mean_where(lambda mean: 1 - _at_most(self.events - 1, mean), _DOUBT) if self.events else 0.0
        high = _mean_where(lambda mean: 1 - _at_most(self.events, mean), 1 - _DOUBT)
        return low / self.hours, high / self.hours

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.per_hour:.2f} an hour ({self.events} in {self.hours:.2f} h; {low:.2f} to {high:.2f})"


@dataclass(frozen=True, slots=True)
class Amount:
    """One number that has no spread."""

    value: float
    unit: str

    def __str__(self) -> str:
        return f"{self.value:.3f} {self.unit}".rstrip()


@dataclass(frozen=True, slots=True)
class Note:
    """A fact that is no measurement: how something was measured."""

    text: str

    def __str__(self) -> str:
        return self.text


class Missing(Note):
    """Why something could not be measured."""


Figure = Spread | Share | Rate | Amount | Note


@dataclass(frozen=True, slots=True)
class Section:
    """What one bench measured, by name."""

    title: str
    figures: Mapping[str, Figure] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        return {name: _as_json(figure) for name, figure in self.figures.items()}


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which ``share`` of the sorted sample lies, interpolated."""
    position = share * (len(ordered) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def _at_most(events: int, mean: float) -> float:
    """Probability that a Poisson process of that mean has no more than ``events``."""
    term = total = math.exp(-mean)
    for count in range(1, events + 1):
        term *= mean / count
        total += term
    return total


def _mean_where(rising: Callable[[float], float], value: float) -> float:
    low, high = 0.0, 1.0
    while rising(high) < value:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < value else (low, middle)
    return high


def _as_json(figure: Figure) -> object:
    match figure:
        case Spread() | Amount():
            return asdict(figure)
        case Share():
            return {**asdict(figure), "percent": figure.percent, "interval": figure.interval}
        case Rate():
            # JSON knows no infinity.
            interval = figure.interval if figure.hours else None
            return {**asdict(figure), "per_hour": figure.per_hour, "interval": interval}
        case Note():
            return figure.text
        case _:
            assert_never(figure)
