"""What the tests of the window need: the real engine with scripted models behind it, a bridge to it, and the window.

``engine`` is a real ``Face`` on a thread of its own; its ears, senses and models are doubles. ``still`` is a bridge
to a table of answers, for tests of how something is drawn.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from doubles.behind_window import BehindWindow
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from companion.app.control import Answer
from companion.ui.bridge import Bridge
from companion.ui.dress import chosen_look, wear
from companion.ui.scenes.scene import AWAKE, StillFace
from companion.ui.state import Engine, Fault, UiState
from companion.ui.window import Window

# Before the application is made: a test opens no window on anybody's screen, and needs none.
os.environ["QT_QPA_PLATFORM"] = "offscreen"

PATIENCE_MS = 10_000
"""Milliseconds a test waits for what must come."""


@pytest.fixture(scope="session", autouse=True)
def _old_things_rest() -> Iterator[None]:
    """What all the other tests have brought into memory is not looked through again after each test of a window."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def _tidy() -> Iterator[None]:
    """Garbage is taken out on this thread, as ``ui.tidying`` sees to in the program."""
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture(autouse=True)
def _dressed(qapp: QApplication) -> None:
    """Every widget looks as it does in the program."""
    wear(chosen_look("light", scale=1.0))


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[BehindWindow]:
    """A running companion of doubles, on a thread of its own. See ``doubles.behind_window``."""
    behind = BehindWindow(tmp_path / "home")
    behind.face.start()
    try:
        yield behind
    finally:
        assert behind.face.stop(), "the engine hangs"


@pytest.fixture
def bridge(engine: BehindWindow, qtbot: QtBot) -> Iterator[Bridge]:
    """A bridge to ``engine``, when its ears are open."""
    made = Bridge(engine.face)
    qtbot.waitUntil(lambda: made.state.is_ready and made.state.engine is Engine.RUNNING, timeout=PATIENCE_MS)
    yield made
    made.close()


@pytest.fixture
def window(bridge: Bridge, qtbot: QtBot) -> Iterator[Window]:
    """The whole window on ``bridge``, shown."""
    made = Window(bridge)
    qtbot.addWidget(made)
    with qtbot.waitActive(made, timeout=PATIENCE_MS):
        made.come_up()
    yield made
    made.hide()


@pytest.fixture
def still(qtbot: QtBot) -> Iterator[Callable[..., Bridge]]:
    """Makes bridges to a table of answers: ``still(state, {"memory.show": {...}, "models.pull": Fault(...)})``.

    What was asked of it is told by ``orders(bridge)`` of ``doubles.still``.
    """
    made: list[Bridge] = []

    def make(state: UiState = AWAKE, answers: Mapping[str, Answer | Fault] | None = None) -> Bridge:
        bridge = Bridge(StillFace(answers or {}))
        bridge.begin_with(state)
        made.append(bridge)
        return bridge

    yield make
    for bridge in made:
        bridge.close()
