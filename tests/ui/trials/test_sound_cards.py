"""The cards on which sound is tried: what they ask, what they show, and that nothing listens on unseen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from doubles.still import face, tended
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from companion.app.events import EngineStarted, Finished, Metered, Progress, Pulse, WakeTried
from companion.app.orders import Mute
from companion.ui.bridge import Bridge
from companion.ui.scenes.sound_scenes import ANSWERS, LISTED, UNPLUGGED
from companion.ui.state import Engine, Fault
from companion.ui.trials.device_choice import DeviceChoice
from companion.ui.trials.sound_cards import SoundCards
from companion.voice.events import State, StateChanged

Still = Callable[..., Bridge]


@pytest.fixture
def cards(still: Still, qtbot: QtBot) -> Callable[..., tuple[Bridge, SoundCards]]:
    def make(**answers: Any) -> tuple[Bridge, SoundCards]:
        named = {name.replace("__", "."): answer for name, answer in answers.items()}
        bridge = still(answers={**ANSWERS, **named})
        made = SoundCards(bridge)
        qtbot.addWidget(made)
        bridge.changed.connect(made.draw)
        made.show()
        made.entered()
        qtbot.waitUntil(lambda: made.microphone.choice.count() > 1)
        return bridge, made

    return make


def test_devices_are_offered_by_name_and_the_systems_own_first(cards: Any) -> None:
    _, made = cards()
    choice = made.microphone.choice
    assert [choice.itemData(number) for number in range(choice.count())] == ["", "Built-in microphone", "USB Audio"]
    assert choice.currentData() == ""
    assert made.speaker.choice.currentData() == "Kitchen"


def test_a_chosen_device_is_kept_and_listened_to(cards: Any, qtbot: QtBot) -> None:
    bridge, made = cards()
    levels = len(tended(bridge, "sound", "level"))
    made.microphone.choice.setCurrentIndex(2)
    made.microphone.choice.activated.emit(2)
    assert tended(bridge, "settings", "set") == [{"name": "sound.microphone", "value": "USB Audio"}]
    qtbot.waitUntil(lambda: len(tended(bridge, "sound", "level")) == levels + 1)


def test_one_that_is_not_there_is_named_with_what_to_do(cards: Any) -> None:
    _, made = cards(sound__list=UNPLUGGED)
    assert made.microphone.notice.isVisible()
    assert "USB Audio" in made.microphone.choice.currentText()
    assert made.microphone.choice.currentData() == "USB Audio"


def test_the_bar_moves_with_the_level_and_says_when_the_microphone_goes(cards: Any, qtbot: QtBot) -> None:
    bridge, made = cards()
    face(bridge).tell(Metered(-25.0))
    qtbot.waitUntil(lambda: made.microphone.meter.lit > 10)
    face(bridge).tell(Metered(-120.0, "USB Audio", "it has been unplugged", "plug it in again"))
    qtbot.waitUntil(lambda: made.microphone.notice.isVisible())
    assert made.microphone.meter.lit == 0
    face(bridge).tell(Metered(-40.0))
    qtbot.waitUntil(lambda: not made.microphone.notice.isVisible())


@pytest.mark.parametrize("verdict", ["good", "faint", "loud", "silent", "unheard", "stopped"])
def test_a_recording_is_told_in_a_sentence_and_the_level_goes_on(cards: Any, qtbot: QtBot, verdict: str) -> None:
    bridge, made = cards(sound__record={"verdict": verdict, "loudest": -30.0})
    levels = len(tended(bridge, "sound", "level"))
    made.microphone.button.click()
    qtbot.waitUntil(lambda: len(tended(bridge, "sound", "level")) > levels)
    assert made.microphone.button.isEnabled()
    assert made.microphone.told.text()


def test_while_it_records_it_says_when_to_speak_and_when_it_plays(still: Still, qtbot: QtBot) -> None:
    bridge = still(answers=ANSWERS)
    made = SoundCards(bridge)
    qtbot.addWidget(made)
    made.show()
    made.microphone.button.setEnabled(False)  # as while the desk is at work
    made.entered()
    bridge.changed.connect(made.draw)
    face(bridge).tell(Progress("sound.record", 1.0, 3.0, 2.0, "listening"))
    qtbot.waitUntil(lambda: "listening" in made.microphone.told.text())
    face(bridge).tell(Progress("sound.record", 0.0, 3.0, 3.0, "playing"))
    qtbot.waitUntil(lambda: "sound" in made.microphone.told.text())


@pytest.mark.parametrize("verdict", ["good", "unheard", "too_loud", "headphones"])
def test_an_echo_is_told_in_a_sentence(cards: Any, qtbot: QtBot, verdict: str) -> None:
    _, made = cards(sound__echo={"verdict": verdict, "heard": -30.0, "left": -60.0, "room": -70.0})
    made.echo.button.click()
    qtbot.waitUntil(lambda: made.echo.button.isEnabled() and made.echo.told.isVisible())
    assert made.echo.told.text().endswith(".")


@pytest.mark.parametrize("action", ["record", "echo", "chime"])
def test_what_goes_wrong_is_shown_on_its_card(cards: Any, qtbot: QtBot, action: str) -> None:
    _, made = cards(**{f"sound__{action}": Fault("the loudspeaker is busy", "close the other program")})
    card = {"record": made.microphone, "echo": made.echo, "chime": made.speaker}[action]
    card.button.click()
    qtbot.wait(100)  # the list of devices is fetched anew, which must not wipe it away
    shown = card.notice if action == "echo" else card.told
    assert shown.isVisible()
    assert "The loudspeaker is busy" in (shown.message if action == "echo" else shown.text())
    assert card.button.isEnabled()


def test_an_engine_that_begins_anew_is_asked_to_listen_again(cards: Any, qtbot: QtBot) -> None:
    bridge, _ = cards()
    levels = len(tended(bridge, "sound", "level"))
    face(bridge).tell(EngineStarted())
    qtbot.waitUntil(lambda: bridge.state.engine is Engine.STARTING)
    face(bridge).tell(Pulse())
    qtbot.waitUntil(lambda: len(tended(bridge, "sound", "level")) > levels)


def test_the_name_gets_a_tick_each_time_it_is_heard(cards: Any, qtbot: QtBot) -> None:
    bridge, made = cards(sound__wake={"word": "okay_nabu", "threshold": 0.7})
    face(bridge).tell(WakeTried("okay_nabu", "heard", 3, 0.9))  # of an earlier trial
    QTest.qWait(50)
    made.wake.button.click()
    assert tended(bridge, "sound", "wake") == [{"word": "okay_nabu", "percent": 50}]
    assert made.wake.ticks.done == 0
    face(bridge).tell(WakeTried("okay_nabu", "almost", 0, 0.5))
    qtbot.waitUntil(lambda: "Almost" in made.wake.told.text())
    with qtbot.waitSignal(made.wake.passed):
        for count in (1, 2, 3):
            face(bridge).tell(WakeTried("okay_nabu", "heard", count, 0.9))
    assert made.wake.ticks.done == 3
    made.wake.button.click()
    assert tended(bridge, "sound", "stop")


def test_another_word_or_sensitivity_is_kept_and_tried_at_once(cards: Any, qtbot: QtBot) -> None:
    bridge, made = cards(sound__wake={"word": "alexa", "threshold": 0.7})
    made.wake.button.click()
    made.wake.words.setCurrentIndex(3)
    made.wake.words.activated.emit(3)
    qtbot.waitUntil(lambda: len(tended(bridge, "sound", "wake")) == 2)
    assert tended(bridge, "sound", "wake")[-1]["word"] == "alexa"
    QTest.keyClick(made.wake.slider, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: len(tended(bridge, "settings", "set")) == 2)
    assert tended(bridge, "settings", "set")[-1] == {"name": "wake.threshold", "value": "0.675"}


def test_a_trial_that_breaks_off_says_why(cards: Any, qtbot: QtBot) -> None:
    bridge, made = cards(sound__wake={"word": "okay_nabu", "threshold": 0.7})
    made.wake.button.click()
    face(bridge).tell(Progress("sound.wake", 0, 0), Finished("sound.wake", "the microphone has gone", "plug it in"))
    qtbot.waitUntil(lambda: made.wake.notice.isVisible())
    assert not made.wake.is_trying


def test_muted_ears_are_told_with_a_button_and_heard_again_after_it(cards: Any, qtbot: QtBot) -> None:
    bridge, made = cards(sound__level={"on": False, "muted": True})
    qtbot.waitUntil(lambda: made.notice.isVisible())
    face(bridge).tell(StateChanged(State.MUTED))
    qtbot.waitUntil(lambda: bridge.state.is_muted)
    made.notice.button.click()
    assert Mute(on=False) in face(bridge).orders
    face(bridge).tell(StateChanged(State.ASLEEP))
    qtbot.waitUntil(lambda: not bridge.state.is_muted)


def test_nothing_listens_on_when_the_page_is_left(cards: Any) -> None:
    bridge, made = cards(sound__wake={"word": "okay_nabu", "threshold": 0.7})
    made.wake.button.click()
    made.left()
    assert tended(bridge, "sound", "stop")
    assert not made.wake.is_trying
    made.left()


def test_an_engine_that_is_not_ready_is_asked_again(still: Still, qtbot: QtBot) -> None:
    bridge = still(answers={"sound.list": Fault("the companion is starting")})
    made = SoundCards(bridge)
    qtbot.addWidget(made)
    made.entered()
    qtbot.waitUntil(lambda: len(tended(bridge, "sound", "list")) >= 2, timeout=5000)
    made.left()


def test_a_wheel_over_a_choice_scrolls_the_page_and_changes_nothing(qtbot: QtBot) -> None:
    choice = DeviceChoice("The one this computer uses")
    qtbot.addWidget(choice)
    choice.fill(LISTED["microphone"]["names"], "")  # type: ignore[index]
    choice.show()
    QTest.qWait(10)
    assert choice.currentIndex() == 0
