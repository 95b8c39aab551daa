"""Folders and notes are added, searched and taken away on the knowledge page, and the index says how far it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from doubles.behind_window import BehindWindow
from doubles.hands import press, words
from doubles.still import face, tended
from pytestqt.qtbot import QtBot

from companion.app.events import Finished, Progress
from companion.app.minding.index_progress import TASK
from companion.settings.store import SettingsStore
from companion.ui.bridge import Bridge
from companion.ui.pages.knowledge.note_editor import NoteEditor
from companion.ui.pages.knowledge.page import KnowledgePage
from companion.ui.scenes.knowledge_scenes import ANSWERS, BROKEN, EMPTY

PATIENCE_MS = 20_000


@pytest.fixture
def page(bridge: Bridge, qtbot: QtBot) -> KnowledgePage:
    """On the real engine, seen."""
    return seen(KnowledgePage(bridge), qtbot)


def seen(page: KnowledgePage, qtbot: QtBot) -> KnowledgePage:
    qtbot.addWidget(page)
    page.resize(900, 1200)
    page.show()
    qtbot.waitExposed(page)
    page.enter()
    return page


def wait(qtbot: QtBot, until: Callable[[], bool]) -> None:
    qtbot.waitUntil(until, timeout=PATIENCE_MS)


def test_a_folder_is_searched_as_soon_as_it_is_read_and_no_more_when_it_is_dropped(
    page: KnowledgePage, engine: BehindWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    folder.joinpath("bees.md").write_text("# Bees\n\nBees like clover.\n")
    page.add_folder(str(folder))
    wait(qtbot, lambda: "1 file, 1 passage" in words(page.folders) or "1 file(s), 1 passage(s)" in words(page.folders))
    page.trial.field.setText("clover")
    wait(qtbot, lambda: "Bees like clover." in words(page.trial))
    press(page.folders, f"Search {folder} no more")
    wait(qtbot, page.undo.isVisible)
    wait(qtbot, lambda: SettingsStore(engine.paths.settings_file).get("knowledge.folders") == ())
    press(page.undo, "Undo")
    wait(qtbot, lambda: SettingsStore(engine.paths.settings_file).get("knowledge.folders") == (str(folder),))


def test_a_note_is_written_found_opened_changed_removed_and_put_back(page: KnowledgePage, qtbot: QtBot) -> None:
    press(page.notes, "Write a note")
    editor = page.drawer.findChildren(NoteEditor)[-1]
    assert not editor.save.isEnabled()
    editor.name.setText("boiler")
    editor.text.setPlainText("The boiler was serviced in May.")
    press(editor, "Save")
    wait(qtbot, lambda: not page.drawer.is_open and "boiler" in words(page.notes))
    page.trial.field.setText("serviced")
    wait(qtbot, lambda: "in May" in words(page.trial))
    press(page.notes, "boiler")
    wait(qtbot, lambda: page.drawer.is_open)
    editor = page.drawer.findChildren(NoteEditor)[-1]
    assert editor.text.toPlainText() == "The boiler was serviced in May."
    editor.text.setPlainText("The boiler was serviced in June.")
    press(editor, "Save")
    wait(qtbot, lambda: not page.drawer.is_open)
    press(page.notes, "Remove boiler")
    wait(qtbot, lambda: "boiler" not in words(page.notes))
    press(page.undo, "Undo")
    wait(qtbot, lambda: "boiler" in words(page.notes))
    page.trial.field.setText("june")
    wait(qtbot, lambda: "in June" in words(page.trial))


def test_a_note_of_a_name_that_is_taken_says_so_beside_the_fields(page: KnowledgePage, qtbot: QtBot) -> None:
    for text in ("one", "another"):
        press(page.notes, "Write a note")
        editor = page.drawer.findChildren(NoteEditor)[-1]
        editor.name.setText("boiler")
        editor.text.setPlainText(text)
        press(editor, "Save")
        if text == "one":
            wait(qtbot, lambda: not page.drawer.is_open)
    wait(qtbot, lambda: "already" in words(editor))
    assert page.drawer.is_open


def test_a_search_that_finds_nothing_says_so_and_an_empty_one_says_nothing(page: KnowledgePage, qtbot: QtBot) -> None:
    page.trial.field.setText("zeppelin")
    wait(qtbot, lambda: "Nothing fits" in words(page.trial))
    page.trial.field.clear()
    wait(qtbot, lambda: "Nothing fits" not in words(page.trial))


def test_the_index_says_how_far_it_is_and_can_be_stopped(still: Callable[..., Bridge], qtbot: QtBot) -> None:
    bridge = still(answers=ANSWERS)
    page = seen(KnowledgePage(bridge), qtbot)
    assert not page.folders.progress.isVisible()
    face(bridge).tell(Progress(TASK, 84, 276, 140.0, "manual.pdf"))
    wait(qtbot, page.folders.progress.isVisible)
    assert "manual.pdf" in words(page.folders)
    press(page.folders, "Stop")
    assert tended(bridge, "notes", "cancel") == [{}]
    asked = len(tended(bridge, "knowledge", "list"))
    face(bridge).tell(Finished(TASK))
    wait(qtbot, lambda: not page.folders.progress.isVisible())
    assert len(tended(bridge, "knowledge", "list")) > asked
    face(bridge).tell(Finished(TASK, "the disk is full", "free some space"))
    wait(qtbot, lambda: "The disk is full." in words(page.folders))


def test_what_cannot_be_read_is_told_and_where_nothing_is_wrong_nothing_is(
    still: Callable[..., Bridge], qtbot: QtBot
) -> None:
    page = seen(KnowledgePage(still(answers=ANSWERS)), qtbot)
    wait(qtbot, page.troubles.isVisible)
    assert "It is locked with a password." in words(page.troubles)
    empty = seen(KnowledgePage(still(answers=EMPTY)), qtbot)
    wait(qtbot, lambda: "No note yet." in words(empty.notes) and "No folder yet." in words(empty.folders))
    assert not empty.troubles.isVisible()
    broken = seen(KnowledgePage(still(answers=BROKEN)), qtbot)
    wait(qtbot, lambda: broken.notice.isVisible() and "disk does not answer" in broken.notice.message)


def test_many_notes_are_shown_a_few_at_a_time(still: Callable[..., Bridge], qtbot: QtBot) -> None:
    pieces = [{"name": f"note {number}", "file": "", "passages": 1, "problem": ""} for number in range(30)]
    answers = {**ANSWERS, "knowledge.list": {"pieces": pieces, "problems": []}}
    page = seen(KnowledgePage(still(answers=answers)), qtbot)
    wait(qtbot, lambda: "Show 20 more" in words(page.notes))
    press(page.notes, "Show 20 more")
    wait(qtbot, lambda: "note 29" in words(page.notes))
