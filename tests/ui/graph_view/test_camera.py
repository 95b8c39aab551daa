"""Where one looks: what is under the pointer stays there, and nothing is lost out of view."""

from __future__ import annotations

import pytest

from companion.ui.graph_view.camera import LEAST_ZOOM, MOST_ZOOM, Box, Camera, best_in_direction, box_around

CAMERA = Camera(10, -20, 0.5, 800, 600)


def test_a_point_comes_back_from_the_screen() -> None:
    assert CAMERA.to_world(*CAMERA.to_screen(33, 44)) == pytest.approx((33, 44))
    assert CAMERA.to_screen(10, -20) == (400, 300)
    assert (CAMERA.seen.width, CAMERA.seen.height) == (1600, 1200)


@pytest.mark.parametrize("factor", [0.0001, 0.5, 1.2, 10_000])
def test_what_is_under_the_pointer_stays_there_when_it_is_zoomed(factor: float) -> None:
    zoomed = CAMERA.zoomed(factor, (100, 150))
    assert zoomed.to_world(100, 150) == pytest.approx(CAMERA.to_world(100, 150))
    assert LEAST_ZOOM <= zoomed.zoom <= MOST_ZOOM


def test_all_of_a_box_is_in_view_when_it_is_fitted() -> None:
    box = Box(-1000, 200, 3000, 900)
    seen = CAMERA.fitted(box).seen
    assert seen.left <= box.left < box.right <= seen.right
    assert seen.top <= box.top < box.bottom <= seen.bottom
    assert CAMERA.fitted(Box(5, 5, 5, 5)).to_world(400, 300) == (5, 5)


def test_it_moves_no_further_than_is_needed_to_show_a_point() -> None:
    assert CAMERA.showing(10, -20) == CAMERA
    shown = CAMERA.showing(5000, -20, margin=40)
    assert shown.to_screen(5000, -20) == pytest.approx((760, 300))


def test_a_picture_cannot_be_lost() -> None:
    box = Box(0, 0, 100, 100)
    lost = CAMERA.panned(-100_000, 50_000)
    kept = lost.kept_within(box)
    assert box.holds(kept.x, kept.y)
    assert kept.kept_within(box) is kept


def test_an_arrow_leads_to_the_nearest_in_its_direction() -> None:
    others = [(1, 100.0, 0.0), (2, 60.0, 50.0), (3, -10.0, 0.0), (4, 0.0, -80.0)]
    assert best_in_direction((0, 0), others, (1, 0)) == 1
    assert best_in_direction((0, 0), others, (-1, 0)) == 3
    assert best_in_direction((0, 0), others, (0, -1)) == 4
    assert best_in_direction((0, 0), others, (0, 1)) is None


def test_nothing_has_a_small_box() -> None:
    assert box_around([]).width > 0
    assert box_around([(1, 2), (5, -3)]) == Box(1, -3, 5, 2)
