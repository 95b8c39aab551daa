"""A button that rests while its work goes on keeps the focus, and the page its place."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from companion.ui.widgets import Button, Quiet
from companion.ui.widgets.column import Scroll

PATIENCE_MS = 10_000


def a_long_page(qtbot: QtBot) -> tuple[Scroll, Button, QLineEdit]:
    page, button, field = Scroll(), Button("Look"), QLineEdit()
    page.add(button)
    for number in range(60):
        page.add(Quiet(f"line {number}"))
    page.add(field)
    qtbot.addWidget(page)
    page.resize(400, 300)
    with qtbot.waitActive(page, timeout=PATIENCE_MS):
        page.show()
        page.activateWindow()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus, timeout=PATIENCE_MS)
    return page, button, field


def test_the_focus_comes_back_to_a_button_that_rested(qtbot: QtBot) -> None:
    page, button, _ = a_long_page(qtbot)

    button.setEnabled(False)
    assert page.verticalScrollBar().value() == 0, "the page stays where it is"
    assert QApplication.focusWidget() is None
    button.setEnabled(True)

    assert button.hasFocus()


def test_who_has_gone_on_meanwhile_keeps_the_focus(qtbot: QtBot) -> None:
    _, button, field = a_long_page(qtbot)

    button.setEnabled(False)
    field.setFocus()
    button.setEnabled(True)

    assert field.hasFocus()
