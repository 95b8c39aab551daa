"""Timers are seen, set, cancelled and given back on the home page, on the real engine."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from doubles.behind_window import BehindWindow
from doubles.still import tended
from PySide6.QtCore import QDateTime, Qt
from pytestqt.qtbot import QtBot

from companion.app.orders import Ask
from companion.ui.bridge import Bridge
from companion.ui.pages.home.page import HomePage
from companion.ui.pages.home.times import left, moment, spoken_left
from companion.ui.scenes.home_scenes import ANSWERS, BROKEN, EMPTY
from companion.ui.widgets import IconButton

PATIENCE_MS = 10_000


@pytest.fixture
def page(bridge: Bridge, qtbot: QtBot) -> HomePage:
    """On the real engine, seen."""
    return seen(HomePage(bridge), qtbot)


def seen(page: HomePage, qtbot: QtBot) -> HomePage:
    qtbot.addWidget(page)
    page.resize(900, 900)
    page.show()
    qtbot.waitExposed(page)
    page.enter()
    return page


def names(page: HomePage) -> list[str]:
    return [row.accessibleName() for row in page.set.rows]


def wait_for(qtbot: QtBot, page: HomePage, *wanted: str) -> None:
    qtbot.waitUntil(lambda: names(page) == list(wanted), timeout=PATIENCE_MS)


def test_a_timer_that_is_set_by_words_appears_and_counts_down(bridge: Bridge, page: HomePage, qtbot: QtBot) -> None:
    qtbot.waitUntil(page.set.nothing.isVisible, timeout=PATIENCE_MS)
    bridge.ask(Ask("set a pasta timer for ten minutes"))
    wait_for(qtbot, page, "Timer: pasta")
    assert page.set.nothing.isHidden()
    row = page.set.rows[0]
    qtbot.waitUntil(lambda: row._time.text() in {"9:58", "9:57"}, timeout=PATIENCE_MS)


def test_a_click_sets_a_timer_and_another_cancels_it_and_a_third_gives_it_back(page: HomePage, qtbot: QtBot) -> None:
    page.setter.minutes.setValue(25)
    page.setter.name.setText("tea")
    qtbot.mouseClick(page.setter.set, Qt.MouseButton.LeftButton)
    wait_for(qtbot, page, "Timer: tea")
    assert page.setter.name.text() == ""
    qtbot.mouseClick(page.set.rows[0].cancel, Qt.MouseButton.LeftButton)
    wait_for(qtbot, page)
    qtbot.waitUntil(page.undo.isVisible, timeout=PATIENCE_MS)
    assert page.undo.accessibleName() == "Timer: tea is cancelled."
    page.undo._take_back()
    wait_for(qtbot, page, "Timer: tea")


def test_alarms_and_reminders_are_set_for_a_moment(engine: BehindWindow, page: HomePage, qtbot: QtBot) -> None:
    tomorrow = QDateTime.currentDateTime().addDays(1)
    page.setter.choose_kind("alarm")
    page.setter.alarm_at.setDateTime(tomorrow)
    page.setter.set.click()
    wait_for(qtbot, page, "Alarm")
    page.setter.choose_kind("reminder")
    assert not page.setter.set.isEnabled(), "a reminder says what of"
    page.setter.task.setText("call Emma")
    page.setter.task_at.setDateTime(tomorrow.addSecs(-3600))
    page.setter.set.click()
    wait_for(qtbot, page, "call Emma", "Alarm")
    assert engine.paths.timers.read_text().count("\n") == 2


def test_what_cannot_be_set_is_told_on_the_page(page: HomePage, qtbot: QtBot) -> None:
    page._add({"kind": "alarm", "at": "1999-01-01T00:00"})
    qtbot.waitUntil(page.notice.isVisible, timeout=PATIENCE_MS)

    assert "passed" in page.notice.message


def test_the_talents_that_are_there_are_listed_with_something_to_say(page: HomePage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: len(page.talents.names) >= 8, timeout=PATIENCE_MS)

    assert page.talents.names[0] == "Timers, alarms and reminders"


def test_a_plugin_that_does_not_work_says_why(still: Callable[..., Bridge], qtbot: QtBot) -> None:
    page = seen(HomePage(still(answers=ANSWERS)), qtbot)
    qtbot.waitUntil(lambda: "garden" in page.talents.names, timeout=PATIENCE_MS)
    broken = page.talents._rows[page.talents.names.index("garden")]

    assert "its sensor does not answer" in broken.accessibleDescription()


def test_the_page_is_led_by_keys_alone(still: Callable[..., Bridge], qtbot: QtBot) -> None:
    bridge = still(answers={**ANSWERS, "home.cancel": EMPTY["home.list"]})
    page = seen(HomePage(bridge), qtbot)
    qtbot.waitUntil(lambda: len(page.set.rows) == 5, timeout=PATIENCE_MS)
    page.set.rows[1].cancel.setFocus()
    qtbot.keyClick(page.set.rows[1].cancel, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: tended(bridge, "home", "cancel") == [{"id": 2}], timeout=PATIENCE_MS)
    qtbot.waitUntil(page.undo.isVisible, timeout=PATIENCE_MS)


def test_the_focus_stays_in_the_list_when_one_of_it_is_gone(page: HomePage, qtbot: QtBot) -> None:
    for minutes in (5, 10):
        page._add({"kind": "timer", "seconds": minutes * 60})
    qtbot.waitUntil(lambda: len(page.set.rows) == 2, timeout=PATIENCE_MS)
    page.set.rows[0].cancel.setFocus()
    qtbot.keyClick(page.set.rows[0].cancel, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: len(page.set.rows) == 1, timeout=PATIENCE_MS)

    assert isinstance(page.focusWidget(), IconButton)


def test_a_file_that_cannot_be_read_is_told_and_the_rest_of_the_page_works(
    still: Callable[..., Bridge], qtbot: QtBot
) -> None:
    page = seen(HomePage(still(answers=BROKEN)), qtbot)
    qtbot.waitUntil(page.notice.isVisible, timeout=PATIENCE_MS)

    assert len(page.talents.names) == 11


def test_nothing_ticks_while_nobody_looks(still: Callable[..., Bridge], qtbot: QtBot) -> None:
    page = seen(HomePage(still(answers=ANSWERS)), qtbot)
    qtbot.waitUntil(page.set._tick.isActive, timeout=PATIENCE_MS)
    page.leave()
    assert not page.set._tick.isActive()
    assert not page._again.isActive()
    empty = seen(HomePage(still(answers=EMPTY)), qtbot)
    qtbot.waitUntil(lambda: len(empty.talents.names) > 0, timeout=PATIENCE_MS)
    assert not empty.set._tick.isActive()


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "0:00"),
        (5, "0:05"),
        (65, "1:05"),
        (3600, "1:00:00"),
        (90_000, "25:00:00"),
        (200_000, "2 days"),
        (-3, "0:00"),
    ],
)
def test_what_is_left_is_written_as_a_clock(seconds: float, told: str) -> None:
    assert left(seconds).replace("(s)", "s") == told


def test_a_moment_is_told_by_its_day(qapp: object) -> None:
    now = datetime(2026, 11, 30, 14, 20).astimezone()
    days = [moment(now + timedelta(days=days), now).split(" at ")[0] for days in (0, 1, 3)]

    assert days == ["today", "tomorrow", "Thursday"]
    assert "December" in moment(now + timedelta(days=20), now)
    assert spoken_left(20) == "less than a minute left"
