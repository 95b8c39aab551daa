"""The arithmetic of figures."""

from __future__ import annotations

import json
import math

import pytest

from companion.app.bench.figures import Amount, Note, Rate, Section, Share, Spread, quantile


def test_a_spread_holds_median_and_95th_percentile() -> None:
    spread = Spread.of(range(101), "s")

    assert (spread.count, spread.median, spread.p95, spread.lowest, spread.highest) == (101, 50, 95, 0, 100)


def test_a_quantile_between_two_values_is_interpolated() -> None:
    assert quantile([1.0, 2.0], 0.5) == pytest.approx(1.5)
    assert quantile([1.0, 2.0, 4.0], 0.75) == pytest.approx(3.0)
    assert quantile([3.0], 0.95) == 3.0


def test_nothing_measured_is_no_zero_seconds() -> None:
    assert str(Spread.of([], "s")) == "nothing to measure"


def test_a_share_of_few_is_uncertain() -> None:
    """The interval of Wilson, as its paper's followers tabulate it: 0 of 10 is 0 to 27.8 %."""
    low, high = Share(0, 10).interval

    assert low == 0.0
    assert high == pytest.approx(27.75, abs=0.01)
    assert Share(5, 10).interval == pytest.approx((23.66, 76.34), abs=0.01)
    assert Share(0, 0).interval == (0.0, 100.0)


@pytest.mark.parametrize(
    ("events", "low", "high"), [(0, 0.0, 3.689), (1, 0.0253, 5.572), (4, 1.090, 10.242), (100, 81.36, 121.63)]
)
def test_a_rate_has_the_exact_interval_of_a_poisson_process(events: int, low: float, high: float) -> None:
    """Against the tables of Garwood."""
    assert Rate(events, 1.0).interval == pytest.approx((low, high), rel=1e-3)
    assert Rate(events, 2.0).interval == pytest.approx((low / 2, high / 2), rel=1e-3)


def test_a_rate_of_no_time_says_nothing() -> None:
    assert Rate(0, 0.0).interval == (0.0, math.inf)
    assert Rate(0, 0.0).per_hour == 0.0
    assert json.loads(json.dumps(Section("", {"a": Rate(0, 0.0)}).as_json(), allow_nan=False))["a"]["interval"] is None


def test_every_kind_of_figure_goes_into_json_with_its_spread() -> None:
    figures = {"a": Spread.of([1.0], "s"), "b": Share(1, 2), "c": Rate(1, 2.0), "d": Amount(3.0, "MB"), "e": Note("so")}

    document = Section("All", figures).as_json()

    assert document["a"] == {"unit": "s", "count": 1, "median": 1.0, "p95": 1.0, "lowest": 1.0, "highest": 1.0}
    assert document["b"]["percent"] == 50.0
    assert document["c"]["per_hour"] == 0.5
    assert document["d"] == {"value": 3.0, "unit": "MB"}
    assert document["e"] == "so"
