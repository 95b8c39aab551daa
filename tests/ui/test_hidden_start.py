"""A start with the session opens no window, but leaves nobody without a way to it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QSystemTrayIcon
from pytestqt.qtbot import QtBot

from companion.ui import run
from companion.ui.bridge import Bridge
from companion.ui.run import Windows
from companion.ui.window_place import WindowPlace

Still = Callable[..., Bridge]


@pytest.fixture
def trays(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Holds something while there is a tray."""
    there = list[bool]()
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: bool(there))
    monkeypatch.setattr(run, "TRAY_MS", 50)
    return there


def begun(still: Still, qtbot: QtBot) -> Windows:
    windows = Windows(still(), WindowPlace(), is_hidden=True)
    qtbot.addWidget(windows.window)
    assert not windows.window.isVisible()
    return windows


def test_a_tray_that_comes_with_the_panel_is_waited_for(still: Still, qtbot: QtBot, trays: list[bool]) -> None:
    windows = begun(still, qtbot)
    trays.append(True)
    qtbot.wait(150)

    assert not windows.window.isVisible()


def test_where_no_tray_comes_the_window_does(still: Still, qtbot: QtBot, trays: list[bool]) -> None:
    windows = begun(still, qtbot)

    qtbot.waitUntil(windows.window.isVisible, timeout=10_000)
