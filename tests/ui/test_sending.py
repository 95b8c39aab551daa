"""What was chosen is kept in order, though the companion is only starting and who chose it has gone meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from companion.app.orders import STARTING, Tend
from companion.ui import sending
from companion.ui.bridge import Bridge
from companion.ui.scenes.scene import StillFace
from companion.ui.state import Engine, Fault, UiState

Still = Callable[..., Bridge]
PATIENCE_MS = 10_000


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "AGAIN_MS", 10)


def face(bridge: Bridge) -> StillFace:
    assert isinstance(bridge._face, StillFace)
    return bridge._face


def sent(bridge: Bridge) -> list[object]:
    return [one.given["value"] for one in face(bridge).orders if isinstance(one, Tend)]


def test_what_is_chosen_before_the_engine_is_there_is_kept_once_it_is(still: Still, qtbot: QtBot) -> None:
    bridge = still(UiState(engine=Engine.STARTING), {"settings.set": Fault(STARTING)})
    complained: list[Fault] = []
    bridge.complained.connect(complained.append)
    for value in ("one", "two", "three"):
        bridge.send("settings", "set", {"value": value})
    qtbot.waitUntil(lambda: len(sent(bridge)) > 3, timeout=PATIENCE_MS)
    assert set(sent(bridge)) == {"one"}, "the first is to be kept first"

    face(bridge).orders.clear()
    face(bridge)._answers = {"settings.set": {}}
    qtbot.waitUntil(lambda: "three" in sent(bridge), timeout=PATIENCE_MS)

    assert sent(bridge) == ["one", "two", "three"]
    assert not complained


def test_what_cannot_be_kept_is_told_to_who_chose_it_else_by_the_window(still: Still, qtbot: QtBot) -> None:
    bridge = still(answers={"settings.set": Fault("no such setting")})
    told: list[Fault] = []
    complained: list[Fault] = []
    bridge.complained.connect(complained.append)
    owner = QObject()

    bridge.send("settings", "set", {"value": "one"}, failed=told.append, owner=owner)
    qtbot.waitUntil(lambda: len(told) == 1, timeout=PATIENCE_MS)
    delete(owner)
    bridge.send("settings", "set", {"value": "two"}, failed=told.append, owner=owner)

    qtbot.waitUntil(lambda: len(complained) == 1, timeout=PATIENCE_MS)
    assert len(told) == 1


def test_an_engine_that_never_starts_is_not_asked_for_ever(
    still: Still, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "MOST_TRIES", 3)
    bridge = still(UiState(engine=Engine.STARTING), {"settings.set": Fault(STARTING)})
    complained: list[Fault] = []
    bridge.complained.connect(complained.append)

    bridge.send("settings", "set", {"value": "one"})

    qtbot.waitUntil(lambda: len(complained) == 1, timeout=PATIENCE_MS)
    assert sent(bridge) == ["one"] * 3
