"""The icon in the tray tells states apart, says why, and does what its menu says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from doubles.still import face, orders
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QSystemTrayIcon
from pytestqt.qtbot import QtBot

from companion.app.events import Shown
from companion.app.orders import Hush, Mute, Talk, Toggle
from companion.ui.bridge import Bridge
from companion.ui.pages.page import Page
from companion.ui.places import Place
from companion.ui.scenes.scene import AWAKE
from companion.ui.state import Engine, Fault, Mark, UiState
from companion.ui.theme import DARK, LIGHT, Look
from companion.ui.tray import Tray, tray_icon
from companion.ui.window import Window
from companion.voice.events import Exchanged, Spoken, State, StateChanged

Still = Callable[..., Bridge]


def tray_of(still: Still, qtbot: QtBot, state: UiState = AWAKE) -> tuple[Tray, Bridge, Window]:
    bridge = still(state)
    window = Window(bridge, places=[Place(name, name, "talk", Page) for name in ("talk", "settings")])
    qtbot.addWidget(window)
    return Tray(bridge, window), bridge, window


def inked(icon: QIcon, size: int = 22) -> frozenset[tuple[int, int]]:
    """The shape alone: where anything is drawn, whatever its colour."""
    picture = icon.pixmap(QSize(size, size)).toImage()
    places = ((x, y) for x in range(picture.width()) for y in range(picture.height()))
    return frozenset(place for place in places if picture.pixelColor(*place).alpha() > 100)


@pytest.mark.parametrize("size", [16, 22, 48])
def test_every_state_has_a_shape_of_its_own(qtbot: QtBot, size: int) -> None:
    shapes = [inked(tray_icon(mark, Look()), size) for mark in Mark]
    for number, one in enumerate(shapes):
        for other in shapes[number + 1 :]:
            assert len(one ^ other) > size, "they are told apart without colour"


def test_icons_differ_between_light_and_dark(qtbot: QtBot) -> None:
    light, dark = Look(LIGHT), Look(DARK, is_dark=True)
    for mark in Mark:
        assert tray_icon(mark, light).pixmap(22).toImage() != tray_icon(mark, dark).pixmap(22).toImage()


def test_the_tooltip_says_how_it_stands_and_why(still: Still, qtbot: QtBot) -> None:
    tray, _, _ = tray_of(still, qtbot)
    assert tray.icon.toolTip() == "Companion: Waiting – Say “Okay Nabu” to talk."
    ten = datetime(2026, 3, 1, 14, 10, tzinfo=UTC)
    tray.draw(replace(AWAKE, phase=State.MUTED, ears_closed=True, closed_until=ten))
    assert "Muted" in tray.icon.toolTip()
    assert "2:10" in tray.icon.toolTip() or "14:10" in tray.icon.toolTip()
    tray.draw(replace(AWAKE, engine=Engine.ENDED, ended=Fault("the model ended")))
    assert "The model ended." in tray.icon.toolTip()


def test_the_menu_talks_mutes_and_pauses(still: Still, qtbot: QtBot) -> None:
    tray, bridge, _ = tray_of(still, qtbot)
    for action in (tray.talk, tray.mute_a_while, tray.mute, tray.hush):
        action.trigger()
    assert orders(bridge)[-4:] == [Talk(), Mute(on=True, seconds=600.0), Mute(on=True), Hush(on=True)]


def test_the_menu_offers_what_can_be_done_now(still: Still, qtbot: QtBot) -> None:
    tray, _, _ = tray_of(still, qtbot)
    tray.draw(replace(AWAKE, phase=State.MUTED, ears_closed=True, hushed=True))
    assert (tray.mute.text(), tray.hush.text()) == ("Unmute", "Speak answers again")
    assert not tray.mute_a_while.isVisible()
    tray.draw(replace(AWAKE, engine=Engine.FROZEN))
    assert not tray.talk.isEnabled()
    assert tray.open.isEnabled()
    assert tray.quit.isEnabled()


def test_it_opens_the_window_and_its_settings(still: Still, qtbot: QtBot) -> None:
    tray, _, window = tray_of(still, qtbot)
    tray.open.trigger()
    assert window.isVisible()
    tray.settings.trigger()
    assert window.here == "settings"


def test_a_click_with_the_middle_button_is_one_key_for_everything(still: Still, qtbot: QtBot) -> None:
    tray, bridge, _ = tray_of(still, qtbot)
    tray.icon.activated.emit(QSystemTrayIcon.ActivationReason.MiddleClick)
    assert orders(bridge)[-1] == Toggle()


def test_quit_asks_the_program_to_end(still: Still, qtbot: QtBot) -> None:
    tray, _, window = tray_of(still, qtbot)
    with qtbot.waitSignal(window.quitting, timeout=1000):
        tray.quit.trigger()


def test_where_there_is_no_tray_the_window_says_where_it_goes(still: Still, qtbot: QtBot) -> None:
    window = Window(still(), has_tray=lambda: False, places=[Place("talk", "talk", "talk", Page)])
    qtbot.addWidget(window)
    window.show()
    assert window.banner.no_tray.isHidden()
    window.close()
    assert window.isVisible(), "it is small, and can be reached"
    assert not window.banner.no_tray.isHidden()
    assert "no tray" in window.banner.no_tray.message


def test_what_is_only_shown_comes_beside_the_tray_while_the_window_is_closed(
    still: Still, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    tray, bridge, window = tray_of(still, qtbot, replace(AWAKE, hushed=True))
    messages: list[str] = []
    monkeypatch.setattr(tray.icon, "showMessage", lambda title, text, icon: messages.append(text))
    over = Exchanged(1, "when is lunch", "en", "rule:clock", "At noon.", "At noon.", whole=True)
    face(bridge).tell(Shown("A list."), over, StateChanged(State.SPEAKING, "announcement"), Spoken("Tea.", whole=True))
    qtbot.waitUntil(lambda: messages == ["A list.", "At noon.", "Tea."], timeout=5000)
    window.show()
    face(bridge).tell(Shown("Another list."), Shown("and one more"))
    qtbot.waitUntil(lambda: bridge.state.shown == "and one more", timeout=5000)
    assert len(messages) == 3
