"""How long each of the newest turns took, as bars that are made of their steps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from PySide6.QtCore import QEvent, QLocale, QPointF, QRectF, QSize, Qt, QTime
from PySide6.QtGui import QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from companion.ui.pages.health.words import COLOURS, STEPS, seconds, step_name
from companion.ui.theme import FINE, SMALL, SNUG, TINY, look, looks
from companion.ui.widgets import Column, Fine, plain

MOST = 50
TALL = 180
NARROWEST, WIDEST = 3.0, 14.0
"""Pixels of a bar."""


@dataclass(frozen=True, slots=True)
class Timed:
    """The times of one turn, in seconds."""

    at: datetime
    steps: tuple[tuple[str, float], ...]
    total: float

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Timed:
        steps = tuple((str(one["step"]), float(one["seconds"])) for one in row["steps"])
        return cls(datetime.fromisoformat(str(row["at"])), steps, float(row["total"]))


class Chart(QWidget):
    """The bars, oldest on the left. What they say is also told as words, to the mouse and to a screen reader."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._turns: tuple[Timed, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("How long the newest answers took"))
        looks.changed.connect(self.update)

    @property
    def turns(self) -> tuple[Timed, ...]:
        """What is shown."""
        return self._turns

    def show_turns(self, turns: Sequence[Timed]) -> None:
        """Show the newest of these."""
        self._turns = tuple(turns[-MOST:])
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, look().size(TALL))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, look().size(TALL))

    def told(self, turn: Timed) -> str:
        """One turn in words."""
        at = QLocale().toString(_time(turn.at), QLocale.FormatType.ShortFormat)
        lines = [self.tr("{time}: {total}").format(time=at, total=seconds(turn.total))]
        lines += [self.tr("{step}: {seconds}").format(step=step_name(s), seconds=seconds(t)) for s, t in turn.steps]
        return "\n".join(lines)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            turn = self._at(event.pos().x())
            QToolTip.showText(event.globalPos(), plain.tip(self.told(turn)) if turn else "", self)
            return True
        return super().event(event)

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(look().font(FINE))
        top = ceiling(max((turn.total for turn in self._turns), default=1.0))
        room = self._room()
        self._paint_scale(painter, room, top)
        painter.setPen(Qt.PenStyle.NoPen)
        wide, pitch = self._widths(room)
        for number, turn in enumerate(self._turns):
            self._paint_bar(painter, turn, room.left() + number * pitch, wide, room, top)
        painter.end()

    def _paint_scale(self, painter: QPainter, room: QRectF, top: float) -> None:
        for part in (0.0, 0.5, 1.0):
            height = room.bottom() - part * room.height()
            painter.setPen(QPen(look().colour("line"), 1))
            painter.drawLine(QPointF(room.left(), height), QPointF(room.right(), height))
            painter.setPen(look().colour("quiet"))
            place = QRectF(0, height - 10, room.left() - SMALL, 20)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(place, right, seconds(part * top) if part else "0")

    def _paint_bar(self, painter: QPainter, turn: Timed, left: float, wide: float, room: QRectF, top: float) -> None:
        bottom = room.bottom()
        for step, took in turn.steps:
            tall = took / top * room.height()
            if tall <= 0:
                continue
            painter.setBrush(look().colour(bar_colour(step)))
            # A thin gap tells two steps apart without their colours.
            painter.drawRect(QRectF(left, bottom - tall, wide, max(tall - 1, 0.5)))
            bottom -= tall

    def _room(self) -> QRectF:
        label = look().size(FINE) * 4.0
        return QRectF(label, SNUG, max(self.width() - label - TINY, 1), max(self.height() - 2 * SNUG, 1))

    def _widths(self, room: QRectF) -> tuple[float, float]:
        pitch = min(room.width() / max(len(self._turns), 1), WIDEST + TINY)
        return max(min(pitch - 2, WIDEST), NARROWEST), pitch

    def _at(self, x: float) -> Timed | None:
        room = self._room()
        _, pitch = self._widths(room)
        number = math.floor((x - room.left()) / pitch)
        return self._turns[number] if 0 <= number < len(self._turns) else None


class Legend(Column):
    """What the parts of the bars are, from the foot up, each with what it takes as a rule."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, spacing=TINY)
        self._words = {step: Fine() for step in STEPS}
        for step in STEPS:
            line = QHBoxLayout()
            line.setSpacing(SMALL)
            line.addWidget(Swatch(step))
            line.addWidget(self._words[step], 1)
            self.column.addLayout(line)

    def show_turns(self, turns: Sequence[Timed]) -> None:
        """Tell what each step takes as a rule."""
        for step, words in self._words.items():
            took = sorted(took for turn in turns for name, took in turn.steps if name == step)
            name = step_name(step)
            usual = self.tr("{step}, mostly {seconds}").format(step=name, seconds=seconds(middle(took)))
            words.say(usual if took else name)


class Swatch(QWidget):
    """The colour of a step."""

    def __init__(self, step: str) -> None:
        super().__init__()
        self._step = step
        self.setFixedSize(SNUG, SNUG)
        looks.changed.connect(self.update)

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look().colour(bar_colour(self._step)))
        painter.drawRoundedRect(QRectF(self.rect()), 3, 3)
        painter.end()


class Latency(QWidget):
    """The picture, its legend, and both in one sentence."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.summary = Fine()
        self.chart, self.legend = Chart(), Legend()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SNUG)
        for part in (self.summary, self.chart, self.legend):
            column.addWidget(part)

    def show_turns(self, turns: Sequence[Timed]) -> None:
        """Show the newest turns."""
        self.chart.show_turns(turns)
        self.legend.show_turns(turns)
        totals = sorted(turn.total for turn in turns)
        if totals:
            told = self.tr(
                "Half of the last %n answer(s) began within {half}, nine of ten within {most}.", "", len(totals)
            )
            self.summary.say(told.format(half=seconds(middle(totals)), most=seconds(middle(totals, 0.9))))
        else:
            self.summary.say(self.tr("Nothing was answered yet. Ask something, then look again."))
        self.chart.setVisible(bool(totals))
        self.legend.setVisible(bool(totals))
        self.chart.setAccessibleDescription(self.summary.text())


def middle(ordered: Sequence[float], share: float = 0.5) -> float:
    """The value below which ``share`` of a sorted sample lies; 0 of none."""
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0


def ceiling(longest: float) -> float:
    """A round number of seconds that holds the longest."""
    for step in (0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0, 20.0, 30.0, 60.0):
        if longest <= step:
            return step
    return math.ceil(longest / 60) * 60.0


def bar_colour(step: str) -> str:
    """The name of its colour."""
    return COLOURS.get(step, "quiet")


def _time(at: datetime) -> QTime:
    return QTime(at.hour, at.minute, at.second)
