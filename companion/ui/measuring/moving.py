"""The longest step of the loop while somebody scrolls a long conversation, or moves a large picture about."""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from PySide6.QtCore import QEventLoop, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from companion.ui.graph_view.view import GraphView
from companion.ui.measuring.steps import Steps
from companion.ui.pages.talk.model import TurnModel
from companion.ui.pages.talk.view import TurnView
from companion.ui.transcript import Row

TURNS = 10_000
NODES = 5_000
TIES_EACH = 2
FRAME_MS = 16
SIZE = (1000, 680)
SETTLE_SECONDS = 30.0
_WORDS = "the kettle is on and the garden wants water before the evening because it was warm all day long".split()


def scroll(seconds: float) -> list[float]:
    """Milliseconds of every step while ``TURNS`` turns are scrolled through by the wheel, up and down."""
    model = TurnModel()
    began = time.perf_counter()
    model.put_before([_turn(number) for number in range(TURNS)])
    view = TurnView(model, lambda row: "0.6 s · on this computer")
    _shown(view, lambda: True)
    sys.stderr.write(f"{TURNS} turns are there after {time.perf_counter() - began:.2f} s\n")

    def turn(frame: int) -> None:
        up = (frame // 120) % 2 == 0
        _wheel(view.viewport(), 480 if up else -480)
        if frame % 97 == 96:
            bar = view.verticalScrollBar()
            bar.setValue(bar.minimum() if up else bar.maximum())

    return _measured(turn, seconds)


def pan(seconds: float) -> list[float]:
    """Milliseconds of every step while a picture of ``NODES`` nodes is dragged about and zoomed."""
    view = GraphView()
    began = time.perf_counter()
    view.show_answer(_graph(), now=int(datetime.now().astimezone().timestamp() * 1000))
    _shown(view, lambda: bool(view.picture.dots) and view.is_settled)
    sys.stderr.write(f"{NODES} nodes are drawn after {time.perf_counter() - began:.2f} s\n")
    middle = QPointF(view.width() / 2, view.height() / 2)
    hand = [middle]
    _mouse(view, QMouseEvent.Type.MouseButtonPress, middle)

    def drag(frame: int) -> None:
        if frame % 150 == 149:
            _wheel(view, 120 if (frame // 150) % 2 else -120)
            return
        angle = frame / 20
        hand[0] += QPointF(14 * math.cos(angle), 14 * math.sin(angle))
        _mouse(view, QMouseEvent.Type.MouseMove, hand[0])

    return _measured(drag, seconds)


def _measured(move: Callable[[int], None], seconds: float) -> list[float]:
    steps, frames = Steps(), 0
    loop = QEventLoop()
    timer = QTimer()

    def frame() -> None:
        nonlocal frames
        move(frames)
        frames += 1

    timer.timeout.connect(frame)
    timer.start(FRAME_MS)
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    steps.begin()
    loop.exec()
    steps.end()
    timer.stop()
    return steps.milliseconds


def _shown(widget: QWidget, is_ready: Callable[[], bool]) -> None:
    """Show it, and wait until it is drawn."""
    widget.resize(*SIZE)
    widget.show()
    until = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < until:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        if widget.isVisible() and is_ready():
            break
    QApplication.processEvents()


def _mouse(widget: QWidget, kind: QMouseEvent.Type, place: QPointF) -> None:
    button = Qt.MouseButton.LeftButton
    held = Qt.KeyboardModifier.NoModifier
    event = QMouseEvent(kind, place, QPointF(widget.mapToGlobal(place.toPoint())), button, button, held)
    QApplication.sendEvent(widget, event)


def _wheel(widget: QWidget, turn: int) -> None:
    place = QPointF(widget.width() / 2, widget.height() / 2)
    point = QPointF(0, 0).toPoint()
    turned = QPointF(0, turn).toPoint()
    event = QWheelEvent(
        place,
        QPointF(widget.mapToGlobal(place.toPoint())),
        point,
        turned,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def _turn(number: int) -> Row:
    chance = random.Random(number)  # noqa: S311 - the same each time
    asked = " ".join(chance.choices(_WORDS, k=chance.randrange(3, 15)))
    answer = " ".join(chance.choices(_WORDS, k=chance.randrange(4, 90)))
    at = datetime(2026, 1, 1).astimezone() + timedelta(minutes=20 * number)
    return Row(asked=asked, answer=answer, said_to=len(answer), at=at)


def _graph() -> dict[str, object]:
    """Nodes in a round heap, each tied to some near it."""
    chance = random.Random(6)  # noqa: S311 - the same each time
    nodes: list[list[object]] = []
    for number in range(1, NODES + 1):
        far, angle = 60 * math.sqrt(number), number * 2.399963
        kind = ("person", "place", "thing", "date")[number % 4]
        name = f"{chance.choice(_WORDS)} {number}"
        x, y = round(far * math.cos(angle)), round(far * math.sin(angle))
        nodes.append([number, name, kind, chance.randrange(1, 40), x, y, name])
    ties: list[list[object]] = []
    for number in range(2, NODES + 1):
        for _ in range(TIES_EACH):
            other = max(1, number - chance.randrange(1, 60))
            confidence = chance.random()
            ties.append([len(ties) + 1, number, other, "knows", confidence, 1_780_000_000_000, None, None, False])
    return {"nodes": {"rows": nodes}, "ties": {"rows": ties}, "centre": 1, "total": NODES}
