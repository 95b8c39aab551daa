"""What takes a while waits for the first picture of the window, and for nothing else."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from companion.ui.first_picture import FirstPicture

PATIENCE_MS = 5000


class Canvas(QWidget):
    """Writes down when it is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def paintEvent(self, event: object) -> None:
        self.said.append("painted")


def test_it_is_done_once_and_after_the_picture(qtbot: QtBot) -> None:
    canvas = Canvas()
    qtbot.addWidget(canvas)
    canvas.show()
    FirstPicture(canvas, lambda: canvas.said.append("begun"))
    qtbot.waitUntil(lambda: "begun" in canvas.said, timeout=PATIENCE_MS)
    canvas.update()
    qtbot.waitUntil(lambda: canvas.said[-1] == "painted", timeout=PATIENCE_MS)

    assert canvas.said[0] == "painted"
    assert canvas.said.count("begun") == 1


def test_a_hidden_window_keeps_nothing_waiting(qtbot: QtBot) -> None:
    canvas = Canvas()
    qtbot.addWidget(canvas)
    FirstPicture(canvas, lambda: canvas.said.append("begun"))

    assert canvas.said == ["begun"]


def test_a_window_that_is_never_drawn_keeps_it_waiting_for_a_moment_only(qtbot: QtBot) -> None:
    canvas = Canvas()
    qtbot.addWidget(canvas)
    canvas.setUpdatesEnabled(False)
    canvas.show()
    FirstPicture(canvas, lambda: canvas.said.append("begun"))
    qtbot.waitUntil(lambda: "begun" in canvas.said, timeout=PATIENCE_MS)
