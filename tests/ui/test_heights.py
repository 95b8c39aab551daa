"""Rows of a long list are found by their place, however often they turn out higher or lower than guessed."""

from __future__ import annotations

import random

from companion.ui.pages.talk.heights import Heights


def test_a_row_is_found_by_where_it_stands() -> None:
    heights = Heights()
    heights.reset([10, 20, 30])
    assert (heights.total, heights.top(0), heights.top(2), heights.top(3)) == (60, 0, 30, 60)
    assert [heights.at(y) for y in (-5, 0, 9, 10, 29, 30, 59, 60, 900)] == [0, 0, 0, 1, 1, 2, 2, 2, 2]


def test_without_rows_there_is_none_to_be_found() -> None:
    assert Heights().at(5) == -1
    assert Heights().total == 0


def test_what_was_measured_moves_what_stands_below() -> None:
    heights = Heights()
    heights.reset([10] * 5)
    assert heights.measured(1, 25) == 15
    assert heights.is_known(1)
    assert (heights.top(1), heights.top(2), heights.total) == (10, 35, 65)
    heights.doubt(1)
    assert not heights.is_known(1)
    assert heights.height(1) == 25, "until it is measured anew"


def test_any_mixture_of_changes_is_as_a_plain_list_has_it() -> None:
    chance, heights, plain = random.Random(7), Heights(), list[int]()
    for _ in range(2000):
        match chance.randrange(4):
            case 0:
                place, fresh = (
                    chance.randint(0, len(plain)),
                    [chance.randint(1, 99) for _ in range(chance.randint(0, 5))],
                )
                heights.insert(place, fresh)
                plain[place:place] = fresh
            case 1 if plain:
                place = chance.randrange(len(plain))
                count = chance.randint(1, min(3, len(plain) - place))
                heights.remove(place, count)
                del plain[place : place + count]
            case _ if plain:
                place = chance.randrange(len(plain))
                plain[place] = chance.randint(1, 99)
                heights.measured(place, plain[place])
        assert heights.total == sum(plain)
        if plain:
            row = chance.randrange(len(plain))
            assert heights.top(row) == sum(plain[:row])
            assert heights.at(heights.top(row)) == row
