"""Ranking: words near a passage count for it, by a plain sum that a slow reader can follow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.memory import ranking
from companion.memory.postings import Posting
from companion.memory.ranking import WEIGHTS, candidates, chosen, saturated, scored
from companion.memory.shape import Shape, shape_of

BITS = 6
DECAY = {-2: 0.3, -1: 0.5, 0: 1.0, 1: 0.7, 2: 0.4}
PLACES = st.sets(st.builds(lambda group, place: (group << BITS) + 10 + place, st.integers(1, 3), st.integers(0, 8)))


def a_posting(word: str, rows: set[int], idf: float) -> Posting:
    return Posting(word, np.asarray(sorted(rows), dtype=np.int64), idf)


@given(PLACES, PLACES, PLACES)
def test_the_features_are_those_of_a_plain_sum(tea: set[int], rain: set[int], others: set[int]) -> None:
    words = [(tea, 0.9), (rain, 0.4)]
    found = candidates([a_posting("w", rows, idf) for rows, idf in words], sorted(others), BITS)
    near = {row + shift for rows, _ in words for row in rows for shift in DECAY} | others

    if found is None:
        assert not near
        return
    assert sorted(near) == found.rows.tolist()
    for place, row in enumerate(found.rows.tolist()):
        close = [{shift for shift in DECAY if row - shift in rows} for rows, _ in words]
        nearest = sum(idf * max((DECAY[s] for s in at), default=0.0) for at, (_, idf) in zip(close, words, strict=True))
        window = sum(idf * saturated(len(at)) for at, (_, idf) in zip(close, words, strict=True))
        held = [sum(one >> BITS == row >> BITS for one in rows) for rows, _ in words]
        group = sum(idf * saturated(count) for count, (_, idf) in zip(held, words, strict=True))
        before = sum(idf for rows, idf in words if row - 1 in rows)
        given_ = (found.nearest[place], found.window[place], found.group[place], found.before[place])
        assert given_ == pytest.approx((nearest, window, group, before))


def test_of_very_many_only_stretches_with_most_of_the_words_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "ROOM", 50)
    monkeypatch.setattr(ranking, "_STRETCHES", 3)
    common = {16 * step for step in range(1, 101)}
    found = candidates([a_posting("soup", common, 0.1), a_posting("spoon", {320, 960}, 0.9)], [], 20)

    assert found is not None
    assert {320, 960} <= set(found.rows.tolist())
    assert len(found) <= 5 * 3


def test_the_best_come_first() -> None:
    assert chosen(np.asarray([1.0, 3.0, 2.0]), np.zeros(3), 2, 0.0) == [1, 2]
    assert chosen(np.asarray([]), np.asarray([]), 2, 0.0) == chosen(np.asarray([]), np.asarray([]), 2, 1.0) == []


def test_where_several_are_wanted_groups_take_turns() -> None:
    scores, groups = np.asarray([3.0, 2.9, 2.8, 2.75]), np.asarray([1, 1, 1, 2])

    assert chosen(scores, groups, 4, 0.0) == [0, 1, 2, 3]
    assert chosen(scores, groups, 4, 0.2) == [0, 3, 1, 2]


def test_every_feature_that_is_weighed_must_be_given() -> None:
    features = {name: np.asarray([1.0]) for name in WEIGHTS}
    assert scored(features) == pytest.approx(sum(WEIGHTS.values()))

    del features["date"]
    with pytest.raises(KeyError):
        scored(features)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("Where is my Bicycle?", Shape(1, 0, 1, 0, 1)),
        ("I think you went yesterday.", Shape(0, 1, 1, 1, 0)),
        ("你明天来吗", Shape(1, 1, 0, 1, 0)),
        ("我们上周去了海边。", Shape(0, 1, 1, 0, 0)),
        ("", Shape(0, 0, 0, 0, 0)),
        ("I I I I, you you you you", Shape(0, 0, 3, 3, 0)),
    ],
)
def test_a_shape_is_told_from_a_text(text: str, shape: Shape) -> None:
    assert shape_of(text) == shape


@given(st.text(max_size=200))
def test_a_shape_is_packed_without_loss(text: str) -> None:
    assert Shape.unpacked(shape_of(text).packed()) == shape_of(text)
