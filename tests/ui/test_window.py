"""The window: where one can go, by mouse and by keyboard, and what it says when something is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from doubles.behind_window import BehindWindow
from doubles.still import face, orders
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from companion.app.events import EngineEnded, EngineStarted, Pulse, Raised
from companion.app.orders import Mute
from companion.errors import ModelMissing
from companion.ui.bridge import Bridge
from companion.ui.places import PLACES
from companion.ui.scenes.scene import AWAKE, in_trouble
from companion.ui.state import Engine, Fault
from companion.ui.theme import NARROW_BELOW
from companion.ui.window import Window
from companion.voice.events import State

PATIENCE_MS = 10_000
Still = Callable[..., Bridge]


@pytest.fixture
def shown(still: Still, qtbot: QtBot) -> Callable[..., Window]:
    def make(bridge: Bridge | None = None, *, has_tray: bool = True) -> Window:
        window = Window(bridge or still(), has_tray=lambda: has_tray)
        qtbot.addWidget(window)
        with qtbot.waitActive(window, timeout=PATIENCE_MS):
            window.come_up()
        return window

    return make


def test_it_opens_where_one_talks(window: Window) -> None:
    assert window.here == "talk"


@pytest.mark.parametrize("place", [place.name for place in PLACES])
def test_every_place_opens_on_the_real_engine(window: Window, place: str) -> None:
    page = window.go(place)

    assert window.here == place
    assert page.isVisible()
    assert page.accessibleName()


def test_a_place_is_built_once(shown: Callable[..., Window]) -> None:
    window = shown()
    first = window.go("health")
    window.go("talk")

    assert window.go("health") is first


def test_an_unknown_place_leads_to_the_first(shown: Callable[..., Window]) -> None:
    window = shown()
    window.go("nowhere/at-all")

    assert window.here == "talk"


def test_every_place_is_reached_by_its_key(shown: Callable[..., Window], qtbot: QtBot) -> None:
    window = shown()
    for number, place in enumerate(PLACES, start=1):
        qtbot.keyClick(window, Qt.Key(Qt.Key.Key_0 + number), Qt.KeyboardModifier.ControlModifier)
        assert window.here == place.name


def test_a_narrow_window_shows_icons_and_keeps_the_words_for_screen_readers(shown: Callable[..., Window]) -> None:
    window = shown()
    window.resize(NARROW_BELOW - 50, 600)
    buttons = window.rail.findChildren(QToolButton)

    assert {button.toolButtonStyle() for button in buttons} == {Qt.ToolButtonStyle.ToolButtonIconOnly}
    assert all(button.accessibleName() and button.toolTip() for button in buttons)

    window.resize(NARROW_BELOW + 50, 600)
    assert {button.toolButtonStyle() for button in buttons} == {Qt.ToolButtonStyle.ToolButtonTextBesideIcon}


def test_a_frozen_engine_is_told_with_a_restart(still: Still, shown: Callable[..., Window], qtbot: QtBot) -> None:
    bridge = still(replace(AWAKE, engine=Engine.FROZEN))
    window = shown(bridge)
    assert window.banner.engine.isVisible()

    qtbot.mouseClick(window.banner.engine.button, Qt.MouseButton.LeftButton)

    assert face(bridge).restarts == 1
    qtbot.waitUntil(lambda: not window.banner.engine.isVisible(), timeout=PATIENCE_MS)


def test_a_dead_engine_is_told_with_its_reason(still: Still, shown: Callable[..., Window]) -> None:
    window = shown(still(replace(AWAKE, engine=Engine.ENDED, ended=Fault("its thread broke", "Start it again."))))

    assert "its thread broke" in window.banner.engine.message


def test_an_engine_that_was_killed_is_shown_and_begun_anew(
    engine: BehindWindow, window: Window, bridge: Bridge, qtbot: QtBot
) -> None:
    engine.room.end()  # nothing is left to hear, so its life is over
    qtbot.waitUntil(lambda: bridge.state.engine is Engine.ENDED, timeout=PATIENCE_MS)
    assert window.banner.engine.isVisible()

    qtbot.mouseClick(window.banner.engine.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bridge.state.is_ready, timeout=PATIENCE_MS)

    assert not window.banner.engine.isVisible()


def test_without_models_it_leads_to_them(still: Still, shown: Callable[..., Window], qtbot: QtBot) -> None:
    window = shown(still(in_trouble("there are no models yet", "Bring them in.", "start")))

    qtbot.mouseClick(window.banner.models.button, Qt.MouseButton.LeftButton)

    assert window.here == "settings"


def test_without_models_every_place_opens(engine: BehindWindow, window: Window, bridge: Bridge, qtbot: QtBot) -> None:
    engine.fails = ModelMissing("there are no models yet", mend="Bring them in.")
    bridge.restart()
    qtbot.waitUntil(lambda: bridge.state.is_stopped_by("start"), timeout=PATIENCE_MS)

    for place in PLACES:
        assert window.go(place.name).isVisible()


def test_an_order_that_nobody_sees_to_is_complained_about(
    still: Still, shown: Callable[..., Window], qtbot: QtBot
) -> None:
    bridge = still(AWAKE, {"mute": Fault("the companion is not listening yet", "Try again in a moment.")})
    window = shown(bridge)

    window.head.turn_mute()
    qtbot.waitUntil(window.banner.complaint.isVisible, timeout=PATIENCE_MS)

    assert window.banner.complaint.message == "The companion is not listening yet."
    assert Mute(True) in orders(bridge)


def test_the_microphone_is_closed_and_opened_by_a_key(window: Window, bridge: Bridge, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bridge.state.phase is State.MUTED, timeout=PATIENCE_MS)

    qtbot.keyClick(window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bridge.state.phase is not State.MUTED, timeout=PATIENCE_MS)


def test_closing_hides_it_and_a_second_start_brings_it_back(
    still: Still, shown: Callable[..., Window], qtbot: QtBot
) -> None:
    bridge = still()
    window = shown(bridge)
    window.close()
    assert not window.isVisible()

    face(bridge).tell(Raised())
    qtbot.waitUntil(window.isVisible, timeout=PATIENCE_MS)


def test_a_tray_that_has_gone_meanwhile_hides_no_window(still: Still, qtbot: QtBot) -> None:
    trays = [True]
    window = Window(still(), has_tray=lambda: bool(trays))
    qtbot.addWidget(window)
    window.show()
    window.close()
    assert not window.isVisible()

    window.show()
    trays.clear()
    window.close()
    assert window.isMinimized()


def test_without_a_tray_closing_makes_it_small(shown: Callable[..., Window]) -> None:
    window = shown(has_tray=False)
    window.close()

    assert window.isMinimized()


def test_the_help_lists_every_key(shown: Callable[..., Window], qtbot: QtBot) -> None:
    window = shown()
    qtbot.keyClick(window, Qt.Key.Key_F1)
    help_window = QApplication.activeModalWidget() or next(
        one for one in QApplication.topLevelWidgets() if one.windowTitle() == "Help"
    )
    words = {label.text() for label in help_window.findChildren(QLabel)}

    assert {"Ctrl+1", "Ctrl+M", "F1"} <= words
    help_window.close()


def test_a_page_that_is_not_seen_does_not_work(still: Still, shown: Callable[..., Window], qtbot: QtBot) -> None:
    bridge = still()
    window = shown(bridge)
    page = window.go("talk")
    drawn: list[object] = []
    page.draw = drawn.append
    window.go("health")

    face(bridge).tell(EngineEnded("it broke"), EngineStarted(), Pulse())
    qtbot.wait(200)

    assert drawn == []


def test_a_long_trouble_takes_one_line_in_the_head_and_stands_whole_in_its_tooltip(
    still: Callable[..., Bridge], qtbot: QtBot
) -> None:
    trouble = Fault("the microphone is gone, " + "and the way to it is long, " * 20, topic="microphone")
    window = Window(still(replace(AWAKE, phase=State.DEAF, problems=(trouble,))))
    qtbot.addWidget(window)
    window.resize(800, 600)
    window.show()
    words = window.head._words
    qtbot.waitUntil(lambda: words.text().endswith("…"))

    assert window.minimumSizeHint().width() <= 800
    assert words.text().startswith("The microphone is gone")
    assert "the way to it is long" in words.toolTip()
    assert trouble.message[4:].strip() in words.accessibleName()
    window.resize(800, 600)
    window.head.draw(AWAKE)
    assert words.toolTip() == ""
