"""The slider through time tells the moment that is looked at, and hides where there is no time to look through."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QDate, QDateTime, QTime
from pytestqt.qtbot import QtBot

from companion.ui.graph_view.time_strip import TimeStrip


def months(*ago: int) -> list[dict[str, object]]:
    """Some facts in each of the months that are so long ago."""
    today = QDate.currentDate()
    return [{"month": today.addMonths(-one).toString("yyyy-MM"), "facts": one + 1} for one in ago]


@pytest.fixture
def strip(qtbot: QtBot) -> TimeStrip:
    strip = TimeStrip()
    qtbot.addWidget(strip)
    strip.resize(600, 100)
    strip.show()
    strip.show_months(months(9, 3, 1))
    return strip


def test_a_day_is_told_as_its_end_and_the_right_end_is_now(strip: TimeStrip, qtbot: QtBot) -> None:
    day = QDate.currentDate().addMonths(-3)
    with qtbot.waitSignal(strip.moment) as told:
        strip.go_to(day)
    assert told.args == [QDateTime(day.addDays(1), QTime(0, 0)).toMSecsSinceEpoch()]
    assert not strip.is_now
    assert str(day.year()) in strip.slider.accessibleDescription()
    with qtbot.waitSignal(strip.moment) as told:
        strip.go_to_now()
    assert told.args == [None]
    assert strip.is_now


def test_it_begins_with_the_first_month_and_stays_where_it_is_when_more_is_learned(strip: TimeStrip) -> None:
    assert strip.first_day.toString("yyyy-MM") == QDate.currentDate().addMonths(-9).toString("yyyy-MM")
    strip.show_months(months(9, 3, 1, 0))
    assert strip.is_now
    strip.go_to(QDate.currentDate().addDays(-40))
    value = strip.slider.value()
    strip.show_months(months(9, 0))
    assert strip.slider.value() == value
    strip.grab()


def test_without_anything_there_is_nothing_to_slide_through(strip: TimeStrip) -> None:
    strip.show_months([])
    assert not strip.isVisible()
    strip.show_months([{"month": "2091-01", "facts": 3}])
    assert not strip.isVisible(), "what was said tomorrow by a wrong clock"
