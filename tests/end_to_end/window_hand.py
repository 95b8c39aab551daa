"""``companion ui`` with a hand in it, that sees what a person would see and clicks where a person would click.

It runs the real program in the real window. Orders come as JSON, a line each, on standard input:

    {"do": "see"}                        {"do": "press", "name": "Next"}
    {"do": "type", "text": "hello"}      {"do": "key", "key": "Ctrl+Q"}      {"do": "grab", "file": "x.png"}
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import sys
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier, Qt, QTimer
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from companion.__main__ import run
from companion.app.leave import leave
from companion.settings.schema import Settings
from companion.ui.run import application
from companion.ui.widgets import LevelMeter


class Hand(QObject):
    """Does what it is told, one thing at a time, and says what came of it."""

    def __init__(self) -> None:
        super().__init__()
        self._pending = b""
        self._loudest = 0
        self._ear = QTimer(self)
        self._ear.timeout.connect(self._look_at_the_meter)
        self._ear.start(50)
        self._told = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, self)
        self._told.activated.connect(self._hear)

    def _hear(self) -> None:
        data = os.read(sys.stdin.fileno(), 65_536)
        if not data:
            self._told.setEnabled(False)
            return
        *lines, self._pending = (self._pending + data).split(b"\n")
        for line in lines:
            try:
                answer = self._do(json.loads(line))
            except Exception as fault:  # noqa: BLE001 - the tester is told
                answer = {"fault": f"{type(fault).__name__}: {fault}"}
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()

    def _do(self, order: dict[str, Any]) -> dict[str, Any]:
        match order["do"]:
            case "press":
                button = _button(order["name"])
                QTest.mouseClick(button, Qt.MouseButton.LeftButton)
                return {"pressed": order["name"]}
            case "type":
                field = QApplication.focusWidget()
                QTest.keyClicks(field, order["text"])
                return {"into": type(field).__name__}
            case "key":
                _activate()
                QTest.keySequence(QApplication.focusWidget() or _front(), QKeySequence(order["key"]))
                return {"focus": _name(QApplication.focusWidget())}
            case "grab":
                return {"saved": _front().grab().save(order["file"])}
            case _:
                return self._seen()

    def _seen(self) -> dict[str, Any]:
        front = _front()
        seen = [widget for widget in front.findChildren(QWidget) if widget.isVisible()]
        loudest, self._loudest = self._loudest, 0
        return {
            "title": front.windowTitle(),
            "words": [widget.text() for widget in seen if isinstance(widget, QLabel) and widget.text()],
            "fields": [_text(widget) for widget in seen if isinstance(widget, QLineEdit | QTextEdit | QPlainTextEdit)],
            "buttons": [_name(one) for one in seen if isinstance(one, QAbstractButton) and one.isEnabled()],
            "lit": loudest,
            "platform": QApplication.platformName(),
        }

    def _look_at_the_meter(self) -> None:
        meters = [one for one in _front().findChildren(LevelMeter) if one.isVisible()]
        self._loudest = max([self._loudest, *(meter.lit for meter in meters)])


def _front() -> QWidget:
    """The window a person would look at."""
    front = QApplication.activeModalWidget() or QApplication.activeWindow()
    shown = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible() and widget.isWindow()]
    return front or (shown[-1] if shown else QWidget())


def _activate() -> None:
    """There is no window manager that would do it."""
    front = _front()
    front.activateWindow()
    QTest.qWaitForWindowActive(front, 2000)


def _button(name: str) -> QAbstractButton:
    found = [
        one
        for one in _front().findChildren(QAbstractButton)
        if one.isVisible() and one.isEnabled() and name in (one.text(), one.accessibleName())
    ]
    if not found:
        raise LookupError(f"there is no button {name!r}")
    return found[0]


def _name(widget: QWidget | None) -> str:
    if widget is None:
        return ""
    return widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")


def _text(field: QWidget) -> str:
    return field.text() if isinstance(field, QLineEdit) else field.toPlainText()  # type: ignore[union-attr]


if __name__ == "__main__":
    faulthandler.register(signal.SIGUSR1)  # for a tester who wonders where it hangs
    application(Settings())
    hand = Hand()
    leave(run(["ui"]))
