"""The picture is moved, zoomed, walked through and chosen from, and bears thousands."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from companion.ui.dress import chosen_look, wear
from companion.ui.graph_view.picture import USER
from companion.ui.graph_view.tiles import MOST_BYTES, SIDE
from companion.ui.graph_view.view import GraphView
from companion.ui.theme import look

PATIENCE_MS = 20_000
NOW = 2_000


def household() -> dict[str, Any]:
    """The user in the middle, Emma to the right, tea to the left, Lyon beyond Emma; tea ended at 1500."""
    nodes = [
        [1, USER, "person", 9, 0, 0, "you"],
        [2, "Emma", "person", 5, 200, 0, "Emma"],
        [3, "tea", "thing", 2, -200, 0, "tea"],
        [4, "Lyon", "place", 2, 400, 20, "Lyon"],
        [5, "May 9", "date", 1, 200, 200, "May 9"],
    ]
    ties = [
        [1, 1, 2, "is_parent_of", 1.0, 100, None, None, False],
        [2, 1, 3, "likes", 0.5, 100, None, 1500, False],
        [3, 2, 4, "lives_in", 1.0, 1000, None, None, False],
        [4, 2, 5, "born_on", 1.0, 1000, None, None, False],
    ]
    return {"centre": 1, "total": 12, "nodes": {"rows": nodes}, "ties": {"rows": ties}}


def crowd(count: int = 5_000) -> dict[str, Any]:
    chance = random.Random(1)
    nodes = [
        [n, f"Somebody {n}", "person", chance.randrange(30), chance.randrange(9_000), chance.randrange(7_000), f"S {n}"]
        for n in range(1, count + 1)
    ]
    ties = [
        [n, n, max(1, n - chance.randrange(1, 40)), "knows", chance.random(), 100, None, None, False]
        for n in range(2, count + 1)
        for _ in range(2)
    ]
    return {"centre": 1, "total": count, "nodes": {"rows": nodes}, "ties": {"rows": ties}}


@pytest.fixture
def view(qtbot: QtBot) -> GraphView:
    return shown(qtbot, household())


def shown(qtbot: QtBot, answer: dict[str, Any]) -> GraphView:
    view = GraphView()
    qtbot.addWidget(view)
    view.resize(800, 600)
    view.show()
    qtbot.waitExposed(view)
    with qtbot.waitSignal(view.ready, timeout=PATIENCE_MS):
        view.show_answer(answer, now=NOW)
    qtbot.waitUntil(lambda: view.is_settled, timeout=PATIENCE_MS)
    return view


def at(view: GraphView, name: str) -> QPoint:
    dot = view.picture.named(name)
    assert dot is not None
    return QPointF(*view.camera.to_screen(dot.x, dot.y)).toPoint()


def colour_at(view: GraphView, point: QPoint) -> QColor:
    return view.grab().toImage().pixelColor(point * view.devicePixelRatio())


def test_a_click_chooses_and_one_beside_chooses_nobody(view: GraphView, qtbot: QtBot) -> None:
    chosen: list[int] = []
    view.chosen.connect(chosen.append)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=at(view, "Emma"))
    assert view.chosen_id == 2
    assert "Emma" in view.accessibleDescription()
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert chosen == [2, 0]
    with qtbot.waitSignal(view.entered) as entered:
        QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=at(view, "Emma"))
    assert entered.args == [2]


def test_arrows_walk_from_one_to_the_next(view: GraphView, qtbot: QtBot) -> None:
    def press(key: Qt.Key) -> int:
        QTest.keyClick(view, key)
        return view.chosen_id

    walked = [press(key) for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left)]
    assert walked == [1, 2, 4, 2]
    assert press(Qt.Key.Key_Down) == 5
    with qtbot.waitSignal(view.entered):
        press(Qt.Key.Key_Return)
    assert press(Qt.Key.Key_Escape) == 0


def test_it_is_zoomed_by_keys_and_by_the_wheel_and_moved_by_dragging(view: GraphView) -> None:
    before = view.camera
    QTest.keyClick(view, Qt.Key.Key_Plus)
    assert view.camera.zoom > before.zoom
    QTest.keyClick(view, Qt.Key.Key_0)
    QTest.qWait(300)
    assert view.camera.zoom == pytest.approx(before.zoom)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(30, 30))
    QTest.mouseMove(view, QPoint(60, 30))
    QTest.mouseMove(view, QPoint(90, 50))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(90, 50))
    moved = (before.x - view.camera.x) * view.camera.zoom
    assert moved == pytest.approx(60, abs=31)
    QTest.keyClick(view, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert view.chosen_id == 0


def test_somebody_who_is_dragged_stays_there(view: GraphView, qtbot: QtBot) -> None:
    start = at(view, "Lyon")
    with qtbot.waitSignal(view.placed) as placed:
        QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
        for step in (10, 20, 40):
            QTest.mouseMove(view, start + QPoint(0, step))
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start + QPoint(0, 40))
    assert placed.args is not None
    assert placed.args[0] == 4
    qtbot.waitUntil(lambda: view.is_settled, timeout=PATIENCE_MS)
    assert view.picture.dots[4].y == placed.args[2] > 20
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=at(view, "Lyon"))
    assert view.chosen_id == 4


def test_what_is_drawn_has_the_colours_of_the_look_and_of_the_next_one(view: GraphView, qtbot: QtBot) -> None:
    assert colour_at(view, at(view, "Emma")).name() == look().colour("accent").name()
    assert colour_at(view, at(view, "Lyon")).name() == look().colour("listening").name()
    wear(chosen_look("dark", scale=1.0))
    qtbot.waitUntil(lambda: view.is_settled, timeout=PATIENCE_MS)
    assert colour_at(view, at(view, "Emma")).name() == look().colour("accent").name()
    assert colour_at(view, QPoint(3, 300)).name() == look().colour("ground").name()


def test_what_ended_is_faded_and_what_was_not_known_then_is_not_there(view: GraphView, qtbot: QtBot) -> None:
    def settle() -> None:
        qtbot.waitUntil(lambda: view.is_settled, timeout=PATIENCE_MS)

    ground, thing = look().colour("ground").name(), look().colour("thinking").name()
    assert colour_at(view, at(view, "tea")).name() not in (ground, thing)
    view.show_moment(500)
    settle()
    assert colour_at(view, at(view, "tea")).name() == thing
    assert colour_at(view, at(view, "Lyon")).name() == ground
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=at(view, "Lyon"))
    assert view.chosen_id == 0
    view.show_moment(None)
    settle()
    assert colour_at(view, at(view, "Lyon")).name() != ground


def test_it_stays_still_when_something_is_learned(view: GraphView, qtbot: QtBot) -> None:
    view.choose(2)
    QTest.keyClick(view, Qt.Key.Key_Plus)
    camera, more = view.camera, household()
    more["nodes"]["rows"].append([6, "skiing", "thing", 1, 260, 90, "skiing"])
    with qtbot.waitSignal(view.ready, timeout=PATIENCE_MS):
        view.show_answer(more, now=NOW)
    assert view.camera == camera
    assert view.chosen_id == 2
    del more["nodes"]["rows"][1]
    more["ties"]["rows"] = []
    with qtbot.waitSignal(view.chosen, timeout=PATIENCE_MS) as chosen:
        view.show_answer(more, now=NOW)
    assert chosen.args == [0]


def test_nobody_is_drawn_where_nothing_is_known(qtbot: QtBot) -> None:
    view = shown(qtbot, {})
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(50, 50))
    view.choose(77)
    assert view.chosen_id == 0


def test_five_thousand_open_pan_and_zoom_without_a_long_stop(qtbot: QtBot) -> None:
    view = shown(qtbot, crowd())
    assert len(view.picture.dots) == 5_000
    longest = 0.0
    for step in range(60):
        began = time.thread_time()
        if step % 20 == 19:
            view.zoom_by(1.2)
        else:
            QTest.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
        QApplication.processEvents()
        longest = max(longest, time.thread_time() - began)
    assert longest < 0.1, "seconds of work; far above what is measured, for slow machines"
    tiles = len(view._tiles._now.tiles) + len(view._tiles._before.tiles)
    assert tiles * 4 * SIDE**2 <= 2 * MOST_BYTES
    view.choose(4_000)
    qtbot.waitUntil(lambda: view.camera.seen.holds(*view.picture.dots[4_000][5:7]), timeout=PATIENCE_MS)
