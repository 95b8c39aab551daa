"""Every setting is found, explained, changed at once or said to wait, and taken back; on the real engine."""

from __future__ import annotations

import pytest
from doubles.behind_window import BehindWindow
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from companion.errors import ModelMissing
from companion.settings.describe import described
from companion.settings.store import SettingsStore
from companion.ui.pages.settings.contents import PARTS
from companion.ui.pages.settings.everything import Everything
from companion.ui.pages.settings.page import SettingsPage
from companion.ui.pages.settings.setting_row import SettingRow
from companion.ui.pages.settings.words import all_words
from companion.ui.state import Engine
from companion.ui.widgets import Switch
from companion.ui.window import Window

PATIENCE = 10_000


@pytest.fixture
def page(window: Window, qtbot: QtBot) -> SettingsPage:
    made = window.go("settings/everything")
    assert isinstance(made, SettingsPage)
    section = made.section
    assert isinstance(section, Everything)
    qtbot.waitUntil(lambda: section.found == list(described()), timeout=PATIENCE)
    return made


def row_of(page: SettingsPage, name: str) -> SettingRow:
    assert page.section is not None
    return next(row for row in page.section.findChildren(SettingRow) if row.name == name and not row.isHidden())


def test_every_setting_has_words_and_every_word_a_setting() -> None:
    assert set(all_words()) == set(described())
    for words in all_words().values():
        assert words.name
        assert words.explanation.endswith((".", "?"))


def test_all_settings_are_shown_with_a_control_that_has_a_name(page: SettingsPage, qtbot: QtBot) -> None:
    assert isinstance(page.section, Everything)
    assert page.section.found == list(described())
    for name in described():
        control = row_of(page, name).control
        assert control is not None
        assert control.inner.accessibleName() == all_words()[name].name
        assert control.inner.accessibleDescription() == all_words()[name].explanation


def test_a_change_counts_at_once_and_is_taken_back(page: SettingsPage, engine: BehindWindow, qtbot: QtBot) -> None:
    switch = row_of(page, "turn.barge_in").findChild(Switch)
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton)
    store = SettingsStore(engine.paths.settings_file)
    qtbot.waitUntil(lambda: store.get("turn.barge_in") is False, timeout=PATIENCE)
    qtbot.waitUntil(page.undo.isVisible, timeout=PATIENCE)
    assert page.restart.isHidden()
    page.undo._button.click()
    qtbot.waitUntil(lambda: store.get("turn.barge_in") is True, timeout=PATIENCE)
    qtbot.waitUntil(switch.isChecked, timeout=PATIENCE)


def test_what_counts_after_a_restart_is_said_and_the_restart_makes_it_count(
    page: SettingsPage, engine: BehindWindow, qtbot: QtBot
) -> None:
    page.book.set("models.speed", "1.2")
    qtbot.waitUntil(lambda: not page.restart.isHidden(), timeout=PATIENCE)
    assert "fast" in page.restart.message
    began = engine.opened
    page.restart.button.click()
    qtbot.waitUntil(lambda: engine.opened > began and page.bridge.state.engine is Engine.RUNNING, timeout=PATIENCE)
    qtbot.waitUntil(page.restart.isHidden, timeout=PATIENCE)
    qtbot.waitUntil(lambda: page.book.value("models.speed") == "1.2", timeout=PATIENCE)


def test_a_value_that_is_not_allowed_is_told_beside_its_field(page: SettingsPage, qtbot: QtBot) -> None:
    row = row_of(page, "history.session")
    row = row_of(page, "desktop.talk_key")
    field = row.findChild(QLineEdit)
    field.setFocus()
    field.setText("not a key!")
    field.editingFinished.emit()
    qtbot.waitUntil(lambda: "desktop.talk_key" in row._fault.text() or bool(row._fault.text()), timeout=PATIENCE)
    assert not row._fault.isHidden()
    assert page.book.value("desktop.talk_key") == ""


def test_a_changed_setting_goes_back_to_what_is_usual(page: SettingsPage, engine: BehindWindow, qtbot: QtBot) -> None:
    row = row_of(page, "sound.volume")
    assert row._back.isHidden()
    page.book.set("sound.volume", "0.5")
    qtbot.waitUntil(lambda: not row._back.isHidden(), timeout=PATIENCE)
    row._back.click()
    qtbot.waitUntil(lambda: page.book.value("sound.volume") == "0.8", timeout=PATIENCE)
    assert not SettingsStore(engine.paths.settings_file).holds("sound.volume")


def test_a_search_finds_settings_by_what_they_are_called_and_do(page: SettingsPage, qtbot: QtBot) -> None:
    page.open_at("voices")
    page.search.setText("silence sentence")
    qtbot.waitUntil(lambda: isinstance(page.section, Everything), timeout=PATIENCE)
    assert isinstance(page.section, Everything)
    assert "turn.complete_silence" in page.section.found
    assert "sound.volume" not in page.section.found
    everything = page.section
    qtbot.keyClick(page.search, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: page.section is not everything, timeout=PATIENCE)
    assert everything.found == list(described())


def test_a_search_finds_sections_too(page: SettingsPage, qtbot: QtBot) -> None:
    page.search.setText("microphone")
    found = page.section
    assert isinstance(found, Everything)
    qtbot.waitUntil(lambda: len(found.places) == 1, timeout=PATIENCE)
    page.search.setText("gibberish")
    qtbot.waitUntil(lambda: found.found == [] and not found._nothing.isHidden(), timeout=PATIENCE)
    page.search.setText("microphone")
    qtbot.waitUntil(lambda: len(found.places) == 1, timeout=PATIENCE)
    found.places[0].click()
    assert page.search.text() == ""
    assert page.section is not None
    assert page.section.accessibleName() == "Sound"


def test_what_others_change_is_shown(page: SettingsPage, engine: BehindWindow, qtbot: QtBot) -> None:
    SettingsStore(engine.paths.settings_file).set("sound.volume", "0.3")
    page.bridge.tend("settings", "adopt")
    qtbot.waitUntil(lambda: page.book.value("sound.volume") == "0.3", timeout=PATIENCE)


def test_a_file_that_was_broken_by_hand_is_told_until_it_is_mended(
    page: SettingsPage, engine: BehindWindow, qtbot: QtBot
) -> None:
    before = engine.paths.settings_file.read_text()
    engine.paths.settings_file.write_text("[sound\n")
    page.book.fetch()
    qtbot.waitUntil(lambda: page.book.problem is not None, timeout=PATIENCE)
    assert "settings.toml line 1" in page.notice.message
    engine.paths.settings_file.write_text(before)
    page.book.fetch()
    qtbot.waitUntil(lambda: page.book.problem is None, timeout=PATIENCE)
    assert page.notice.isHidden()


@pytest.mark.parametrize("part", [part.name for part in PARTS])
def test_every_section_opens_by_name_and_by_the_list(page: SettingsPage, window: Window, part: str) -> None:
    window.go(f"settings/{part}")
    assert page.section is not None
    assert page.section.accessibleName()
    assert page.list.currentItem().data(Qt.ItemDataRole.UserRole) == part


def test_sections_are_opened_by_keyboard(page: SettingsPage, window: Window, qtbot: QtBot) -> None:
    window.go("settings/general")
    page.list.setFocus()
    qtbot.keyClick(page.list, Qt.Key.Key_Down)
    assert page.list.currentItem().data(Qt.ItemDataRole.UserRole) == PARTS[1].name
    assert page.section is not None
    assert page.section.accessibleName() == PARTS[1].shown


def test_a_page_that_is_opened_while_the_companion_starts_is_filled_when_it_is_there(
    window: Window, engine: BehindWindow, qtbot: QtBot
) -> None:
    window.go("talk")
    window._bridge.restart()
    page = window.go("settings/models")
    assert isinstance(page, SettingsPage)
    qtbot.waitUntil(lambda: bool(page.book.rows), timeout=PATIENCE)
    assert page.notice.isHidden()


def test_without_models_the_settings_work_all_the_same(window: Window, engine: BehindWindow, qtbot: QtBot) -> None:
    engine.fails = ModelMissing("there are no models yet")
    window._bridge.restart()
    qtbot.waitUntil(lambda: window._bridge.state.is_stopped_by("start"), timeout=PATIENCE)
    page = window.go("settings/general")
    assert isinstance(page, SettingsPage)
    qtbot.waitUntil(lambda: bool(page.book.rows), timeout=PATIENCE)
    page.book.set("general.name", "Emma")
    store = SettingsStore(engine.paths.settings_file)
    qtbot.waitUntil(lambda: store.get("general.name") == "Emma", timeout=PATIENCE)


def test_a_number_is_shown_without_digits_that_say_nothing(page: SettingsPage) -> None:
    box = row_of(page, "wake.follow_up").control.inner

    for value, shown in ((6.0, "6 s"), (0.25, "0.25 s"), (1.5, "1.5 s")):
        box.setValue(value)
        assert box.text() == shown
