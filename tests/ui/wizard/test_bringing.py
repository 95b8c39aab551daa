"""Models on their way are told as one piece of work."""

from __future__ import annotations

import pytest

from companion.app.events import Finished, Progress
from companion.ui.state import UiState, reduce
from companion.ui.wizard.bringing import bringing, is_coming

MISSING = {"ear": 100, "brain": 900}


def after(*events: object) -> UiState:
    state = UiState()
    for event in events:
        state = reduce(state, event)
    return state


def test_nothing_is_told_before_anything_is_fetched() -> None:
    assert bringing(UiState(), MISSING) is None
    assert bringing(after(Progress("models.pull other", 1, 2)), MISSING) is None
    assert not is_coming(UiState())


def test_the_sizes_of_all_of_them_count_though_only_one_has_begun() -> None:
    state = after(Progress("models.pull ear", 50, 100, 5.0))
    whole = bringing(state, MISSING)
    assert whole is not None
    assert (whole.done, whole.total, whole.is_over) == (50, 1000, False)
    assert whole.seconds_left == pytest.approx(95.0), "the rest comes as fast as this one"
    assert is_coming(state)


def test_what_is_whole_counts_whole() -> None:
    state = after(
        Progress("models.pull ear", 90, 100), Finished("models.pull ear"), Progress("models.pull brain", 450, 900, 10.0)
    )
    whole = bringing(state, MISSING)
    assert whole is not None
    assert whole.share == pytest.approx(0.55)
    assert whole.seconds_left == pytest.approx(10.0)


def test_it_is_over_when_all_of_them_are_and_says_what_was_wrong_with_one() -> None:
    state = after(Finished("models.pull ear", "no network", "Try again."))
    assert bringing(state, MISSING).is_over is False  # type: ignore[union-attr]
    state = reduce(state, Finished("models.pull brain"))
    whole = bringing(state, MISSING)
    assert whole is not None
    assert whole.is_over
    assert whole.fault is not None
    assert whole.fault.message == "no network"
    assert not is_coming(state)
