"""The window does not grow with its use."""

from __future__ import annotations

import gc
from collections.abc import Callable

import psutil
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from companion.ui.bridge import Bridge
from companion.ui.places import PLACES
from companion.ui.window import Window

ROUNDS = 30
MOST_GROWTH = 8_000_000
"""Bytes; what a heap does on the way."""


def test_going_round_and_opening_and_closing_leaves_nothing_behind(bridge: Bridge, qtbot: QtBot) -> None:
    window = Window(bridge)
    qtbot.addWidget(window)

    def go_round() -> None:
        window.come_up()
        for place in PLACES:
            window.go(place.name)
            qtbot.wait(20)
        window.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()

    for _ in range(5):
        go_round()
    widgets, memory = len(QApplication.allWidgets()), psutil.Process().memory_info().rss
    for _ in range(ROUNDS):
        go_round()

    assert len(QApplication.allWidgets()) <= widgets
    assert psutil.Process().memory_info().rss - memory < MOST_GROWTH


def test_the_help_is_dropped_when_it_is_closed(still: Callable[..., Bridge], qtbot: QtBot) -> None:
    window = Window(still())
    qtbot.addWidget(window)
    window.show()

    def read_help() -> None:
        window.show_help()
        for widget in QApplication.topLevelWidgets():
            if widget.windowTitle() == "Help":
                widget.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()

    read_help()
    before = len(QApplication.allWidgets())
    for _ in range(10):
        read_help()

    assert len(QApplication.allWidgets()) <= before
