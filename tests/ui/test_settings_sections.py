"""Personality, voice, models, privacy and plugins are seen and changed, each on its section of the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import keyring
import pytest
from doubles.behind_window import BehindWindow
from doubles.still import tended
from keyring.backends.fail import Keyring as NoKeyring
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QRadioButton
from pytestqt.qtbot import QtBot

from companion.app.plugin_template import new_plugin
from companion.settings.secrets import Secrets
from companion.settings.store import SettingsStore
from companion.ui.bridge import Bridge
from companion.ui.pages.settings.book import Book
from companion.ui.pages.settings.model_row import ModelRow
from companion.ui.pages.settings.models import ModelsSection
from companion.ui.pages.settings.page import SettingsPage
from companion.ui.pages.settings.personality import PersonalitySection
from companion.ui.pages.settings.plugin_card import PluginCard
from companion.ui.pages.settings.plugins import PluginsSection
from companion.ui.pages.settings.privacy import PrivacySection
from companion.ui.pages.settings.voices import VoicesSection
from companion.ui.scenes.scene import AWAKE
from companion.ui.scenes.settings_scenes import ANSWERS, AWAY, COMING, MODELS, SHELF
from companion.ui.state import Fault, Task, UiState
from companion.ui.window import Window

PATIENCE = 10_000

Still = Callable[..., Bridge]


@pytest.fixture(autouse=True)
def _no_keyring() -> Iterator[None]:
    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())
    yield
    keyring.set_keyring(before)


def section_of(kind: type, bridge: Bridge, qtbot: QtBot, state: UiState = AWAKE) -> Any:
    """A section on its own, filled."""
    book = Book(bridge)
    made = kind(bridge, book)
    made.book_kept_alive = book
    qtbot.addWidget(made)
    book.fetch()
    made.resize(760, 900)
    made.show()
    made.entered()
    qtbot.waitUntil(lambda: bool(book.rows), timeout=PATIENCE)
    made.draw(state)
    return made


def opened(window: Window, part: str) -> Any:
    page = window.go(f"settings/{part}")
    assert isinstance(page, SettingsPage)
    return page.section


# -- personality


def test_another_personality_is_chosen_and_counts_at_once(window: Window, engine: BehindWindow, qtbot: QtBot) -> None:
    section = opened(window, "personality")
    qtbot.waitUntil(lambda: section.cards.value == "personal" and "warm" in section._texts, timeout=PATIENCE)
    section.cards.button("warm").click()
    store = SettingsStore(engine.paths.settings_file)
    qtbot.waitUntil(lambda: store.get("personality.which") == "warm", timeout=PATIENCE)
    qtbot.waitUntil(lambda: section.cards.value == "warm", timeout=PATIENCE)


def test_the_user_s_own_text_is_kept_and_what_is_typed_is_not_lost(
    window: Window, engine: BehindWindow, qtbot: QtBot
) -> None:
    section = opened(window, "personality")
    qtbot.waitUntil(lambda: bool(section.text.toPlainText()), timeout=PATIENCE)
    assert not section.save.isEnabled()
    section.text.setPlainText("You are a gardener.")
    with qtbot.waitSignal(section.listed, timeout=PATIENCE):
        section.entered()
    assert section.text.toPlainText() == "You are a gardener."
    section.save.click()
    qtbot.waitUntil(lambda: engine.paths.personal.read_text() == "You are a gardener.\n", timeout=PATIENCE)
    qtbot.waitUntil(lambda: not section.save.isEnabled(), timeout=PATIENCE)


def test_a_personality_is_tried_before_it_counts(still: Still, qtbot: QtBot) -> None:
    bridge = still(AWAKE, ANSWERS)
    section = section_of(PersonalitySection, bridge, qtbot)
    qtbot.waitUntil(section.ask.isEnabled, timeout=PATIENCE)
    section.text.setPlainText("You are a pirate.")
    section.ask.click()
    qtbot.waitUntil(lambda: "tomato soup" in section.answer.text(), timeout=PATIENCE)
    (given,) = tended(bridge, "personality", "preview")
    assert (given["which"], given["text"]) == ("personal", "You are a pirate.")
    section.say.click()
    assert "tomato soup" in str(tended(bridge, "voices", "try")[0]["text"])


# -- voices


def test_a_voice_is_heard_at_the_speed_that_is_set(still: Still, qtbot: QtBot) -> None:
    bridge = still(AWAKE, {**ANSWERS, "settings.list": AWAY})
    section = section_of(VoicesSection, bridge, qtbot)
    qtbot.waitUntil(section.play.isEnabled, timeout=PATIENCE)
    section.play.click()
    (given,) = tended(bridge, "voices", "try")
    assert (given["name"], given["speed"]) == ("auto", 1.2)
    assert "Good morning" in str(given["text"])
    section.cards.button("joe").click()
    qtbot.waitUntil(lambda: bool(tended(bridge, "settings", "set")), timeout=PATIENCE)
    assert tended(bridge, "settings", "set")[0] == {"name": "models.voice", "value": "joe"}
    section.draw(replace(AWAKE, tasks=(Task("voices.try"),)))
    assert not section.stop.isHidden()
    section.stop.click()
    assert tended(bridge, "voices", "stop")


def test_without_a_voice_for_the_language_the_way_to_one_is_shown(still: Still, qtbot: QtBot) -> None:
    answers = {**ANSWERS, "voices.list": {**ANSWERS["voices.list"], "voices": [], "language": "zh"}}
    section = section_of(VoicesSection, still(AWAKE, answers), qtbot)
    qtbot.waitUntil(lambda: not section.notice.isHidden(), timeout=PATIENCE)
    with qtbot.waitSignal(section.wants, timeout=PATIENCE) as wanted:
        section.notice.button.click()
    assert wanted.args == ["settings/models"]


# -- models


def model(section: ModelsSection, name: str) -> ModelRow:
    return next(row for row in section.findChildren(ModelRow) if row.name == name)


def models(still: Still, qtbot: QtBot, state: UiState = AWAKE) -> tuple[Bridge, ModelsSection]:
    bridge = still(state, ANSWERS)
    section = section_of(ModelsSection, bridge, qtbot, state)
    qtbot.waitUntil(lambda: bool(section._rows), timeout=PATIENCE)
    section.draw(state)
    return bridge, section


def test_a_model_on_its_way_shows_how_far_it_is_and_can_be_stopped(still: Still, qtbot: QtBot) -> None:
    bridge, section = models(still, qtbot, COMING)
    row = model(section, "qwen3-1.7b")
    assert not row.progress.isHidden()
    assert "4 minute" in row.progress._note.text()
    assert row.get.isHidden()
    row.progress._stop.click()
    assert tended(bridge, "models", "cancel") == [{"name": "qwen3-1.7b"}]


def test_models_are_brought_checked_chosen_and_removed_only_when_asked_twice(still: Still, qtbot: QtBot) -> None:
    bridge, section = models(still, qtbot)
    model(section, "joe").get.click()
    assert tended(bridge, "models", "pull") == [{"names": ["joe"]}]
    here = model(section, "smollm2-135m")
    here.check.click()
    assert tended(bridge, "models", "verify") == [{"name": "smollm2-135m"}]
    assert here.really.isHidden()
    here.remove.click()
    assert tended(bridge, "models", "remove") == []
    here.really.click()
    assert tended(bridge, "models", "remove") == [{"name": "smollm2-135m"}]


def test_what_is_missing_to_begin_with_is_brought_by_one_click(still: Still, qtbot: QtBot) -> None:
    bridge, section = models(still, qtbot)
    assert not section.starters.isHidden()
    section.starters.click()
    assert tended(bridge, "models", "pull") == [{}]


def test_a_pull_that_failed_says_why_and_can_be_begun_again(still: Still, qtbot: QtBot) -> None:
    task = Task("models.pull joe", is_over=True, fault=Fault("no source could be reached"))
    _, section = models(still, qtbot, replace(AWAKE, tasks=(task,)))
    row = model(section, "joe")
    assert row._outcome.text() == "No source could be reached."
    assert not row.get.isHidden()


def test_a_model_that_is_here_can_be_chosen(still: Still, qtbot: QtBot) -> None:
    rows = [row | {"is_chosen": False} if row["name"] == "whisper-base" else row for row in MODELS]
    bridge = still(AWAKE, {**ANSWERS, "models.list": {**SHELF, "models": rows}})
    section = section_of(ModelsSection, bridge, qtbot)
    qtbot.waitUntil(lambda: bool(section._rows), timeout=PATIENCE)
    model(section, "whisper-base").use.click()
    assert tended(bridge, "settings", "set") == [{"name": "models.recogniser", "value": "whisper-base"}]


def test_the_real_shelf_is_listed_and_an_empty_one_too(window: Window, qtbot: QtBot) -> None:
    section = opened(window, "models")
    qtbot.waitUntil(lambda: bool(section._rows), timeout=PATIENCE)
    assert not section.starters.isHidden()
    assert all(row.remove.isHidden() for row in section._rows.values())


# -- privacy


def test_everything_stays_here_until_a_provider_may_be_asked(
    window: Window, engine: BehindWindow, qtbot: QtBot
) -> None:
    section = opened(window, "privacy")
    qtbot.waitUntil(lambda: "stays on this computer" in section.promise.text(), timeout=PATIENCE)
    step = section.steps["language model"]
    assert step.test.isHidden()
    section.book.set("cloud.language_model", "local_first")
    qtbot.waitUntil(lambda: step.may_leave and not step.test.isHidden(), timeout=PATIENCE)
    assert "your questions" in section.promise.text()
    assert not step.test.isEnabled()
    step.providers.setCurrentIndex(step.providers.findData("openai"))
    step.model.setText("gpt-test")
    step.model.editingFinished.emit()
    store = SettingsStore(engine.paths.settings_file)
    qtbot.waitUntil(lambda: store.get("cloud.chat_model") == "openai/gpt-test", timeout=PATIENCE)
    qtbot.waitUntil(step.test.isEnabled, timeout=PATIENCE)


def test_a_key_is_entered_kept_and_never_shown_again(window: Window, engine: BehindWindow, qtbot: QtBot) -> None:
    section = opened(window, "privacy")
    qtbot.waitUntil(lambda: "openai" in section._known, timeout=PATIENCE)
    assert section._providers == {}
    section.all_keys.click()
    row = section._providers["openai"]
    row.enter.click()
    assert row.field.echoMode() is QLineEdit.EchoMode.Password
    qtbot.keyClicks(row.field, "sk-secret")
    row.save.click()
    assert row.field.text() == ""
    secrets = Secrets(engine.paths.secrets_file)
    qtbot.waitUntil(lambda: row.has_key, timeout=PATIENCE)
    assert secrets.get("provider/openai") == "sk-secret"
    row.forget.click()
    qtbot.waitUntil(lambda: not row.has_key, timeout=PATIENCE)
    assert secrets.get("provider/openai") is None


def test_a_try_says_what_came_of_it_and_what_went_wrong(still: Still, qtbot: QtBot) -> None:
    answer = {**ANSWERS["cloud.list"], "seconds": 0.8, "said": "Hello there."}
    answers = {**ANSWERS, "settings.list": AWAY, "cloud.test": answer}
    section = section_of(PrivacySection, still(AWAKE, answers), qtbot)
    step = section.steps["language model"]
    qtbot.waitUntil(step.test.isEnabled, timeout=PATIENCE)
    step.test.click()
    qtbot.waitUntil(lambda: "0.8 s" in step.outcome.text(), timeout=PATIENCE)
    assert "Hello there." in step.outcome.text()
    answers = {**answers, "cloud.test": Fault("the key was refused", "Enter it anew.")}
    section = section_of(PrivacySection, still(AWAKE, answers), qtbot)
    step = section.steps["language model"]
    qtbot.waitUntil(step.test.isEnabled, timeout=PATIENCE)
    with qtbot.waitSignal(section.complained, timeout=PATIENCE) as told:
        step.test.click()
    assert told.args[0].message == "the key was refused"


def test_what_has_left_is_told_by_size_and_place(still: Still, qtbot: QtBot) -> None:
    state = replace(AWAKE, sent=(("api.openai.com", 48_200),))
    section = section_of(PrivacySection, still(state, ANSWERS), qtbot, state)
    assert "api.openai.com" in section._sent.text()
    section.draw(AWAKE)
    assert "nothing has left" in section._sent.text()


# -- plugins


def test_a_plugin_of_the_user_is_turned_on_and_off(window: Window, engine: BehindWindow, qtbot: QtBot) -> None:
    new_plugin(engine.paths.plugins, "my-plugin")
    section = opened(window, "plugins")
    qtbot.waitUntil(lambda: "my-plugin" in section._cards, timeout=PATIENCE)
    card: PluginCard = section._cards["my-plugin"]
    assert not card.switch.isChecked()
    qtbot.mouseClick(card.switch, Qt.MouseButton.LeftButton)
    if not card.go.isHidden():
        card.go.click()
    qtbot.waitUntil(lambda: card._row["status"] == "enabled", timeout=PATIENCE)
    assert card.switch.isChecked()
    qtbot.mouseClick(card.switch, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: card._row["status"] == "off", timeout=PATIENCE)
    assert "clock" in section._ours.text()


def test_what_a_plugin_asks_for_is_granted_one_by_one(still: Still, qtbot: QtBot) -> None:
    bridge = still(AWAKE, {**ANSWERS, "plugins.enable": ANSWERS["plugins.list"]["plugins"][1]})
    section = section_of(PluginsSection, bridge, qtbot)
    qtbot.waitUntil(lambda: "diary" in section._cards, timeout=PATIENCE)
    card = section._cards["diary"]
    qtbot.mouseClick(card.switch, Qt.MouseButton.LeftButton)
    assert tended(bridge, "plugins", "enable") == []
    assert not card.go.isHidden()
    assert [box.isChecked() for box in card.boxes.values()] == [False, False]
    card.boxes["files"].setChecked(True)
    card.go.click()
    assert tended(bridge, "plugins", "enable") == [{"name": "diary", "allow": ["files"]}]


def test_a_permission_nobody_knows_is_shown_letter_for_letter(qtbot: QtBot) -> None:
    card = PluginCard("diary")
    qtbot.addWidget(card)
    row = {"description": "", "version": "", "status": "off", "reason": "", "left_alone": False, "may": []}
    card.show_plugin({**row, "asks_for": ["R&D"]})

    assert card.boxes["R&D"].text() == "R&&D"
    assert card.boxes["R&D"].accessibleName() == "R&D"
    assert card.boxes["R&D"].shortcut().isEmpty()


def test_a_plugin_that_is_left_off_stays_off(still: Still, qtbot: QtBot) -> None:
    bridge = still(AWAKE, ANSWERS)
    section = section_of(PluginsSection, bridge, qtbot)
    qtbot.waitUntil(lambda: "diary" in section._cards, timeout=PATIENCE)
    card = section._cards["diary"]
    qtbot.mouseClick(card.switch, Qt.MouseButton.LeftButton)
    card.leave.click()
    assert not card.switch.isChecked()
    assert tended(bridge, "plugins", "enable") == []
    assert "line 12" in section._cards["lights"]._state.text()


def test_choices_are_made_by_keyboard(still: Still, qtbot: QtBot) -> None:
    bridge = still(AWAKE, ANSWERS)
    section = section_of(PersonalitySection, bridge, qtbot)
    qtbot.waitUntil(lambda: "warm" in section._texts, timeout=PATIENCE)
    button: QRadioButton = section.cards.button("warm")
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert {"name": "personality.which", "value": "warm"} in tended(bridge, "settings", "set")
