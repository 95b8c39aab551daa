"""The talk page on the real engine: what is said and typed, searched, judged, and stopped."""

from __future__ import annotations

from pathlib import Path

import pytest
from doubles.behind_window import BehindWindow
from doubles.slow_thinker import SlowThinker
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from companion.app.orders import Ask, Hush
from companion.app.turn_notes import TurnNotes, Verdict
from companion.ui.bridge import Bridge
from companion.ui.pages.talk.page import TalkPage
from companion.ui.state import Engine
from companion.ui.transcript import Row, Stage
from companion.ui.turn_details import TurnDetails
from companion.ui.widgets import Button, IconButton
from companion.ui.window import Window

WAIT = 15_000
STORY = "Once upon a time there was a companion. It listened and it spoke. Then it was told to be quiet."


@pytest.fixture
def page(window: Window) -> TalkPage:
    page = window.go("talk")
    assert isinstance(page, TalkPage)
    return page


@pytest.fixture
def thinking(tmp_path: Path, qtbot: QtBot) -> object:
    """An engine that thinks slowly, and the page on it."""
    behind = BehindWindow(tmp_path / "thinking")
    behind.think = SlowThinker(STORY, pace=0.1)
    behind.face.start()
    bridge = Bridge(behind.face)
    qtbot.waitUntil(lambda: bridge.state.is_ready and bridge.state.engine is Engine.RUNNING, timeout=WAIT)
    window = Window(bridge)
    qtbot.addWidget(window)
    window.show()
    yield behind, window.go("talk")
    bridge.close()
    window.hide()
    assert behind.face.stop(), "the engine hangs"


def rows(page: TalkPage) -> list[Row]:
    return [page.model.row(place) for place in range(page.model.rowCount())]


def type_in(page: TalkPage, qtbot: QtBot, text: str) -> None:
    page.foot.box.setPlainText(text)
    qtbot.keyClick(page.foot.box, Qt.Key.Key_Return)


def test_a_new_conversation_offers_three_things_to_try(page: TalkPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page.beginning.isVisible(), timeout=WAIT)
    offered = page.beginning.findChildren(Button)
    assert len(offered) == 3
    qtbot.mouseClick(offered[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(rows(page)) and rows(page)[-1].stage is Stage.OVER, timeout=WAIT)
    assert rows(page)[-1].asked == offered[0].text()
    assert page.view.isVisible()


def test_what_is_said_appears_and_is_answered(page: TalkPage, engine: BehindWindow, qtbot: QtBot) -> None:
    engine.wake()
    engine.say("what is six times seven")
    qtbot.waitUntil(lambda: any(row.record is not None for row in rows(page)), timeout=WAIT)
    (row,) = rows(page)
    assert (row.asked, row.answer, row.interrupted) == ("what is six times seven", "That's 42.", False)


def test_what_is_typed_is_answered_under_it(page: TalkPage, qtbot: QtBot) -> None:
    type_in(page, qtbot, "what is six times seven")
    assert page.foot.box.toPlainText() == ""
    qtbot.waitUntil(lambda: any(row.record is not None for row in rows(page)), timeout=WAIT)
    assert [(row.asked, row.answer) for row in rows(page)] == [("what is six times seven", "That's 42.")]


def test_an_answer_grows_while_it_is_written_and_can_be_stopped(thinking: tuple, qtbot: QtBot) -> None:
    _, page = thinking
    type_in(page, qtbot, "tell me a story")
    qtbot.waitUntil(lambda: bool(rows(page)) and rows(page)[-1].answer.startswith("Once upon"), timeout=WAIT)
    assert rows(page)[-1].stage is Stage.ANSWERING
    assert page.foot.stop.isVisible()
    qtbot.mouseClick(page.foot.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: rows(page)[-1].stage is Stage.OVER, timeout=WAIT)
    assert rows(page)[-1].interrupted
    assert len(rows(page)[-1].answer) < len(STORY)


def test_speaking_is_paused_and_resumed(page: TalkPage, bridge: Bridge, engine: BehindWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(page.foot.hush, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bridge.state.hushed, timeout=WAIT)
    assert page.foot.hush.accessibleName() == "Speak answers again"
    engine.wake()
    engine.say("what is six times seven")
    qtbot.waitUntil(lambda: any(row.answer for row in rows(page)), timeout=WAIT)
    assert engine.voice.said == []
    bridge.ask(Hush(on=False))
    qtbot.waitUntil(lambda: not page.foot.hush.isChecked(), timeout=WAIT)


def test_a_click_on_the_orb_listens_and_escape_stops(page: TalkPage, bridge: Bridge, qtbot: QtBot) -> None:
    qtbot.mouseClick(page.foot.orb, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bridge.state.phase == "listening", timeout=WAIT)
    qtbot.waitUntil(lambda: page.foot.stop.isVisible(), timeout=WAIT)
    qtbot.keyClick(page.view, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: bridge.state.phase == "asleep", timeout=WAIT)


def test_space_held_down_talks_until_it_is_let_go(
    page: TalkPage, bridge: Bridge, engine: BehindWindow, qtbot: QtBot
) -> None:
    page.search.setFocus()
    page.setFocus()
    qtbot.keyPress(page, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: bridge.state.phase in ("listening", "hearing"), timeout=WAIT)
    engine.say("what is six times seven")
    qtbot.wait(500)
    qtbot.keyRelease(page, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: any(row.answer == "That's 42." for row in rows(page)), timeout=WAIT)


def test_the_past_is_there_when_the_window_opens_and_is_not_shown_twice(
    engine: BehindWindow, bridge: Bridge, qtbot: QtBot
) -> None:
    done: list[object] = []
    for question in ("what is six times seven", "what is six times eight"):
        bridge.ask(Ask(question), done.append)
    qtbot.waitUntil(lambda: len(done) == 2, timeout=WAIT)
    qtbot.waitUntil(lambda: [bool(row.record) for row in bridge.state.transcript.rows] == [True, True], timeout=WAIT)
    fresh = Bridge(engine.face)
    qtbot.waitUntil(lambda: fresh.state.engine is Engine.RUNNING, timeout=WAIT)
    for shown, among in ((bridge, bridge.state.transcript.rows), (fresh, ())):
        page = TalkPage(shown)
        qtbot.addWidget(page)
        page.show()
        page.enter()
        qtbot.waitUntil(lambda page=page: page.model.rowCount() >= 2, timeout=WAIT)
        assert sorted(row.answer for row in rows(page)) == ["That's 42.", "That's 48."]
        assert len(page.model._live) == len(among)
        page.leave()
    fresh.close()


def test_words_are_searched_and_the_conversation_comes_back(page: TalkPage, bridge: Bridge, qtbot: QtBot) -> None:
    done: list[object] = []
    for question in ("what is six times seven", "what is two plus two"):
        bridge.ask(Ask(question), done.append)
    qtbot.waitUntil(lambda: len(done) == 2, timeout=WAIT)
    page.search.setText("plus")
    qtbot.waitUntil(lambda: page.results.isVisible(), timeout=WAIT)
    assert [page.found.row(place).asked for place in range(page.found.rowCount())] == ["what is two plus two"]
    qtbot.keyClick(page.search, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: page.view.isVisible(), timeout=WAIT)
    page.search.setText("dinosaurs")
    qtbot.waitUntil(lambda: page.results.isVisible() and page._count.text() == "Nothing was found.", timeout=WAIT)


def test_a_turn_that_was_wrong_is_noted_with_what_would_have_been_right(
    page: TalkPage, engine: BehindWindow, qtbot: QtBot
) -> None:
    type_in(page, qtbot, "what is six times seven")
    qtbot.waitUntil(lambda: any(row.record is not None for row in rows(page)), timeout=WAIT)
    page.show_details(rows(page)[0])
    (details,) = page.drawer.findChildren(TurnDetails)
    wrong = next(button for button in details.findChildren(Button) if button.text() == "That was wrong")
    qtbot.mouseClick(wrong, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(details._note, "it is 43")
    qtbot.keyClick(details._note, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: rows(page)[0].note == "it is 43", timeout=WAIT)
    note = TurnNotes(engine.paths.turn_notes).all()[-1]
    assert (note.verdict, note.asked, note.note) == (Verdict.WRONG, "what is six times seven", "it is 43")
    good = next(button for button in details.findChildren(IconButton) if button.accessibleName() == "A good answer")
    qtbot.mouseClick(good, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: rows(page)[0].verdict is Verdict.GOOD, timeout=WAIT)


def test_a_turn_is_copied(page: TalkPage, qtbot: QtBot) -> None:
    type_in(page, qtbot, "what is six times seven")
    qtbot.waitUntil(lambda: any(row.record is not None for row in rows(page)), timeout=WAIT)
    page.view.setFocus()
    page.view.setCurrentIndex(page.model.index(0, 0))
    page._copy_current()
    assert QGuiApplication.clipboard().text() == "what is six times seven\nThat's 42."


def test_a_question_that_has_no_answer_says_so_in_its_row(page: TalkPage, qtbot: QtBot) -> None:
    type_in(page, qtbot, "tell me about the sea")
    qtbot.waitUntil(lambda: bool(rows(page)) and rows(page)[0].stage is Stage.OVER, timeout=WAIT)
    assert "language model" in rows(page)[0].answer
