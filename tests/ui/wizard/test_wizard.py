"""The first steps: they open by themselves, can be left and gone on with, and end in a conversation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from doubles.behind_window import BehindWindow
from doubles.still import face, tended
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from companion.app.events import Finished, Progress
from companion.app.setup_file import Mark, Setup, Step, read_setup, standing
from companion.errors import ModelMissing
from companion.settings.store import SettingsStore
from companion.ui.bridge import Bridge
from companion.ui.scenes.wizard_scenes import ANSWERS, BRAINS, NO_NETWORK, ON_THE_WAY
from companion.ui.state import Engine, Fault, UiState
from companion.ui.translations import speak
from companion.ui.wizard.brains_step import BrainsStep
from companion.ui.wizard.hello_step import HelloStep
from companion.ui.wizard.leading import Leading
from companion.ui.wizard.personality_step import PersonalityStep
from companion.ui.wizard.talk_step import TalkStep
from companion.ui.wizard.wizard import NAMES, STEPS, Wizard

PATIENCE_MS = 10_000

Still = Callable[..., Bridge]


@pytest.fixture
def leading(bridge: Bridge, qtbot: QtBot) -> Iterator[Leading]:
    over = QWidget()
    qtbot.addWidget(over)
    over.show()
    made = Leading(bridge, over)
    yield made
    if made.wizard is not None:
        made.wizard.close()


def opened(leading: Leading, qtbot: QtBot) -> Wizard:
    qtbot.waitUntil(lambda: leading.wizard is not None and leading.wizard.isVisible(), timeout=PATIENCE_MS)
    assert leading.wizard is not None
    return leading.wizard


def still_wizard(bridge: Bridge, at: str, qtbot: QtBot) -> Any:
    wizard = Wizard(bridge)
    qtbot.addWidget(wizard)
    wizard.begin({"at": at})
    qtbot.waitExposed(wizard)
    return wizard


def test_the_names_are_those_that_are_kept_and_stand_in_their_order() -> None:
    assert list(NAMES) == [step.value for step in Step]
    assert len(STEPS) == len(NAMES)


def test_a_new_home_is_led_from_the_beginning(leading: Leading, qtbot: QtBot) -> None:
    leading.begin()
    wizard = opened(leading, qtbot)
    assert wizard.at == "hello"
    assert not wizard.back.isVisible()
    assert not wizard.skip.isVisible(), "a language is needed"


def test_every_step_can_be_reached_and_what_was_done_or_skipped_is_kept(
    engine: BehindWindow, leading: Leading, qtbot: QtBot
) -> None:
    leading.begin()
    wizard = opened(leading, qtbot)
    seen = [wizard.at]
    for button in (wizard.next, wizard.skip, wizard.next, wizard.skip, wizard.next, wizard.skip):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        seen.append(wizard.at)
    assert seen == list(NAMES)
    qtbot.waitUntil(lambda: len((read_setup(engine.paths.setup) or _none()).marks) == 6, timeout=PATIENCE_MS)
    setup = read_setup(engine.paths.setup)
    assert setup is not None
    assert (setup.mark(Step.HELLO), setup.mark(Step.SOUND)) == (Mark.DONE, Mark.SKIPPED)
    assert setup.at is Step.TALK
    assert not setup.is_finished


def _none() -> Any:
    class Empty:
        marks: dict[str, str] = {}  # noqa: RUF012

    return Empty


def test_it_goes_on_where_it_was_left(engine: BehindWindow, leading: Leading, qtbot: QtBot) -> None:
    leading.begin()
    wizard = opened(leading, qtbot)
    wizard.next.click()
    wizard.next.click()
    assert wizard.at == "wake"
    with qtbot.waitSignal(leading.finished):
        wizard.later.click()
    assert not wizard.isVisible()
    qtbot.waitUntil(lambda: (setup := read_setup(engine.paths.setup)) is not None and setup.at is Step.WAKE)
    leading.begin()
    assert opened(leading, qtbot).at == "wake"


def test_escape_leaves_it_as_the_button_does(leading: Leading, qtbot: QtBot) -> None:
    leading.open()
    wizard = opened(leading, qtbot)
    with qtbot.waitSignal(leading.finished):
        QTest.keyClick(wizard, Qt.Key.Key_Escape)
    assert wizard.step is None


def test_what_was_finished_opens_only_when_it_is_asked_for(
    engine: BehindWindow, leading: Leading, qtbot: QtBot
) -> None:
    engine.paths.setup.write_text(json.dumps({"version": 1, "finished": True, "steps": {}}))
    with qtbot.assertNotEmitted(leading.finished, wait=300):
        leading.begin()
    assert leading.wizard is None
    leading.open()
    assert opened(leading, qtbot).at == "hello"


def test_language_name_and_personality_are_kept_in_the_settings(
    engine: BehindWindow, leading: Leading, qtbot: QtBot
) -> None:
    leading.open()
    wizard = opened(leading, qtbot)
    hello = wizard.step
    assert isinstance(hello, HelloStep)
    qtbot.waitUntil(lambda: hello.languages.key == "en", timeout=PATIENCE_MS)
    QTest.keyClicks(hello.called, "Emma")
    wizard.go(NAMES.index("personality"))
    step = wizard.step
    assert isinstance(step, PersonalityStep)
    qtbot.waitUntil(lambda: step.cards.key == "personal", timeout=PATIENCE_MS)
    step.cards.cards["playful"].radio.click()
    store = SettingsStore(engine.paths.settings_file)
    qtbot.waitUntil(lambda: store.check().personality.which == "playful", timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: store.check().general.name == "Emma", timeout=PATIENCE_MS)


def test_it_ends_in_a_first_conversation(engine: BehindWindow, leading: Leading, qtbot: QtBot) -> None:
    leading.open()
    wizard = opened(leading, qtbot)
    wizard.go(len(STEPS) - 1)
    step = wizard.step
    assert isinstance(step, TalkStep)
    assert step.button.isEnabled()
    assert "Okay Nabu" in step.say.text()
    engine.wake()
    engine.say("what can you do")
    qtbot.waitUntil(lambda: "what can you do" in step.heard.text().lower(), timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: step.answer.text() != "", timeout=PATIENCE_MS)
    assert wizard.next.text() == step.next_words
    wizard.next.click()
    assert not wizard.isVisible()
    qtbot.waitUntil(
        lambda: (setup := read_setup(engine.paths.setup)) is not None and setup.is_finished, timeout=PATIENCE_MS
    )


def test_who_cannot_speak_now_can_ask_in_writing(leading: Leading, qtbot: QtBot) -> None:
    leading.open()
    wizard = opened(leading, qtbot)
    wizard.go(len(STEPS) - 1)
    step = wizard.step
    assert isinstance(step, TalkStep)
    step.typed.click()
    qtbot.waitUntil(lambda: len(step.answer.text()) > 10, timeout=PATIENCE_MS)


def test_without_models_the_wizard_opens_all_the_same_and_says_what_is_missing(
    engine: BehindWindow, qtbot: QtBot
) -> None:
    engine.fails = ModelMissing("there are no models yet", mend="Bring them in.")
    engine.face.restart()
    bridge, over = Bridge(engine.face), QWidget()
    qtbot.addWidget(over)
    leading = Leading(bridge, over)
    qtbot.waitUntil(lambda: bridge.state.is_stopped_by("start"), timeout=PATIENCE_MS)
    leading.begin()
    wizard = opened(leading, qtbot)
    wizard.go(NAMES.index("brains"))
    brains = wizard.step
    assert isinstance(brains, BrainsStep)
    qtbot.waitUntil(lambda: bool(brains.cards.cards), timeout=PATIENCE_MS)
    assert brains.bring.isVisible()
    assert brains.missing
    wizard.go(len(STEPS) - 1)
    talk = wizard.step
    assert isinstance(talk, TalkStep)
    assert not talk.button.isEnabled()
    assert talk.missing.isVisible()
    wizard.close()
    bridge.close()


# -- models, with a table of answers behind the window


def test_what_is_chosen_is_fetched_and_told_while_one_goes_on(still: Still, qtbot: QtBot) -> None:
    bridge = still(answers=ANSWERS)
    wizard = still_wizard(bridge, "brains", qtbot)
    brains = wizard.step
    qtbot.waitUntil(lambda: brains.cards.key == "good")
    brains.cards.cards["quick"].radio.click()
    brains.cards.cards["good"].radio.click()
    brains.bring.click()
    assert tended(bridge, "models", "pull") == [{"names": ["whisper-base", "piper-en_US-joe-medium", "qwen2.5-1.5b"]}]
    face(bridge).tell(*ON_THE_WAY)
    qtbot.waitUntil(lambda: brains.progress.isVisible())
    assert not brains.bring.isVisible()
    assert not brains.cards.cards["quick"].radio.isEnabled()
    wizard.next.click()
    assert "%" in wizard.background.text()
    wizard.back.click()
    brains.progress._stop.click()
    assert {one["name"] for one in tended(bridge, "models", "cancel")} >= {"qwen2.5-1.5b"}


def test_the_engine_begins_anew_once_the_models_are_here(still: Still, qtbot: QtBot) -> None:
    bridge = still(UiState(engine=Engine.RUNNING, problems=(Fault("there are no models yet", topic="start"),)), ANSWERS)
    wizard = still_wizard(bridge, "brains", qtbot)
    qtbot.waitUntil(lambda: wizard.step.cards.key == "good")
    names = list(wizard.step.missing)
    wizard.next.click()
    face(bridge).tell(*(Progress(f"models.pull {name}", 1, 2) for name in names))
    face(bridge).tell(*(Finished(f"models.pull {name}") for name in names[:-1]))
    qtbot.waitUntil(lambda: "%" in wizard.background.text())
    assert face(bridge).restarts == 0
    face(bridge).tell(Finished(f"models.pull {names[-1]}"))
    qtbot.waitUntil(lambda: face(bridge).restarts == 1)


def test_a_fetch_that_fails_says_why_and_can_be_tried_again(still: Still, qtbot: QtBot) -> None:
    bridge = still(answers=ANSWERS)
    wizard = still_wizard(bridge, "brains", qtbot)
    brains = wizard.step
    qtbot.waitUntil(lambda: brains.cards.key == "good")
    face(bridge).tell(
        *(Finished(f"models.pull {name}", NO_NETWORK.message, NO_NETWORK.mend) for name in brains.missing)
    )
    qtbot.waitUntil(lambda: brains.progress.isVisible())
    assert "cannot be reached" in brains.progress._note.text()
    assert brains.bring.isVisible()
    wizard.next.click()
    assert wizard.background.text()
    assert face(bridge).restarts == 0


@pytest.mark.parametrize("hears", [True, False])
def test_without_a_network_it_says_what_works_already(still: Still, qtbot: QtBot, *, hears: bool) -> None:
    works = {"hears": hears, "answers": False, "speaks": True}
    bridge = still(answers={**ANSWERS, "setup.brains": {**BRAINS, "offline": True, "works": works}})
    wizard = still_wizard(bridge, "brains", qtbot)
    qtbot.waitUntil(lambda: wizard.step.offline.isVisible())
    assert ("timers" in wizard.step.offline._mend.text()) is hears


def test_a_full_disk_is_told_where_the_button_is(still: Still, qtbot: QtBot) -> None:
    full = Fault("the disk is full", "Free some space.")
    bridge = still(answers={**ANSWERS, "models.pull": full})
    wizard = still_wizard(bridge, "brains", qtbot)
    qtbot.waitUntil(lambda: wizard.step.cards.key == "good")
    wizard.step.bring.click()
    qtbot.waitUntil(lambda: wizard.step.notice.isVisible())
    assert "disk is full" in wizard.step.notice.message


def test_an_engine_that_is_starting_is_asked_again(still: Still, qtbot: QtBot) -> None:
    starting = Fault("the companion is starting")
    bridge = still(UiState(engine=Engine.STARTING), {**ANSWERS, "settings.list": starting, "setup.brains": starting})
    wizard = still_wizard(bridge, "hello", qtbot)
    wizard.step.languages.cards["zh"].radio.click()
    face(bridge)._answers = ANSWERS
    qtbot.waitUntil(lambda: "settings.list" in [f"{one.desk}.{one.action}" for one in face(bridge).orders[2:]])
    assert wizard.step.languages.key == "zh", "what was chosen meanwhile stays chosen"
    face(bridge)._answers = {**ANSWERS, "setup.brains": starting}
    wizard.go(NAMES.index("brains"))
    assert not wizard.step.bring.isVisible()
    face(bridge)._answers = ANSWERS
    qtbot.waitUntil(lambda: wizard.step.bring.isVisible(), timeout=PATIENCE_MS)


def test_a_new_user_need_not_wait_for_the_engine(still: Still, qtbot: QtBot) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    leading = Leading(still(UiState(), {}), over)
    leading.begin(standing(Setup({Step.HELLO: Mark.DONE})))
    assert leading.wizard is not None
    assert leading.wizard.at == "sound"
    leading.wizard.close()
    again = Leading(still(UiState(), {}), over)
    again.begin(standing(Setup(is_finished=True)))
    assert again.wizard is None


def test_autostart_is_turned_where_the_desktop_lets_it(still: Still, qtbot: QtBot) -> None:
    bridge = still(answers={**ANSWERS, "desktop.autostart": {"autostart": {"on": False, "place": ""}}})
    wizard = still_wizard(bridge, "privacy", qtbot)
    qtbot.waitUntil(lambda: wizard.step.autostart.isChecked())
    wizard.step.autostart.click()
    assert tended(bridge, "desktop", "autostart") == [{"on": False}]


def test_opening_and_leaving_it_again_and_again_keeps_nothing(still: Still, qtbot: QtBot) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    leading = Leading(still(answers=ANSWERS), over)
    counts = []
    for _ in range(6):
        leading.begin(standing(None))
        assert leading.wizard is not None
        for at in range(len(STEPS)):
            leading.wizard.go(at)
            qtbot.wait(20)
        leading.wizard.close()
        counts.append(len(QApplication.allWidgets()))
    assert counts[-1] == counts[1]


def test_it_goes_on_in_the_language_that_is_chosen(still: Still, qtbot: QtBot) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    leading = Leading(still(answers=ANSWERS), over)
    leading.begin(standing(None))
    before = leading.wizard
    assert before is not None
    assert isinstance(before.step, HelloStep)
    try:
        before.step.languages.cards["zh"].radio.click()
        after = leading.wizard
        assert after is not None
        assert after is not before
        assert after.isVisible()
        assert after.next.text() == "下一步"
        after.close()
    finally:
        speak("en")
