"""Problems, times, costs and the diagnostics bundle are seen on the health page, on the real engine."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from doubles.behind_window import BehindWindow
from doubles.still import face, orders, tended
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from companion.app.events import Problem, Solved
from companion.app.orders import Tend
from companion.ui.bridge import Bridge
from companion.ui.pages.health.bundle import BundleWindow
from companion.ui.pages.health.chart import Timed, ceiling, middle
from companion.ui.pages.health.page import HealthPage
from companion.ui.pages.health.words import place_of, topic_name
from companion.ui.scenes.health_scenes import ANSWERS, EMPTY, UNWELL

PATIENCE_MS = 20_000


def seen(page: HealthPage, qtbot: QtBot) -> HealthPage:
    qtbot.addWidget(page)
    page.resize(900, 900)
    page.show()
    qtbot.waitExposed(page)
    page.enter()
    return page


@pytest.fixture
def page(bridge: Bridge, qtbot: QtBot) -> HealthPage:
    """On the real engine, seen."""
    return seen(HealthPage(bridge), qtbot)


def test_it_tells_what_is_used_and_goes_on_telling_while_it_is_seen(page: HealthPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: "%" in page.uses.told("cpu"), timeout=PATIENCE_MS)

    assert "free" in page.uses.told("memory")
    assert "free" in page.uses.told("disk")
    page.leave()
    assert not page._look.isActive()


def test_a_spoken_turn_appears_in_the_picture(engine: BehindWindow, page: HealthPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: "Nothing was answered" in page.latency.summary.text(), timeout=PATIENCE_MS)
    engine.wake()
    engine.say("what is six times seven")
    qtbot.waitUntil(lambda: len(page.latency.chart.turns) == 1, timeout=PATIENCE_MS)
    (turn,) = page.latency.chart.turns

    assert turn.total == pytest.approx(sum(took for _, took in turn.steps))
    assert page.latency.chart.isVisible()


def test_problems_come_and_go_with_the_place_that_mends_them(still: Callable[..., Bridge], qtbot: QtBot) -> None:
    bridge = still(answers=EMPTY)
    page, places = seen(HealthPage(bridge), qtbot), list[str]()
    page.wants.connect(places.append)
    assert page.problems.well.isVisible()
    face(bridge).tell(Problem("microphone", "the microphone was unplugged", "Plug it in."))
    qtbot.waitUntil(lambda: len(page.problems.notices) == 1, timeout=PATIENCE_MS)
    (notice,) = page.problems.notices
    assert notice.message == "Microphone: the microphone was unplugged."
    assert not page.problems.well.isVisible()
    notice.button.click()
    assert places == ["settings/sound"]
    face(bridge).tell(Solved("microphone"))
    qtbot.waitUntil(page.problems.well.isVisible, timeout=PATIENCE_MS)


def test_everything_is_looked_at_on_the_real_machine(page: HealthPage, qtbot: QtBot) -> None:
    page.problems.check.click()
    qtbot.waitUntil(lambda: not page.problems.check.isEnabled(), timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: page.problems.check.isEnabled() and page.problems.found.isVisible(), timeout=60_000)

    assert page.problems.notices or page.problems.found.column.count()


def test_looking_at_everything_can_be_stopped(still: Callable[..., Bridge], qtbot: QtBot) -> None:
    from companion.app.events import Finished, Progress

    bridge = still(answers=EMPTY)
    page = seen(HealthPage(bridge), qtbot)
    face(bridge).tell(Progress("health.checkup", 1, 4, note="disk"))
    qtbot.waitUntil(page.problems.progress.isVisible, timeout=PATIENCE_MS)
    page.problems.progress._stop.click()
    assert tended(bridge, "health", "cancel") == [{}]
    face(bridge).tell(Finished("health.checkup", "stopped"))
    qtbot.waitUntil(page.problems.progress.isHidden, timeout=PATIENCE_MS)
    assert page.problems.check.isEnabled()


def test_every_text_of_the_bundle_is_shown_and_what_is_left_out_is_not_saved(
    bridge: Bridge, qtbot: QtBot, tmp_path: Path
) -> None:
    file = tmp_path / "bundle.zip"
    window = BundleWindow(bridge, ask_where=lambda _: str(file))
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: window.list.count() == 6, timeout=PATIENCE_MS)
    assert "python:" in window.text.toPlainText()
    for row in range(window.list.count()):
        window.list.setCurrentRow(row)
        if window.list.item(row).text() == "log.txt":
            window.list.item(row).setCheckState(Qt.CheckState.Unchecked)
    qtbot.mouseClick(window.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(window.saved.isVisible, timeout=PATIENCE_MS)

    with zipfile.ZipFile(file) as bundle:
        assert sorted(bundle.namelist()) == sorted(f"companion/{name}" for name in window.chosen)
        assert "companion/log.txt" not in bundle.namelist()


def test_a_bundle_of_nothing_cannot_be_saved_and_no_place_saves_nothing(
    still: Callable[..., Bridge], qtbot: QtBot
) -> None:
    bridge = still(answers=ANSWERS)
    window = BundleWindow(bridge, ask_where=lambda _: "")
    qtbot.addWidget(window)
    qtbot.waitUntil(lambda: window.list.count() == 5, timeout=PATIENCE_MS)
    window.save.click()
    for row in range(window.list.count()):
        window.list.item(row).setCheckState(Qt.CheckState.Unchecked)
    assert not window.save.isEnabled()
    assert tended(bridge, "health", "save") == []


def test_a_disk_that_is_full_is_told_in_the_bundle_s_window(bridge: Bridge, qtbot: QtBot, tmp_path: Path) -> None:
    window = BundleWindow(bridge, ask_where=lambda _: str(tmp_path / "nowhere" / "bundle.zip"))
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(window.save.isEnabled, timeout=PATIENCE_MS)
    window.save.click()
    qtbot.waitUntil(window.notice.isVisible, timeout=PATIENCE_MS)

    assert "cannot be written" in window.notice.message


def test_nothing_is_asked_while_nobody_looks(still: Callable[..., Bridge], qtbot: QtBot) -> None:
    bridge = still(UNWELL, ANSWERS)
    page = seen(HealthPage(bridge), qtbot)
    qtbot.waitUntil(lambda: len(page.problems.notices) == 3, timeout=PATIENCE_MS)
    page.hide()
    page.leave()
    asked = len(orders(bridge))
    face(bridge).tell(Problem("speaker", "gone"))
    qtbot.wait(100)
    assert len(orders(bridge)) == asked
    assert all(isinstance(order, Tend) for order in orders(bridge))


def test_a_turn_is_told_in_words_too(still: Callable[..., Bridge], qtbot: QtBot) -> None:
    page = seen(HealthPage(still(answers=ANSWERS)), qtbot)
    qtbot.waitUntil(lambda: len(page.latency.chart.turns) == 50, timeout=PATIENCE_MS)
    chart = page.latency.chart

    assert "Thinking" in chart.told(chart.turns[1])
    assert chart._at(chart._room().left() + 1) is chart.turns[0]
    assert chart._at(0) is None
    assert "nine of ten" in chart.accessibleDescription()


def test_the_picture_s_numbers_are_right() -> None:
    assert [ceiling(longest) for longest in (0.2, 0.5, 0.6, 3.5, 61.0)] == [0.5, 0.5, 1.0, 4.0, 120.0]
    assert [middle([]), middle([1.0]), middle([1.0, 2.0, 3.0]), middle([1.0] * 9 + [5.0], 0.9)] == [0, 1.0, 2.0, 5.0]
    row = {"at": "2026-11-30T14:20:00+01:00", "steps": [{"step": "wait", "seconds": 0.5}], "total": 0.5}
    assert Timed.of(row).steps == (("wait", 0.5),)


def test_a_topic_that_is_new_is_shown_all_the_same() -> None:
    assert (topic_name("kettle"), place_of("kettle")) == ("Kettle", "")
    assert (topic_name("voice for zh"), place_of("cloud voice")) == ("Voice", "settings/privacy")
