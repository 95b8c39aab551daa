"""What a person does with a page: reads it, and presses what is there."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

PATIENCE_MS = 30_000
_LOOK_MS = 20


def words(within: QWidget) -> str:
    """All that is to be read there."""
    labels = [one.text() for one in within.findChildren(QLabel) if one.isVisibleTo(within)]
    return "\n".join(
        [*labels, *(one.text() for one in within.findChildren(QAbstractButton) if one.isVisibleTo(within))]
    )


def press(within: QWidget, name: str) -> None:
    """Press a button by what is written on it, or what it is called, as soon as it is there."""
    for _ in range(PATIENCE_MS // _LOOK_MS):
        button = _button(within, name)
        if button is not None:
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            return
        QTest.qWait(_LOOK_MS)
    raise AssertionError(f"there is no {name}")


def _button(within: QWidget, name: str) -> QAbstractButton | None:
    buttons = (one for one in within.findChildren(QAbstractButton) if one.isVisibleTo(within) and one.isEnabled())
    return next((one for one in buttons if name in (one.text(), one.accessibleName())), None)
