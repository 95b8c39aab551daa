"""A graph of any size finds its places in bounded time, the same each time, and then stays still."""

from __future__ import annotations

import time

import numpy as np
import pytest

from companion.memory.places import SPACING, Ends, lay_out, near_pairs


def chain(count: int) -> Ends:
    return np.array([(place, place + 1) for place in range(count - 1)], dtype=np.intp).reshape(-1, 2)


def household(count: int, seed: int = 1) -> Ends:
    """Hubs with many ties, as a memory has them."""
    chance = np.random.default_rng(seed)
    return np.array([(int(place * chance.beta(1, 5)), place) for place in range(1, count)], dtype=np.intp)


@pytest.mark.parametrize("count", [0, 1, 2, 7, 300, 1_500])
def test_everybody_has_a_place_of_their_own_and_the_same_every_time(count: int) -> None:
    places = lay_out(count, household(count) if count > 1 else chain(1))
    assert places.shape == (count, 2)
    assert np.isfinite(places).all()
    if count > 1:
        one, _ = near_pairs(places, 0.4 * SPACING)
        assert len(one) < 0.02 * count
        again = lay_out(count, household(count))
        assert (places == again).all()


def test_those_who_are_tied_stand_nearer_than_others() -> None:
    ends = household(300)
    places = lay_out(300, ends)
    tied = np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1).mean()
    everybody = np.linalg.norm(places[:, None] - places[None, :], axis=2).mean()
    assert tied < 0.6 * everybody


def test_five_thousand_are_placed_within_seconds() -> None:
    began = time.monotonic()
    places = lay_out(5_000, household(5_000))
    assert time.monotonic() - began < 20
    assert len(near_pairs(places, 0.3 * SPACING)[0]) < 100


def test_who_was_there_before_stays_and_who_is_new_comes_near_their_own() -> None:
    before = lay_out(200, household(200))
    known = np.vstack([before, [[np.nan, np.nan]]])
    ends = np.vstack([household(200), [[150, 200]]])
    places = lay_out(201, ends, known=known)
    assert np.allclose(places[:200], before)
    assert np.linalg.norm(places[200] - before[150]) < 6 * SPACING


def test_nobody_tied_to_nobody_still_has_a_place() -> None:
    places = lay_out(40, np.zeros((0, 2), dtype=np.intp))
    assert len(near_pairs(places, 0.4 * SPACING)[0]) == 0


def test_near_pairs_are_those_that_are_near_each_once() -> None:
    places = np.random.default_rng(3).uniform(0, 10, size=(300, 2))
    one, other = near_pairs(places, 0.7)
    found = {(min(pair), max(pair)) for pair in zip(one.tolist(), other.tolist(), strict=True)}
    apart = np.linalg.norm(places[:, None] - places[None, :], axis=2)
    wanted = {(a, b) for a, b in zip(*np.nonzero(apart < 0.7), strict=True) if a < b}
    assert found == wanted
    assert len(found) == len(one)
