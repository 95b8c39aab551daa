"""The talk page where something goes wrong, and where there is very much of everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from doubles.behind_window import BehindWindow
from doubles.slow_thinker import SlowThinker
from doubles.still import face, tended
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from companion.app.events import EngineEnded, EngineStarted, Problem, Pulse, Solved
from companion.app.turn_notes import Verdict
from companion.compose.entry import Entry, to_line
from companion.model import ChatRole
from companion.ui.bridge import Bridge
from companion.ui.pages.talk.ailment import most_pressing, place_of
from companion.ui.pages.talk.page import TalkPage
from companion.ui.scenes.scene import AWAKE
from companion.ui.state import Engine, Fault
from companion.ui.transcript import Row, Stage, Transcript
from companion.ui.turn_details import TurnDetails, Verdicted
from companion.voice.events import Asked, HeardText, Writing

WAIT = 15_000
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
Still = Callable[..., Bridge]


@pytest.fixture
def shown(still: Still, qtbot: QtBot) -> Callable[..., TalkPage]:
    """Makes a talk page on a bridge to a table of answers."""

    def make(bridge: Bridge) -> TalkPage:
        page = TalkPage(bridge)
        qtbot.addWidget(page)
        page.resize(800, 600)
        page.show()
        page.enter()
        return page

    return make


@pytest.fixture
def long_past(tmp_path: Path) -> Iterator[BehindWindow]:
    """An engine with a conversation of three thousand turns on its disk."""
    behind = BehindWindow(tmp_path / "home")
    lines = []
    for number in range(3_000):
        at = NOON + timedelta(minutes=number)
        lines.append(to_line(Entry.of(ChatRole.USER, f"question {number}", language="en", at=at)))
        lines.append(to_line(Entry.of(ChatRole.ASSISTANT, f"answer {number} " * (1 + number % 9), at=at)))
    (behind.paths.sessions / "default.messages.ndjson").write_text("".join(lines))
    behind.face.start()
    yield behind
    assert behind.face.stop(), "the engine hangs"


def rows(page: TalkPage) -> list[Row]:
    return [page.model.row(place) for place in range(page.model.rowCount())]


def test_three_thousand_turns_are_reached_by_scrolling_in_order_and_without_a_gap(
    long_past: BehindWindow, shown: Callable[..., TalkPage], qtbot: QtBot
) -> None:
    bridge = Bridge(long_past.face)
    page = shown(bridge)
    qtbot.waitUntil(lambda: page.model.rowCount() >= 60, timeout=WAIT)
    assert page.model.rowCount() < 400, "not all of the past is loaded at once"
    while page.model.rowCount() < 3_000:
        before = page.model.rowCount()
        page.view.verticalScrollBar().setValue(0)
        qtbot.waitUntil(lambda before=before: page.model.rowCount() > before, timeout=WAIT)
    assert [row.asked for row in rows(page)] == [f"question {number}" for number in range(3_000)]
    page.leave()
    bridge.close()


def test_a_page_that_opens_while_the_engine_starts_finds_the_past_later(
    still: Still, shown: Callable[..., TalkPage], qtbot: QtBot
) -> None:
    answers: dict[str, object] = {"talk.older": Fault("the companion is starting", "Try again in a moment.")}
    bridge = still(replace(AWAKE, engine=Engine.STARTING, is_ready=False), answers)
    page = shown(bridge)
    qtbot.waitUntil(lambda: len(tended(bridge, "talk", "older")) == 1, timeout=WAIT)
    assert page.notice.isHidden()
    turn = {"at": NOON.isoformat(), "asked": "hello", "said": "Hi."}
    face(bridge)._answers = {"talk.older": {"turns": [turn], "before": 0}}
    qtbot.waitUntil(lambda: [row.asked for row in rows(page)] == ["hello"], timeout=WAIT)


def test_a_note_on_a_full_disk_says_so(still: Still, shown: Callable[..., TalkPage], qtbot: QtBot) -> None:
    row = Row("hello", "Hi.", 3, at=NOON)
    full = Fault("turn-notes.ndjson could not be written: No space left on device", "Free some space.")
    page = shown(still(replace(AWAKE, transcript=Transcript((row,))), {"talk.note": full}))
    page._note(row, Verdicted(Verdict.GOOD))
    qtbot.waitUntil(page.notice.isVisible, timeout=WAIT)
    assert "No space left" in page.notice.message
    assert rows(page)[0].verdict is Verdict.NONE


def test_an_engine_that_ends_in_the_middle_of_an_answer_leaves_what_there_was(
    still: Still, shown: Callable[..., TalkPage], qtbot: QtBot
) -> None:
    bridge = still()
    page = shown(bridge)
    face(bridge).tell(HeardText("tell me a story", "en", final=True), Asked(1, "tell me a story", "en"))
    face(bridge).tell(Writing(1, "Once upon a "), EngineEnded("the model ended unexpectedly"))
    qtbot.waitUntil(lambda: bool(rows(page)) and rows(page)[0].stage is Stage.OVER, timeout=WAIT)
    face(bridge).tell(EngineStarted(), Pulse())
    face(bridge).tell(HeardText("hello", "en", final=True), Asked(1, "hello", "en"), Writing(1, "Hi."))
    qtbot.waitUntil(lambda: len(rows(page)) == 2 and bool(rows(page)[1].answer), timeout=WAIT)
    assert [row.answer for row in rows(page)] == ["Once upon a ", "Hi."]


def test_an_answer_that_was_cut_off_by_a_restart_is_over(tmp_path: Path, qtbot: QtBot) -> None:
    behind = BehindWindow(tmp_path / "home")
    behind.think = SlowThinker("word " * 200, pace=0.1)
    behind.face.start()
    bridge = Bridge(behind.face)
    qtbot.waitUntil(lambda: bridge.state.is_ready and bridge.state.engine is Engine.RUNNING, timeout=WAIT)
    page = TalkPage(bridge)
    qtbot.addWidget(page)
    page.show()
    page.enter()
    page.ask("tell me a story")
    qtbot.waitUntil(lambda: bool(rows(page)) and "word" in rows(page)[-1].answer, timeout=WAIT)
    bridge.restart()
    qtbot.waitUntil(lambda: rows(page)[-1].stage is Stage.OVER, timeout=WAIT)
    qtbot.waitUntil(lambda: bridge.state.is_ready and bridge.state.engine is Engine.RUNNING, timeout=WAIT)
    page.leave()
    bridge.close()
    assert behind.face.stop(), "the engine hangs"


def test_opening_and_closing_details_leaves_nothing_behind(
    still: Still, shown: Callable[..., TalkPage], qtbot: QtBot
) -> None:
    row = Row("hello", "Hi.", 3, at=NOON)
    page = shown(still(replace(AWAKE, transcript=Transcript((row,)))))
    counts = []
    for _ in range(12):
        page.show_details(row)
        assert len(page.drawer.findChildren(TurnDetails)) == 1
        qtbot.keyClick(page.drawer, Qt.Key.Key_Escape)
        assert not page.drawer.is_open
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        counts.append(len(page.findChildren(QWidget)))
    assert len(set(counts[2:])) == 1


def test_what_was_said_is_never_read_as_markup(still: Still, shown: Callable[..., TalkPage]) -> None:
    row = Row("<b>hello</b>", '<a href="https://example.org">Hi</a> <img src="x">', 40, at=NOON)
    page = shown(still(replace(AWAKE, transcript=Transcript((row,)))))
    page.show_details(row)
    (details,) = page.drawer.findChildren(TurnDetails)
    texts = [words.text() for words in details.findChildren(QWidget) if hasattr(words, "textFormat")]
    assert "<b>hello</b>" in texts
    assert all(
        words.textFormat() is Qt.TextFormat.PlainText
        for words in details.findChildren(QWidget)
        if hasattr(words, "textFormat")
    )
    assert "<b>hello</b>" in page.model.spoken(row)


def test_a_microphone_that_is_gone_is_told_with_one_button_and_forgotten_when_it_is_back(
    still: Still, shown: Callable[..., TalkPage], qtbot: QtBot
) -> None:
    bridge = still()
    page = shown(bridge)
    assert page.ailment.isHidden()
    gone = Problem("microphone", "the microphone 'USB Audio' has been unplugged", "plug it in again")
    face(bridge).tell(Problem("memory", "the memory is slow"), gone)
    qtbot.waitUntil(page.ailment.isVisible, timeout=WAIT)
    assert page.ailment.notice.message == "The microphone 'USB Audio' has been unplugged."
    with qtbot.waitSignal(page.wants, timeout=WAIT) as wanted:
        qtbot.mouseClick(page.ailment.notice.button, Qt.MouseButton.LeftButton)
    assert wanted.args == ["settings/sound"]
    face(bridge).tell(Solved("microphone"))
    qtbot.waitUntil(page.ailment.isHidden, timeout=WAIT)


@pytest.mark.parametrize(
    ("topic", "place"),
    [
        ("microphone", "settings/sound"),
        ("voice for zh", "settings/models"),
        ("language model", "settings/models"),
        ("settings", "settings"),
        ("timers", "health"),
        ("memory", None),
        ("start", None),
    ],
)
def test_each_problem_leads_to_where_it_is_mended(topic: str, place: str | None) -> None:
    state = replace(AWAKE, problems=(Fault("it does not work", "", topic),))
    fault = most_pressing(state)
    assert (place_of(fault.topic) if fault else None) == place
