"""An answer of the desk becomes dots and lines, which stand as they did at the moment that is looked at."""

from __future__ import annotations

import random
from typing import Any

from companion.ui.graph_view.camera import Box
from companion.ui.graph_view.draft import draft, finished
from companion.ui.graph_view.picture import Picture, Standing, standings

NOW = 1_000


def answer(*ties: tuple[int, int, str, int, int | None], count: int = 4, total: int = 9) -> dict[str, Any]:
    """ties: source, target, relation, since, until."""
    nodes = [
        [number, f"N{number}", "thing", number, 100 * number, -50 * number, f"n{number}"] for number in range(1, count)
    ]
    nodes.append([count, "user", "person", 40, 0, 0, "you"])
    rows = [[place, *tie[:3], 0.5, tie[3], None, tie[4], False] for place, tie in enumerate(ties)]
    return {"centre": count, "total": total, "nodes": {"rows": nodes}, "ties": {"rows": rows}}


def picture(*ties: tuple[int, int, str, int, int | None]) -> Picture:
    return finished(draft(answer(*ties), you="You")).picture


def test_two_have_one_line_between_them_for_all_that_ties_them() -> None:
    drawn = picture((1, 2, "likes", 500, None), (2, 1, "knows", 300, 600), (3, 4, "knows", 100, 200))
    assert [(line.source, line.target) for line in drawn.lines] == [(1, 2), (3, 4)]
    assert drawn.lines[0].relations == ("likes", "knows")
    assert (drawn.lines[0].since, drawn.lines[0].until) == (300, None)
    assert drawn.lines[1].until == 200
    assert drawn.rest == 5
    assert drawn.neighbours(4) == [3]


def test_whoever_is_mentioned_most_is_largest_and_the_user_is_you() -> None:
    drawn = picture()
    assert max(drawn.dots.values(), key=lambda dot: dot.radius).label == "You"
    assert drawn.named("n2") is drawn.dots[2]
    assert drawn.named("nobody") is None
    assert drawn.moved(2, 7, 8).dots[2][5:7] == (7, 8)


def test_things_stand_as_they_did_at_a_moment() -> None:
    drawn = picture((1, 2, "likes", 500, None), (3, 4, "knows", 100, 400))
    lines, dots = standings(drawn, None, NOW)
    assert lines == [Standing.HELD, Standing.ENDED]
    assert dots == {1: Standing.HELD, 2: Standing.HELD, 3: Standing.ENDED, 4: Standing.ENDED}
    lines, dots = standings(drawn, 300, NOW)
    assert lines == [Standing.NOT_YET, Standing.HELD]
    assert (dots[1], dots[4]) == (Standing.NOT_YET, Standing.HELD)


def test_somebody_nobody_is_tied_to_is_there_now_and_was_not_before() -> None:
    assert standings(picture(), None, NOW)[1][1] is Standing.HELD
    assert standings(picture(), 300, NOW)[1][1] is Standing.NOT_YET


def test_an_answer_without_anything_is_an_empty_picture() -> None:
    drawing = finished(draft({}))
    assert (drawing.picture.dots, drawing.picture.lines, drawing.picture.rest) == ({}, (), 0)
    assert drawing.grid.nearest(0, 0, 100) is None


def test_what_is_looked_for_is_found_where_it_is() -> None:
    chance = random.Random(4)
    nodes = [[n, str(n), "thing", 1, chance.randrange(9_000), chance.randrange(5_000), str(n)] for n in range(1, 800)]
    ties = [
        [n, chance.randrange(1, 800), chance.randrange(1, 800), "knows", 1.0, 1, None, None, False] for n in range(900)
    ]
    ties = [tie for tie in ties if tie[1] != tie[2]]
    drawing = finished(draft({"nodes": {"rows": nodes}, "ties": {"rows": ties}}))
    dots, box = drawing.picture.dots, Box(1_000, 1_000, 2_000, 1_900)
    inside = {dot.id for dot in dots.values() if box.holds(dot.x, dot.y)}
    assert inside <= set(drawing.grid.dots_in(box))
    assert len(drawing.grid.dots_in(box)) < 3 * len(inside)
    for dot in list(dots.values())[:50]:
        found = drawing.grid.nearest(dot.x + 1, dot.y, 5)
        assert found is not None
        assert abs(dots[found].x - dot.x) < 40
    ends = {
        (line.source, line.target) for line in (drawing.picture.lines[place] for place in drawing.grid.lines_in(box))
    }
    crossing = [line for line in drawing.picture.lines if line.source in inside or line.target in inside]
    assert all((line.source, line.target) in ends for line in crossing)
    assert drawing.grid.nearest(-5_000, -5_000, 10) is None
