"""The view of the conversation: ten thousand turns are opened and scrolled without a long step, and nothing jumps."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from companion.ui.pages.talk.model import TurnModel
from companion.ui.pages.talk.paper import Column, Setting
from companion.ui.pages.talk.view import TurnView
from companion.ui.theme import look
from companion.ui.transcript import Row, Stage, Transcript
from companion.ui.turn_words import remark

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ANSWERS = ("Yes.", "It is a quarter past four in the afternoon.", "Once upon a time there was a long answer. " * 12)
LONGEST_STEP = 0.1
"""Seconds a step may take on a busy machine; the bench tells how long it really takes."""


def rows(count: int, first: int = 0) -> list[Row]:
    made = []
    for number in range(first, first + count):
        answer = ANSWERS[number % len(ANSWERS)]
        asked = f"question {number} " * (1 + number % 5)
        made.append(Row(asked, answer, len(answer), at=NOON + timedelta(minutes=number)))
    return made


@pytest.fixture
def model() -> TurnModel:
    return TurnModel()


@pytest.fixture
def view(model: TurnModel, qtbot: QtBot) -> TurnView:
    made = TurnView(model, remark)
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show()
    return made


def seen(view: TurnView) -> dict[str, int]:
    """Where rows stand in the view, by their question."""
    places = {}
    first, last = view._seen()
    for place in range(first, last + 1):
        room = view.visualRect(view.model().index(place, 0))
        if room.bottom() > 0 and room.top() < view.viewport().height():
            places[view.turn(view.model().index(place, 0)).asked] = room.top()
    return places


def test_it_opens_at_the_newest_turn(view: TurnView, model: TurnModel) -> None:
    model.put_before(rows(10_000))
    last = view.visualRect(model.index(9_999, 0))
    assert 0 < last.bottom() <= view.viewport().height()
    assert view.is_at_end


def test_ten_thousand_turns_scroll_without_a_long_step(view: TurnView, model: TurnModel) -> None:
    model.put_before(rows(10_000))
    bar, longest = view.verticalScrollBar(), 0.0
    steps = [bar.value() - 200 * step for step in range(60)] + [bar.maximum() * part // 20 for part in range(20)]
    for value in steps:
        began = time.perf_counter()
        bar.setValue(value)
        view.viewport().repaint()
        longest = max(longest, time.perf_counter() - began)
    assert longest < LONGEST_STEP


def test_scrolling_up_moves_what_is_seen_by_just_as_much(view: TurnView, model: TurnModel) -> None:
    model.put_before(rows(2_000))
    bar = view.verticalScrollBar()
    for _ in range(80):
        before = seen(view)
        bar.setValue(bar.value() - 90)
        now = seen(view)
        moved = {now[asked] - before[asked] for asked in now.keys() & before.keys()}
        assert moved == {90}


def test_older_turns_come_above_without_moving_what_is_seen(view: TurnView, model: TurnModel) -> None:
    model.put_before(rows(200, first=200))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    before = seen(view)
    model.put_before(rows(100, first=100))
    assert seen(view) == before


def test_older_turns_are_asked_for_before_the_beginning_is_reached(
    view: TurnView, model: TurnModel, qtbot: QtBot
) -> None:
    model.put_before(rows(300))
    asked: list[bool] = []
    view.near_begin.connect(lambda: asked.append(True))
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    assert not asked
    view.verticalScrollBar().setValue(600)
    assert asked


def test_while_one_reads_above_new_turns_do_not_move_it_and_at_the_end_they_are_followed(
    view: TurnView, model: TurnModel
) -> None:
    model.put_before(rows(200))
    view.verticalScrollBar().setValue(3_000)
    before = seen(view)
    model.follow(Transcript((Row("new", "", stage=Stage.WAITING),)))
    assert seen(view) == before
    view.go_to_end()
    model.follow(Transcript((Row("new", "A long answer. " * 80, stage=Stage.ANSWERING),)))
    assert view.visualRect(model.index(200, 0)).bottom() <= view.viewport().height()
    assert "new" in seen(view)


def test_few_turns_stand_at_the_foot(view: TurnView, model: TurnModel) -> None:
    model.put_before(rows(1))
    room = view.visualRect(model.index(0, 0))
    assert room.top() > 100
    assert room.bottom() <= view.viewport().height()


def test_an_answer_that_grows_is_drawn_anew(view: TurnView, model: TurnModel) -> None:
    for words in range(1, 120, 10):
        row = Row("tell me", "word " * words, 4, Stage.ANSWERING)
        model.follow(Transcript((row,)))
        assert model.rowCount() == 1
        view.viewport().repaint()
    assert view.visualRect(model.index(0, 0)).height() > 100


def test_turns_that_go_leave_no_gap(view: TurnView, model: TurnModel) -> None:
    first, second, third = rows(3)
    heard = Row("hm", stage=Stage.HEARING)
    model.follow(Transcript((first, heard, second)))
    model.follow(Transcript((first, second, third)))
    assert [model.row(place).asked for place in range(model.rowCount())] == [first.asked, second.asked, third.asked]
    model.follow(Transcript((first,)))
    assert model.rowCount() == 1


def test_what_the_transcript_lets_go_of_stays_in_the_view(model: TurnModel) -> None:
    many = rows(20)
    model.follow(Transcript(tuple(many[:15])))
    model.follow(Transcript(tuple(many[5:20]), gone=5))
    assert [model.row(place) for place in range(model.rowCount())] == many


def test_keys_go_from_turn_to_turn_and_open_one(view: TurnView, model: TurnModel, qtbot: QtBot) -> None:
    model.put_before(rows(50))
    view.setFocus()
    qtbot.waitUntil(view.hasFocus, timeout=5000)
    opened: list[int] = []
    view.opened.connect(opened.append)
    view.setCurrentIndex(model.index(49, 0))
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Return):
        qtbot.keyClick(view, key)
    assert opened == [47]
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.currentIndex().row() == 0
    assert view.visualRect(view.currentIndex()).top() >= 0


def test_a_click_on_the_remark_opens_the_turn_and_one_beside_it_does_not(
    view: TurnView, model: TurnModel, qtbot: QtBot
) -> None:
    model.put_before(rows(3))
    opened: list[int] = []
    view.opened.connect(opened.append)
    room = view.visualRect(model.index(2, 0))
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(room.left() + 60, room.top() + 10))
    assert opened == []
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(room.left() + 60, room.bottom() - 12))
    assert opened == [2]


def test_a_screen_reader_hears_question_and_answer(view: TurnView, model: TurnModel) -> None:
    model.put_before(rows(3))
    table = QAccessible.queryAccessibleInterface(view)
    assert table is not None
    assert table.childCount() == 3
    text = table.child(0).text(QAccessible.Text.Name)
    assert "question 0" in text
    assert "Yes." in text


def test_a_narrow_view_keeps_every_word(view: TurnView, model: TurnModel, qapp: QApplication) -> None:
    model.put_before([Row("a" * 300, "b" * 400, 400)])
    wide = view.visualRect(model.index(0, 0)).height()
    view.resize(320, 500)
    assert view.visualRect(model.index(0, 0)).height() > wide
    picture = QImage(view.size(), QImage.Format.Format_ARGB32)
    view.render(picture)
    assert not picture.isNull()


def test_what_was_not_heard_is_struck_out_behind_letters_that_qt_counts_for_two(qapp: QApplication) -> None:
    row = Row("how are you", "😀😀 fine, thanks", said_to=len("😀😀 fine"), interrupted=True)

    answer = Setting(row, "", "", Column.within(600), look())._answer

    assert answer is not None
    (struck,) = answer.formats()
    units = answer.text().encode("utf-16-le")
    assert units[2 * struck.start : 2 * (struck.start + struck.length)].decode("utf-16-le") == ", thanks"


@pytest.mark.parametrize("is_first", [True, False], ids=["the file was read first", "the file was read last"])
def test_what_is_read_from_the_file_while_it_goes_on_is_shown_once(model: TurnModel, is_first: bool) -> None:
    older, live = rows(3), rows(2, 3)
    from_file = [*older, *(replace(row, at=row.at + timedelta(seconds=5)) for row in live if row.at)]
    if is_first:
        model.put_before(from_file)
    model.follow(Transcript(tuple(replace(row, at=None) for row in live)))
    model.follow(Transcript(tuple(live)))
    if not is_first:
        model.put_before(from_file)

    assert [model.row(place).asked for place in range(model.rowCount())] == [row.asked for row in (*older, *live)]


def test_what_was_asked_before_and_is_asked_again_stands_there_twice(model: TurnModel) -> None:
    (row,) = rows(1)
    model.put_before([row])
    assert row.at is not None
    model.follow(Transcript((replace(row, at=row.at + timedelta(minutes=1)),)))

    assert model.rowCount() == 2
