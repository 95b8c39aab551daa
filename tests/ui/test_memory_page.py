"""On the memory page what is remembered is seen, corrected, joined, pinned and forgotten, and each is taken back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from doubles.behind_window import BehindWindow
from doubles.hands import press
from doubles.still import tended
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from companion.app.orders import Tend
from companion.ui.bridge import Bridge
from companion.ui.days import day_in_words
from companion.ui.pages.memory.fact import Fact, backup_in_words
from companion.ui.pages.memory.fact_row import FactEditor, FactRow
from companion.ui.pages.memory.name_dialog import NameDialog
from companion.ui.pages.memory.page import MemoryPage
from companion.ui.scenes.memory_scenes import ANSWERS, DISK_FULL, EMPTY, FACTS, OFF
from companion.ui.state import Fault
from companion.voice.events import Spoken

PATIENCE_MS = 30_000


@pytest.fixture
def page(engine: BehindWindow, bridge: Bridge, qtbot: QtBot) -> MemoryPage:
    """On the real engine, with something remembered."""
    for text in ("my sister is called Emma", "Emma lives in Rome", "my brother is called Paul", "Paul likes chess"):
        remember(engine, text)
    page = seen(MemoryPage(bridge), qtbot)
    wait(qtbot, lambda: "Emma" in names(page))
    return page


def remember(engine: BehindWindow, text: str) -> None:
    engine.face.order(Tend("memory", "add", {"text": text})).result(timeout=60)


def seen(page: MemoryPage, qtbot: QtBot) -> MemoryPage:
    qtbot.addWidget(page)
    page.resize(1000, 640)
    page.show()
    qtbot.waitExposed(page)
    page.enter()
    return page


def wait(qtbot: QtBot, until: Callable[[], bool]) -> None:
    qtbot.waitUntil(until, timeout=PATIENCE_MS)


def names(page: MemoryPage) -> set[str]:
    return {dot.name for dot in page.stage.view.picture.dots.values()}


def sentences(page: MemoryPage) -> list[str]:
    """Those of the card."""
    return [row.fact.sentence for row in shown(page.card, FactRow)]


def shown(within: QWidget, kind: type[FactRow]) -> list[FactRow]:
    return [row for row in within.findChildren(kind) if row.isVisibleTo(within)]


def choose(page: MemoryPage, name: str, qtbot: QtBot) -> None:
    page.choose(name)
    wait(qtbot, lambda: page.card.isVisible() and page.card.somebody is not None and page.card.somebody.name == name)


def fact(page: MemoryPage, part: str) -> Fact:
    assert page.card.somebody is not None
    return next(one for one in page.card.somebody.facts if part in one.sentence)


def take_back(page: MemoryPage) -> None:
    assert page.undo.isVisible()
    press(page.undo, "Undo")


def test_whoever_is_chosen_is_told_of_in_sentences_with_their_source(page: MemoryPage, qtbot: QtBot) -> None:
    assert page.overview.isVisible()
    choose(page, "Emma", qtbot)
    assert "Emma lives in Rome." in sentences(page)
    assert fact(page, "Rome").source.startswith("You told me on ")
    assert page.stage.view.chosen_id
    QTest.keyClick(page.stage.view, Qt.Key.Key_Escape)
    wait(qtbot, page.overview.isVisible)


def test_a_fact_is_corrected_and_the_correction_is_taken_back(page: MemoryPage, qtbot: QtBot) -> None:
    choose(page, "Emma", qtbot)
    page.card.edit(fact(page, "Rome"))
    editor = page.card.findChildren(FactEditor)[-1]
    editor.fill("Emma", "lives in", "Lyon")
    press(editor, "Save")
    wait(qtbot, lambda: "Emma lives in Lyon." in sentences(page))
    assert "Emma lives in Rome." not in sentences(page)
    assert "You corrected this on " in fact(page, "Lyon").source
    take_back(page)
    wait(qtbot, lambda: "Emma lives in Rome." in sentences(page) and "Emma lives in Lyon." not in sentences(page))
    assert "Lyon" not in names(page)


def test_escape_gives_a_correction_up(page: MemoryPage, qtbot: QtBot) -> None:
    choose(page, "Emma", qtbot)
    page.card.edit(fact(page, "Rome"))
    editor = page.card.findChildren(FactEditor)[-1]
    editor.fill("", "lives in", "Lyon")
    assert not next(one for one in editor.findChildren(QPushButton) if one.text() == "Save").isEnabled()
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    wait(qtbot, lambda: "Emma lives in Rome." in sentences(page))


def test_a_fact_is_pinned(page: MemoryPage, qtbot: QtBot) -> None:
    choose(page, "Emma", qtbot)
    page.card.pinning.emit(fact(page, "Rome"), True)
    wait(qtbot, lambda: fact(page, "Rome").is_pinned)
    take_back(page)
    wait(qtbot, lambda: not fact(page, "Rome").is_pinned)


def test_a_fact_is_forgotten_and_put_back(page: MemoryPage, qtbot: QtBot) -> None:
    choose(page, "Emma", qtbot)
    page.card.forgetting.emit(fact(page, "Rome"))
    wait(qtbot, lambda: "Rome" not in names(page) and "Emma lives in Rome." not in sentences(page))
    take_back(page)
    wait(qtbot, lambda: "Rome" in names(page) and "Emma lives in Rome." in sentences(page))


def test_everything_about_somebody_is_forgotten_and_put_back(page: MemoryPage, qtbot: QtBot) -> None:
    choose(page, "Paul", qtbot)
    page.changing.forget_all("Paul")
    wait(qtbot, lambda: "Paul" not in names(page) and page.overview.isVisible())
    assert {"Emma", "Rome"} <= names(page)
    take_back(page)
    wait(qtbot, lambda: {"Paul", "chess"} <= names(page))


def test_two_are_joined_and_parted_again(page: MemoryPage, qtbot: QtBot) -> None:
    choose(page, "Paul", qtbot)
    page.changing.ask_who_is_the_same("Paul")
    dialog = page.findChildren(NameDialog)[-1]
    dialog.field.setText("Emma")
    press(dialog, "Join them")
    wait(qtbot, lambda: "Paul" not in names(page))
    wait(qtbot, lambda: page.card.somebody is not None and page.card.somebody.name == "Emma")
    take_back(page)
    wait(qtbot, lambda: {"Paul", "Emma"} <= names(page))
    page.changing.join("Paul", "Emma")
    press(page.card, "Part it from “Paul” again")
    wait(qtbot, lambda: {"Paul", "Emma"} <= names(page))


def test_somebody_is_renamed_and_gets_the_old_name_back(page: MemoryPage, qtbot: QtBot) -> None:
    choose(page, "Paul", qtbot)
    page.changing.ask_new_name("Paul")
    dialog = page.findChildren(NameDialog)[-1]
    assert not dialog.button.isEnabled()
    dialog.field.setText("Pavel")
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    wait(qtbot, lambda: "Pavel" in names(page) and "Paul" not in names(page))
    wait(qtbot, lambda: page.card.somebody is not None and page.card.somebody.name == "Pavel")
    take_back(page)
    wait(qtbot, lambda: "Paul" in names(page))


def test_something_is_told_and_found_by_its_name(page: MemoryPage, qtbot: QtBot) -> None:
    field = page.overview.findChild(QLineEdit)
    assert field is not None
    field.setText("my dentist is called Wilma")
    press(page.overview, "Remember")
    wait(qtbot, lambda: "Wilma" in names(page) and page.done.isVisible() and not field.text())
    page.toolbar.field.setText("wil")
    wait(qtbot, lambda: page.toolbar._names.stringList() == ["Wilma"])
    QTest.keyClick(page.toolbar.field, Qt.Key.Key_Return)
    wait(qtbot, lambda: page.card.somebody is not None and page.card.somebody.name == "Wilma")


def test_the_same_is_a_list_that_can_be_searched(page: MemoryPage, qtbot: QtBot) -> None:
    page.toolbar.list.click()
    table = page.table.table
    wait(qtbot, lambda: page.table.model.rowCount() >= 4)
    assert table.isVisible()
    page.toolbar.field.setText("rome")
    wait(qtbot, lambda: page.table.model.rowCount() == 1)
    assert page.table.model.data(page.table.model.index(0, 0)) == "Emma lives in Rome."
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Return)
    wait(qtbot, lambda: page.card.somebody is not None and page.card.somebody.name == "Emma")
    QTest.keyClick(table, Qt.Key.Key_Delete)
    wait(qtbot, lambda: page.table.nothing.isVisible())
    take_back(page)
    wait(qtbot, lambda: page.table.model.rowCount() == 1)
    page.toolbar.picture.click()
    assert page.stage.isVisible()


def test_the_surroundings_of_somebody_are_shown_and_left_again(page: MemoryPage, qtbot: QtBot) -> None:
    everybody = names(page)
    page.go_to("Rome")
    wait(qtbot, lambda: page.stage._whole.isVisible())
    press(page.stage, "Back to the whole picture")
    wait(qtbot, lambda: not page.stage._whole.isVisible() and names(page) == everybody)
    page.go_to("Nobody")
    wait(qtbot, lambda: names(page) == everybody and page._about == "")


def test_the_memory_is_carried_away_and_back(page: MemoryPage, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    page.carrying.export_to(str(file))
    wait(qtbot, lambda: file.exists() and page.done.isVisible())
    assert str(file) in page.done.message
    page.carrying.export_to(str(tmp_path / "picture.svg"))
    wait(qtbot, lambda: (tmp_path / "picture.svg").exists())
    page.carrying.back_up()
    wait(qtbot, lambda: "A backup was made" in page.done.message)
    page.changing.forget_all("Paul")
    wait(qtbot, lambda: "Paul" not in names(page))
    page.carrying.go_back()
    wait(qtbot, lambda: "Paul" in names(page))
    page.carrying.bring_in_from(str(file))
    wait(qtbot, lambda: "were known already" in page.done.message)


def test_what_was_learned_in_a_conversation_appears(
    page: MemoryPage, engine: BehindWindow, bridge: Bridge, qtbot: QtBot
) -> None:
    remember(engine, "my aunt is called Zelda")
    bridge.tell(Spoken("I'll remember that.", whole=True))
    wait(qtbot, lambda: "Zelda" in names(page))


# -- without an engine


def test_nothing_yet_and_no_memory_at_all_are_said_in_words(still: Callable[..., Bridge], qtbot: QtBot) -> None:
    page = seen(MemoryPage(still(answers=EMPTY)), qtbot)
    wait(qtbot, page.nothing.isVisible)
    off = seen(MemoryPage(still(answers=OFF)), qtbot)
    wait(qtbot, lambda: off.notice.isVisible() and "turned off" in off.notice.message)


def test_a_full_disk_is_told_where_it_matters(still: Callable[..., Bridge], qtbot: QtBot) -> None:
    page = seen(MemoryPage(still(answers=DISK_FULL)), qtbot)
    choose(page, "Emma", qtbot)
    page.card.pinning.emit(page.card.somebody.facts[0], True)  # type: ignore[union-attr]
    wait(qtbot, lambda: page.notice.isVisible() and "disk is full" in page.notice.message)
    assert not page.undo.isVisible()


def test_who_may_be_the_same_is_asked(still: Callable[..., Bridge], qtbot: QtBot) -> None:
    bridge = still(answers=ANSWERS)
    page = seen(MemoryPage(bridge), qtbot)
    wait(qtbot, lambda: any(one.text() == "Yes, join them" for one in page.overview.findChildren(QPushButton)))
    press(page.overview, "No")
    press(page.overview, "Yes, join them")
    assert tended(bridge, "graph", "merge") == [{"source": "Tom", "target": "Tomas"}]
    assert tended(bridge, "graph", "different") == [{"one": "Tom", "other": "Tomas"}]


def test_thousands_of_facts_are_fetched_page_by_page(still: Callable[..., Bridge], qtbot: QtBot) -> None:
    bridge = still(answers={**ANSWERS, "graph.list": {"facts": FACTS, "total": 5_000, "offset": 0}})
    page = seen(MemoryPage(bridge), qtbot)
    page.toolbar.list.click()
    wait(qtbot, lambda: page.table.model.rowCount() == len(FACTS))
    page.table.table.scrollToBottom()
    model = page.table.model
    assert model.canFetchMore(model.index(-1, -1))
    model.fetchMore(model.index(-1, -1))
    offsets = [given["offset"] for given in tended(bridge, "graph", "list")]
    assert offsets[:1] == [0]
    assert len(FACTS) in offsets
    model.take({"facts": FACTS, "total": 5_000, "offset": len(FACTS)})
    assert model.rowCount() == 2 * len(FACTS)


def test_a_card_with_much_on_it_shows_a_few_facts_first(still: Callable[..., Bridge], qtbot: QtBot) -> None:
    facts = [{**FACTS[0], "id": number, "sentence": f"Emma likes thing {number}."} for number in range(40)]
    page = seen(MemoryPage(still(answers={**ANSWERS, "graph.card": {"name": "Emma", "facts": facts}})), qtbot)
    choose(page, "Emma", qtbot)
    wait(qtbot, lambda: len(sentences(page)) == 12)
    press(page.card, "Show 28 more")
    wait(qtbot, lambda: len(sentences(page)) == 40)


def test_sources_are_told_in_words() -> None:
    plain = Fact.of(FACTS[0])
    assert plain.source.startswith("You told me on 3 March")
    assert "I am not sure of it." in Fact.of({**FACTS[0], "confidence": 0.3}).source
    assert Fact.of({**FACTS[0], "said_by": "plugin garden"}).source.startswith("The plugin garden told me on ")
    assert Fact.of({**FACTS[0], "said_by": "Emma"}).source.startswith("Emma told me on ")
    ended = Fact.of({**FACTS[0], "status": "superseded", "valid_until": "2025-07-01T12:00:00+00:00"})
    assert "This held until 1 July 2025." in ended.source
    assert day_in_words("2025-07-01T12:00:00+00:00") == "1 July 2025"
    assert backup_in_words("/home/Emma/memory-20250701T120000123456Z.db").startswith("1 July 2025, ")
    assert backup_in_words("elsewhere.db") == "elsewhere.db"


def test_a_fault_of_the_answer_does_not_hide_the_picture(still: Callable[..., Bridge], qtbot: QtBot) -> None:
    page = seen(MemoryPage(still(answers={**ANSWERS, "graph.alike": Fault("the disk does not answer")})), qtbot)
    wait(qtbot, lambda: "Emma" in names(page))
