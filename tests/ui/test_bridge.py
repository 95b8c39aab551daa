"""The door between the window and the engine."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future

import pytest
from doubles.behind_window import BehindWindow
from PySide6.QtCore import QObject, QThread
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from companion.app.control import Answer
from companion.app.events import EngineEnded, EngineStarted, Listener, Problem, Pulse, Raised
from companion.app.orders import Ask, Mute, Order, Status, Tend
from companion.errors import ControlError
from companion.ui import bridge as bridge_room
from companion.ui.bridge import Bridge
from companion.ui.state import Engine, Fault, UiState
from companion.voice.events import Level, State, StateChanged

PATIENCE_MS = 10_000


class Silent:
    """An engine that never answers by itself."""

    def __init__(self) -> None:
        self.asked: list[tuple[Order, Future[Answer]]] = []
        self.listeners: list[Listener] = []
        self.restarts = 0

    def order(self, order: Order) -> Future[Answer]:
        answer: Future[Answer] = Future()
        self.asked.append((order, answer))
        return answer

    def listen(self, listener: Listener) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener) if listener in self.listeners else None

    def restart(self) -> None:
        self.restarts += 1

    def tell(self, *events: object) -> None:
        """From another thread, as an engine does."""

        def run() -> None:
            for event in events:
                for listener in list(self.listeners):
                    listener(event)

        teller = threading.Thread(target=run)
        teller.start()
        teller.join()

    def answer(self, answer: Answer) -> None:
        """From another thread."""
        _, last = self.asked[-1]
        teller = threading.Thread(target=lambda: last.set_result(answer))
        teller.start()
        teller.join()


@pytest.fixture
def silent() -> Silent:
    return Silent()


@pytest.fixture
def to_silent(silent: Silent, qtbot: QtBot) -> Bridge:
    return Bridge(silent)


def test_events_of_another_thread_become_one_state_on_this_one(silent: Silent, to_silent: Bridge, qtbot: QtBot) -> None:
    states: list[UiState] = []
    threads: list[bool] = []
    to_silent.changed.connect(states.append)
    to_silent.changed.connect(lambda _: threads.append(QThread.isMainThread()))

    silent.tell(Pulse(), StateChanged(State.LISTENING))
    qtbot.waitUntil(lambda: bool(states), timeout=PATIENCE_MS)
    states.clear()
    threads.clear()
    silent.tell(Problem("voice", "none"), *(Level(-30.0 - step) for step in range(1000)))
    qtbot.waitUntil(lambda: bool(states), timeout=PATIENCE_MS)
    qtbot.wait(100)

    assert len(states) == 1
    assert states[0].level == -1029.0
    assert states[0].problems == (Fault("none", "", "voice"),)
    assert threads == [True]


def test_pages_hear_single_events_but_no_levels(silent: Silent, to_silent: Bridge, qtbot: QtBot) -> None:
    told: list[object] = []
    to_silent.told.connect(told.append)

    silent.tell(Pulse(), Level(-30.0), Raised(), Problem("voice", "none"))
    qtbot.waitUntil(lambda: len(told) == 2, timeout=PATIENCE_MS)

    assert told == [Raised(), Problem("voice", "none")]


def test_signs_of_life_of_an_engine_that_runs_wake_nobody(
    silent: Silent, to_silent: Bridge, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent.tell(Pulse())
    qtbot.waitUntil(lambda: to_silent.state.engine is Engine.RUNNING, timeout=PATIENCE_MS)
    rung: list[bool] = []
    to_silent._rung.connect(lambda: rung.append(True))
    monkeypatch.setattr(bridge_room, "FROZEN_AFTER_MS", 50)
    qtbot.wait(100)

    silent.tell(*(Pulse() for _ in range(10)))
    to_silent._look()

    assert not rung
    assert to_silent.state.engine is Engine.RUNNING, "but they count"


def test_an_answer_comes_back_on_this_thread(silent: Silent, to_silent: Bridge, qtbot: QtBot) -> None:
    answers: list[tuple[Answer, bool]] = []
    to_silent.tend("memory", "show", {"about": "Emma"}, then=lambda row: answers.append((row, QThread.isMainThread())))
    assert silent.asked[0][0] == Tend("memory", "show", {"about": "Emma"})

    silent.answer({"shown": []})
    qtbot.waitUntil(lambda: bool(answers), timeout=PATIENCE_MS)

    assert answers == [({"shown": []}, True)]


def test_an_answer_reaches_nobody_who_is_gone(silent: Silent, to_silent: Bridge, qtbot: QtBot) -> None:
    called: list[object] = []
    owner = QLabel()
    to_silent.ask(Status(), called.append, failed=called.append, owner=owner)
    owner.deleteLater()
    qtbot.waitUntil(lambda: not _is_there(owner), timeout=PATIENCE_MS)

    silent.answer({})
    qtbot.wait(100)

    assert called == []


def test_a_refusal_is_told_to_whoever_asked_and_else_to_the_window(
    silent: Silent, to_silent: Bridge, qtbot: QtBot
) -> None:
    faults: list[Fault] = []
    complaints: list[Fault] = []
    to_silent.complained.connect(complaints.append)

    to_silent.ask(Mute(True), failed=faults.append)
    silent.asked[-1][1].set_exception(ControlError("not now", mend="Later."))
    to_silent.ask(Mute(True))
    silent.asked[-1][1].set_exception(ValueError("a fault of ours"))
    qtbot.waitUntil(lambda: bool(faults and complaints), timeout=PATIENCE_MS)

    assert faults == [Fault("not now", "Later.")]
    assert "ValueError" in complaints[0].message


def test_an_answer_that_does_not_come_is_told_as_a_fault(
    silent: Silent, to_silent: Bridge, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridge_room, "patience", lambda order: -0.9)
    faults: list[Fault] = []
    answers: list[Answer] = []

    to_silent.ask(Status(), answers.append, failed=faults.append)
    qtbot.waitUntil(lambda: bool(faults), timeout=PATIENCE_MS)
    silent.answer({"late": True})
    qtbot.wait(100)

    assert answers == []
    assert faults[0].message == "The companion does not answer."


def test_an_engine_without_a_sign_of_life_is_shown_as_frozen_and_comes_back(
    silent: Silent, to_silent: Bridge, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridge_room, "FROZEN_AFTER_MS", 300)
    silent.tell(Pulse())
    qtbot.waitUntil(lambda: to_silent.state.engine is Engine.RUNNING, timeout=PATIENCE_MS)

    qtbot.waitUntil(lambda: to_silent.state.engine is Engine.FROZEN, timeout=PATIENCE_MS)
    silent.tell(Pulse())
    qtbot.waitUntil(lambda: to_silent.state.engine is Engine.RUNNING, timeout=PATIENCE_MS)


def test_only_an_ordered_end_lets_the_window_go(silent: Silent, to_silent: Bridge, qtbot: QtBot) -> None:
    left: list[bool] = []
    to_silent.left.connect(lambda: left.append(True))

    silent.tell(Pulse(), EngineEnded("it broke"))
    qtbot.waitUntil(lambda: to_silent.state.engine is Engine.ENDED, timeout=PATIENCE_MS)
    assert left == []

    silent.tell(EngineStarted(), Pulse(), EngineEnded())
    qtbot.waitUntil(lambda: left == [True], timeout=PATIENCE_MS)


def test_after_its_end_it_hears_nothing(silent: Silent, to_silent: Bridge, qtbot: QtBot) -> None:
    told: list[object] = []
    to_silent.told.connect(told.append)

    to_silent.close()
    to_silent.close()
    silent.tell(Raised())
    qtbot.wait(100)

    assert told == []
    assert silent.listeners == []


def test_a_question_is_answered_by_the_real_engine(bridge: Bridge, qtbot: QtBot) -> None:
    answers: list[Answer] = []
    bridge.ask(Ask("what is six times seven"), answers.append)
    qtbot.waitUntil(lambda: bool(answers), timeout=PATIENCE_MS)

    assert answers[0]["text"] == "That's 42."


def test_a_real_engine_that_hangs_is_shown_and_can_be_begun_anew(
    engine: BehindWindow, bridge: Bridge, qtbot: QtBot
) -> None:
    engine.freeze(8.0)
    qtbot.waitUntil(lambda: bridge.state.engine is Engine.FROZEN, timeout=PATIENCE_MS)

    bridge.restart()
    qtbot.waitUntil(lambda: bridge.state.engine is Engine.RUNNING and bridge.state.is_ready, timeout=PATIENCE_MS)

    assert engine.opened == 2


def _is_there(thing: QObject) -> bool:
    from shiboken6 import isValid

    return bool(isValid(thing))
