"""Tiles are drawn a little at a time, kept within a bound, and cover what is seen without a gap."""

from __future__ import annotations

import random

import pytest
from pytestqt.qtbot import QtBot

from companion.ui.graph_view.camera import Box, Camera
from companion.ui.graph_view.draft import draft, finished
from companion.ui.graph_view.picture import standings
from companion.ui.graph_view.tiles import MOST_BYTES, SIDE, Seat, Tiles, seats_in
from companion.ui.theme import look


def drawn(camera: Camera, tiles: Tiles, ratio: float = 1.0) -> int:
    """Draw all there is to draw; how many steps that took."""
    steps = 0
    while tiles.work(camera, ratio):
        steps += 1
        assert steps < 20_000, "it never ends"
    return steps


@pytest.fixture
def tiles(qtbot: QtBot) -> Tiles:
    chance = random.Random(1)
    nodes = [[n, str(n), "thing", 1, chance.randrange(4000), chance.randrange(3000), str(n)] for n in range(1, 600)]
    ties = [[n, n, n + 1, "knows", 1.0, 1, None, None, False] for n in range(1, 599)]
    drawing = finished(draft({"nodes": {"rows": nodes}, "ties": {"rows": ties}}))
    lines, dots = standings(drawing.picture, None, 10)
    made = Tiles()
    made.show(drawing, lines, dots, look())
    return made


def test_what_is_seen_is_covered_and_a_little_beyond(tiles: Tiles) -> None:
    camera = Camera(2000, 1500, 0.5, 900, 700)
    assert drawn(camera, tiles) > len(seats_in(camera.seen, 0.5))
    assert set(seats_in(camera.seen, 0.5)) <= set(tiles._now.tiles)
    assert tiles.work(camera, 1.0) is False
    assert drawn(camera.panned(40, 0), tiles) == 0, "there is a margin"


def test_an_older_size_stands_in_until_the_new_one_is_drawn(tiles: Tiles) -> None:
    camera = Camera(2000, 1500, 0.5, 900, 700)
    drawn(camera, tiles)
    larger = camera.zoomed(1.3, (450, 350))
    tiles.work(larger, 1.0)
    assert tiles._before.zoom == 0.5
    assert tiles._before.tiles
    drawn(larger, tiles)
    assert set(seats_in(larger.seen, larger.zoom)) <= set(tiles._now.tiles)


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_no_more_is_kept_than_may_be_however_far_one_goes(tiles: Tiles, ratio: float) -> None:
    camera = Camera(0, 0, 1.0, 1600, 1200)
    needed = len(seats_in(camera.seen, 1.0))
    most = max(MOST_BYTES / (4 * (SIDE * ratio) ** 2), needed + 12)
    for _ in range(12):
        drawn(camera, tiles, ratio)
        assert len(tiles._now.tiles) + len(tiles._before.tiles) <= most
        camera = camera.panned(-700, -300)


def test_all_is_drawn_anew_when_something_changed_and_nothing_is_kept_when_unseen(tiles: Tiles) -> None:
    camera = Camera(2000, 1500, 0.5, 900, 700)
    drawn(camera, tiles)
    before = tiles.drawn
    drawing = tiles._drawing
    assert drawing is not None
    tiles.show(drawing, *standings(drawing.picture, 0, 10), look())
    assert tiles._now.tiles, "the old ones stand until then"
    drawn(camera, tiles)
    assert tiles.drawn >= before + len(seats_in(camera.seen, 0.5))
    tiles.drop()
    assert not tiles._now.tiles


def test_seats_cover_a_box_on_both_sides_of_zero() -> None:
    assert seats_in(Box(-1, -1, 1, 1), 1.0) == [Seat(-1, -1), Seat(-1, 0), Seat(0, -1), Seat(0, 0)]
    assert seats_in(Box(0, 0, 2 * SIDE - 1, 1), 1.0) == [Seat(0, 0), Seat(1, 0)]
